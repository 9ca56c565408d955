package dev.vestibule.config;

import java.net.URI;
import java.util.Locale;

/** Web origins as browsers send them (RFC 6454, 6.2). */
public final class WebOrigin {
    private static final String HTTP_PORT = ":80";
    private static final String HTTPS_PORT = ":443";

    private WebOrigin() {}

    /** The origin of an http or https URL: in lower case, without the scheme's default port. */
    public static String of(URI url) {
        var scheme = url.getScheme().toLowerCase(Locale.ROOT);
        var authority = url.getRawAuthority().toLowerCase(Locale.ROOT);
        var defaultPort = scheme.equals("https") ? HTTPS_PORT : HTTP_PORT;
        return scheme + "://"
                + (authority.endsWith(defaultPort)
                        ? authority.substring(0, authority.length() - defaultPort.length())
                        : authority);
    }
}
