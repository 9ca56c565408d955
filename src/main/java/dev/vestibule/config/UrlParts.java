package dev.vestibule.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.regex.Pattern;

/** Taking apart URLs that name a server and how to enter it. */
final class UrlParts {
    /** By hand: java.net.URI knows no host with an underscore, which container networks are full of. */
    static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:,\\[\\]%]+)(?::(\\d{1,5}))?");

    private UrlParts() {}

    /** What is before the separator and what is behind it; all before where there is none. */
    static String[] split(String text, char separator) {
        int at = text.indexOf(separator);
        return at < 0 ? new String[] {text, ""} : new String[] {text.substring(0, at), text.substring(at + 1)};
    }

    /** Percent-decoding alone: a plus sign is a plus sign in these URLs. */
    static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    }
}
