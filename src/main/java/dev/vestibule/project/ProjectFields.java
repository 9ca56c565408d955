package dev.vestibule.project;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Text;
import dev.vestibule.json.WebUrl;
import java.net.URI;
import java.util.Locale;

/** The validation rules of a project's fields. */
final class ProjectFields {
    private static final int MAX_NAME = 100;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private ProjectFields() {}

    static String name(String text) {
        return Text.line(text, MAX_NAME);
    }

    /** A web origin as browsers send it (RFC 6454, 6.2): in lower case, without the scheme's default port. */
    static String origin(String text) {
        var url = URI.create(WebUrl.absolute(text));
        if (url.getRawUserInfo() != null
                || !(url.getRawPath().isEmpty() || url.getRawPath().equals("/"))
                || url.getRawQuery() != null
                || url.getRawFragment() != null) {
            throw new InvalidValueException("must be an origin, such as https://app.example.com");
        }
        var scheme = url.getScheme().toLowerCase(Locale.ROOT);
        var authority = url.getRawAuthority().toLowerCase(Locale.ROOT);
        var defaultPort = ":" + (scheme.equals("https") ? HTTPS_PORT : HTTP_PORT);
        return scheme + "://"
                + (authority.endsWith(defaultPort)
                        ? authority.substring(0, authority.length() - defaultPort.length())
                        : authority);
    }
}
