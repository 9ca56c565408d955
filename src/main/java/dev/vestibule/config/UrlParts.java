package dev.vestibule.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.regex.Pattern;

/** Splits URLs of servers with credentials. */
final class UrlParts {
    /** java.net.URI does not accept a host with an underscore, which is common in container networks. */
    static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:,\\[\\]%]+)(?::(\\d{1,5}))?");

    static final Pattern IPV6 = Pattern.compile("\\[[0-9A-Fa-f:.]+]");

    private UrlParts() {}

    /** The parts before and after the separator; without one, the whole text and an empty one. */
    static String[] split(String text, char separator) {
        int at = text.indexOf(separator);
        return at < 0 ? new String[] {text, ""} : new String[] {text.substring(0, at), text.substring(at + 1)};
    }

    /** Decodes only percent escapes: in these URLs a plus sign stands for itself. */
    static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    }
}
