package dev.vestibule.json;

import dev.vestibule.error.InvalidValueException;
import java.net.URI;
import java.net.URISyntaxException;
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
        try {
            var url = new URI(Text.printable(text));
            var isHttp = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            var authority = url.getRawAuthority();
            if (text.length() <= MAX_URL
                    && isHttp
                    && authority != null
                    && AUTHORITY.matcher(authority).matches()) {
                return text;
            }
        } catch (URISyntaxException invalid) {
            // rejected below
        }
        throw new InvalidValueException("must be an absolute http or https URL of at most 2048 characters");
    }
}
