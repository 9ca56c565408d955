package dev.vestibule.config;

import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The address of an SMTP server, how the connection is encrypted, and the credentials. */
public record SmtpAddress(String host, int port, Protection protection, Optional<Login> login) {
    static final String FORM = "smtp://user:password@host:port?starttls=… or smtps://user:password@host:port";

    private static final int SUBMISSION_PORT = 587; // RFC 6409
    private static final int TLS_PORT = 465; // RFC 8314
    private static final String STARTTLS = "starttls=";

    /** How the connection is encrypted: from the start, by STARTTLS always, by STARTTLS if the server can, or never. */
    public enum Protection {
        TLS,
        REQUIRED,
        OPTIONAL,
        DISABLED
    }

    /** The credentials for the SMTP server. */
    public record Login(String user, Secret password) {}

    static SmtpAddress parse(String text) {
        URI uri = syntax(text);
        boolean tls = "smtps".equals(uri.getScheme());
        String authority = Optional.ofNullable(uri.getRawAuthority()).orElse("");
        int at = authority.lastIndexOf('@');
        Optional<Login> login = at < 0 ? Optional.empty() : Optional.of(login(authority.substring(0, at)));
        Matcher hostAndPort = UrlParts.HOST_AND_PORT.matcher(authority.substring(at + 1));
        check(hostAndPort.matches(), "names no host, or a wrong port");
        return new SmtpAddress(
                hostAndPort.group(1).replaceAll("[\\[\\]]", ""),
                port(hostAndPort.group(2), tls),
                protection(uri.getRawQuery(), tls, login.isPresent()),
                login);
    }

    private static URI syntax(String text) {
        URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw wrong("is not a URL; special characters in user and password are written as %40 for @ and so on");
        }
        check(
                "smtp".equals(uri.getScheme()) || "smtps".equals(uri.getScheme()),
                "does not begin with smtp:// or smtps://");
        String path = Optional.ofNullable(uri.getRawPath()).orElse("");
        check(path.isEmpty() || path.equals("/"), "has a path");
        check(uri.getRawFragment() == null, "has a #, which in user and password is written as %23");
        return uri;
    }

    private static Login login(String userInfo) {
        String[] userAndPassword = UrlParts.split(userInfo, ':');
        check(
                !userAndPassword[0].isEmpty() && !userAndPassword[1].isEmpty(),
                "names a user without a password, or none");
        return new Login(UrlParts.decode(userAndPassword[0]), new Secret(UrlParts.decode(userAndPassword[1])));
    }

    private static int port(@Nullable String text, boolean tls) {
        int port = text == null ? (tls ? TLS_PORT : SUBMISSION_PORT) : Integer.parseInt(text);
        check(port >= 1 && port <= 65535, "has a port that is not 1 to 65535");
        return port;
    }

    /** Without a parameter, a password is never sent unencrypted. */
    private static Protection protection(@Nullable String query, boolean tls, boolean hasLogin) {
        if (query == null) {
            return tls ? Protection.TLS : hasLogin ? Protection.REQUIRED : Protection.OPTIONAL;
        }
        // The message does not repeat the parameter: after an unescaped ? it would be part of the password.
        check(!tls && query.startsWith(STARTTLS), "may have only the parameter starttls, and that with smtp:// alone");
        return Arrays.stream(Protection.values())
                .filter(choice -> choice != Protection.TLS)
                .filter(choice -> (STARTTLS + choice.name().toLowerCase(Locale.ROOT)).equals(query))
                .findFirst()
                .orElseThrow(() -> wrong("has a starttls that is not required, optional or disabled"));
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw wrong(otherwise);
        }
    }

    private static InvalidSettingException wrong(String what) {
        return new InvalidSettingException(what + "; the form is " + FORM);
    }
}
