package dev.vestibule.authentication.oauth;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.UnicodeText;
import dev.vestibule.json.WebUrl;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An http or https URL in its parts. URLs that two parsers could read differently (user info, backslashes, hosts that
 * are not ASCII, dot segments) are refused, because such differences turn redirects into open ones.
 */
public record RedirectUrl(
        String scheme,
        String host,
        int port,
        String path,
        @Nullable String query,
        @Nullable String fragment,
        String text) {
    private static final int MAX_LENGTH = 2048;
    private static final int MAX_PORT = 65_535;
    private static final Pattern CHARACTERS = Pattern.compile("[\\x21-\\x7E&&[^\\\\\"<>]]{1,2048}");
    private static final Pattern SHAPE = Pattern.compile(
            "(https?)://([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\\[[0-9a-f:.]+])(?::([1-9][0-9]{0,4}))?"
                    + "(/[^?#]*)?(?:\\?([^#]*))?(?:#(.*))?",
            Pattern.CASE_INSENSITIVE);

    /** Empty and dot segments, and escapes of separators and control characters. */
    private static final Pattern ODD_PATH = Pattern.compile(
            "//|(?:^|/)(?:\\.|%2e){1,2}(?:/|$)|%(?:2f|5c|[01][0-9a-f]|7f)|%(?![0-9a-f]{2})|[@|^`{}]",
            Pattern.CASE_INSENSITIVE);

    /** Empty if the text is not such a URL. */
    public static Optional<RedirectUrl> parse(String text) {
        var parts = SHAPE.matcher(text);
        if (text.length() > MAX_LENGTH || !CHARACTERS.matcher(text).matches() || !parts.matches()) {
            return Optional.empty();
        }
        var scheme = UnicodeText.lowerAscii(parts.group(1));
        var port = parts.group(3) == null ? standardPort(scheme) : Integer.parseInt(parts.group(3));
        var path = parts.group(4) == null ? "/" : parts.group(4);
        if (port > MAX_PORT || ODD_PATH.matcher(path).find()) {
            return Optional.empty();
        }
        return Optional.of(new RedirectUrl(
                scheme, UnicodeText.lowerAscii(parts.group(2)), port, path, parts.group(5), parts.group(6), text));
    }

    /** A field rule. */
    public static RedirectUrl of(String text) {
        return parse(text)
                .orElseThrow(() -> new InvalidValueException(
                        "must be an absolute http or https URL without user info or dot segments"));
    }

    /** The origin as browsers write it (RFC 6454, 6.2). */
    String origin() {
        return scheme + "://" + host + (port == standardPort(scheme) ? "" : ":" + port);
    }

    /** Whether both are the same URL, apart from the fragment. */
    public boolean isSameAs(RedirectUrl other) {
        return origin().equals(other.origin()) && pathAndQuery().equals(other.pathAndQuery());
    }

    /** Whether the URL also follows RFC 3986: browsers leave some characters of a query unescaped. */
    public boolean isUri() {
        return WebUrl.parts(text).map(URI::getRawAuthority).isPresent();
    }

    /** This URL with one more query parameter. */
    public String with(String parameter, String value) {
        var end = text.indexOf('#');
        var beforeFragment = end < 0 ? text : text.substring(0, end);
        return beforeFragment + (query == null ? "?" : "&") + parameter + "=" + value
                + (end < 0 ? "" : text.substring(end));
    }

    private String pathAndQuery() {
        return query == null ? path : path + "?" + query;
    }

    private static int standardPort(String scheme) {
        return scheme.equals("https") ? 443 : 80;
    }
}
