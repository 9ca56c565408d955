package dev.vestibule.config;

/** The header in which trusted proxies write the address that they serve. */
public enum ForwardingHeader {
    X_FORWARDED_FOR,
    /** RFC 7239. */
    FORWARDED
}
