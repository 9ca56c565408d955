package dev.vestibule.json;

import dev.vestibule.error.InvalidValueException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/** The rule of a field that holds the URL of a web page or picture. */
public final class WebUrl {
    private static final int MAX_URL = 2048;

    /** User, host and port (RFC 3986, 3.2); the port is at most 65535. */
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:[^@]*@)?(?:[\\p{L}\\p{M}\\p{N}._~%-]+|\\[[0-9A-Fa-f:.]+])"
                    + "(?::(?:\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]))?");

    private WebUrl() {}

    /**
     * An absolute http or https URL. Its host may contain underscores or letters of any script, for which java.net.URI
     * finds no host.
     */
    public static String absolute(String text) {
        return parts(Text.printable(text))
                .filter(url -> text.length() <= MAX_URL && isAbsolute(url))
                .map(url -> text)
                .orElseThrow(() ->
                        new InvalidValueException("must be an absolute http or https URL of at most 2048 characters"));
    }

    private static boolean isAbsolute(URI url) {
        var isHttp = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        var authority = url.getRawAuthority();
        return isHttp && authority != null && AUTHORITY.matcher(authority).matches();
    }

    /**
     * The parts of any URI; empty if the text is none. For some, such as http://[::1.2.3.99999999999]/, java.net.URI
     * fails with another exception than it documents.
     */
    public static Optional<URI> parts(String text) {
        try {
            return Optional.of(new URI(text));
        } catch (URISyntaxException | NumberFormatException invalid) {
            return Optional.empty();
        }
    }
}
