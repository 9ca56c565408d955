package dev.vestibule.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.pgclient.SslMode;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a PostgreSQL server with its credentials.
 *
 * <p>It is parsed here and not by {@code PgConnectOptions.fromUri}, which puts the whole URL with its password into its
 * errors, fills in a missing user, password and database by itself, and silently drops {@code sslrootcert}.
 */
public record DatabaseAddress(
        String host,
        int port,
        String user,
        Optional<Secret> password,
        String database,
        SslMode sslMode,
        Optional<Path> sslRootCertificate) {

    static final String FORM = "postgresql://user:password@host:port/database?sslmode=…&sslrootcert=…";

    private static final int DEFAULT_PORT = 5432;
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|::1");
    private static final Set<String> SCHEMES = Set.of("postgresql", "postgres");

    static DatabaseAddress parse(String text) {
        URI uri = syntax(text);
        String authority = Optional.ofNullable(uri.getRawAuthority()).orElse("");
        // Split by hand: java.net.URI does not accept a host with an underscore, which container networks often have.
        int at = authority.lastIndexOf('@');
        String[] userAndPassword = UrlParts.split(at < 0 ? "" : authority.substring(0, at), ':');
        check(!userAndPassword[0].isEmpty(), "names no user");
        Matcher hostAndPort = UrlParts.HOST_AND_PORT.matcher(authority.substring(at + 1));
        check(hostAndPort.matches(), "names no single host, or a wrong port");
        String path = Optional.ofNullable(uri.getRawPath()).orElse("");
        check(path.length() > 1 && path.indexOf('/', 1) < 0, "names no database");
        Map<String, String> parameters = parameters(uri.getRawQuery());
        return new DatabaseAddress(
                hostAndPort.group(1).replaceAll("[\\[\\]]", ""),
                port(hostAndPort.group(2)),
                UrlParts.decode(userAndPassword[0]),
                Optional.of(userAndPassword[1])
                        .filter(password -> !password.isEmpty())
                        .map(p -> new Secret(UrlParts.decode(p))),
                UrlParts.decode(path.substring(1)),
                sslMode(parameters.getOrDefault("sslmode", "prefer")),
                Optional.ofNullable(parameters.get("sslrootcert")).map(Path::of));
    }

    /** The URL for JDBC, which takes user and password separately. */
    public String jdbcUrl() {
        String certificate = sslRootCertificate
                .map(file -> "&sslrootcert=" + encode(file.toString()))
                // Without a file the driver would read one in the home directory instead of the JVM's trust store.
                .orElse(verifiesCertificate() ? "&sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory" : "");
        return "jdbc:postgresql://%s:%d/%s?sslmode=%s%s"
                .formatted(
                        host.contains(":") ? "[" + host + "]" : host,
                        port,
                        encode(database),
                        sslMode.value,
                        certificate);
    }

    public boolean verifiesCertificate() {
        return sslMode == SslMode.VERIFY_CA || sslMode == SslMode.VERIFY_FULL;
    }

    /**
     * What an operator must know before this address is used over a network: empty if the server's certificate is
     * verified, or if the server is on this machine.
     */
    public Optional<String> warning() {
        if (verifiesCertificate() || LOOPBACK.matcher(host).matches()) {
            return Optional.empty();
        }
        return Optional.of(("The connection to the database at %s:%d has sslmode=%s, which does not check who answers:"
                        + " an attacker on the network between could read and change everything. Put"
                        + " sslmode=verify-full into database.url, and sslrootcert=FILE for a certificate authority of"
                        + " your own.")
                .formatted(host, port, sslMode.value));
    }

    private static URI syntax(String text) {
        URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException("is not a URL of the form " + FORM
                    + "; special characters in user and password are written as %40 for @ and so on");
        }
        check(uri.getScheme() != null && SCHEMES.contains(uri.getScheme()), "does not begin with postgresql://");
        check(uri.getRawFragment() == null, "has a #, which in user and password is written as %23");
        return uri;
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new TreeMap<>();
        if (query != null) {
            for (String parameter : query.split("&", -1)) {
                String[] nameAndValue = UrlParts.split(parameter, '=');
                // The name is not repeated: after an unescaped ? it would be a part of the password.
                check(
                        Set.of("sslmode", "sslrootcert").contains(nameAndValue[0]) && !nameAndValue[1].isEmpty(),
                        "may have only the parameters sslmode and sslrootcert");
                parameters.put(nameAndValue[0], UrlParts.decode(nameAndValue[1]));
            }
        }
        return parameters;
    }

    private static int port(@Nullable String text) {
        int port = text == null ? DEFAULT_PORT : Integer.parseInt(text);
        check(port >= 1 && port <= 65535, "has a port that is not 1 to 65535");
        return port;
    }

    private static SslMode sslMode(String text) {
        try {
            return SslMode.of(text);
        } catch (IllegalArgumentException e) {
            throw wrong("has an sslmode that is not disable, allow, prefer, require, verify-ca or verify-full");
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8);
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
