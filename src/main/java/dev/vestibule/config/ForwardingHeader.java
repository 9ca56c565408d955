package dev.vestibule.config;

/** The header in which trusted proxies send the client's address. */
public enum ForwardingHeader {
    X_FORWARDED_FOR,
    /** RFC 7239. */
    FORWARDED
}
