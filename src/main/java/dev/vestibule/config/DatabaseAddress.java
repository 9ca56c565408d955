package dev.vestibule.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.pgclient.SslMode;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a PostgreSQL server, or of a primary and its standbys, with the credentials.
 *
 * <p>It is parsed here and not by {@code PgConnectOptions.fromUri}, which puts the whole URL with its password into its
 * errors, fills in a missing user, password and database by itself, and silently drops {@code sslrootcert}.
 */
public record DatabaseAddress(
        List<Host> hosts,
        boolean primaryOnly,
        String user,
        Optional<Secret> password,
        String database,
        SslMode sslMode,
        Optional<Path> sslRootCertificate) {

    /** Where one server listens. */
    public record Host(String name, int port) {
        @Override
        public String toString() {
            return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
        }
    }

    static final String FORM = "postgresql://user:password@host:port/database?sslmode=…&sslrootcert=…, or with several"
            + " host:port,host:port and target_session_attrs=primary";

    private static final int DEFAULT_PORT = 5432;
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|::1");
    private static final Set<String> SCHEMES = Set.of("postgresql", "postgres");
    private static final int MAX_HOSTS = 16;
    private static final String TARGET = "target_session_attrs";
    private static final Set<String> PARAMETERS = Set.of("sslmode", "sslrootcert", TARGET);

    /**
     * The pattern of RFC 3986, Appendix B, which matches any text. java.net.URI does not accept a list of IPv6
     * addresses.
     */
    private static final Pattern PARTS =
            Pattern.compile("(?:[^:/?#]+:)?(?://(?<authority>[^/?#]*))?(?<path>[^?#]*)(?:\\?(?<query>[^#]*))?(?:#.*)?");

    static DatabaseAddress parse(String text) {
        checkSyntax(text);
        Matcher parts = PARTS.matcher(text);
        check(parts.matches(), "is not a URL");
        String authority = Optional.ofNullable(parts.group("authority")).orElse("");
        int at = authority.lastIndexOf('@');
        String[] userAndPassword = UrlParts.split(at < 0 ? "" : authority.substring(0, at), ':');
        check(!userAndPassword[0].isEmpty(), "names no user");
        List<Host> hosts = hosts(authority.substring(at + 1));
        String path = parts.group("path");
        check(path.length() > 1 && path.indexOf('/', 1) < 0, "names no database");
        Map<String, String> parameters = parameters(parts.group("query"));
        return new DatabaseAddress(
                hosts,
                requiresPrimary(parameters.get(TARGET)) || hosts.size() > 1,
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
        return "jdbc:postgresql://%s/%s?sslmode=%s%s%s"
                .formatted(
                        places(hosts),
                        encode(database),
                        sslMode.value,
                        certificate,
                        primaryOnly ? "&targetServerType=primary" : "");
    }

    public boolean verifiesCertificate() {
        return sslMode == SslMode.VERIFY_CA || sslMode == SslMode.VERIFY_FULL;
    }

    /**
     * What an operator must know before this address is used over a network: empty if the server's certificate is
     * verified, or if the server is on this machine.
     */
    public Optional<String> warning() {
        List<Host> remote = hosts.stream()
                .filter(host -> !LOOPBACK.matcher(host.name()).matches())
                .toList();
        if (verifiesCertificate() || remote.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(("The connection to the database at %s has sslmode=%s, which does not check who answers:"
                        + " an attacker on the network between could read and change everything. Put"
                        + " sslmode=verify-full into its URL, and sslrootcert=FILE for a certificate authority of"
                        + " your own.")
                .formatted(places(remote), sslMode.value));
    }

    private static void checkSyntax(String text) {
        URI uri;
        try {
            uri = URI.create(UrlParts.IPV6.matcher(text).replaceAll("ipv6"));
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException("is not a URL of the form " + FORM
                    + "; special characters in user and password are written as %40 for @ and so on");
        }
        check(uri.getScheme() != null && SCHEMES.contains(uri.getScheme()), "does not begin with postgresql://");
        check(uri.getRawFragment() == null, "has a #, which in user and password is written as %23");
    }

    private static List<Host> hosts(String text) {
        check(!text.isEmpty(), "names no host");
        List<Host> hosts =
                Arrays.stream(text.split(",", -1)).map(DatabaseAddress::host).toList();
        check(hosts.size() <= MAX_HOSTS, "names more than " + MAX_HOSTS + " hosts");
        check(Set.copyOf(hosts).size() == hosts.size(), "names a host twice");
        return hosts;
    }

    private static Host host(String text) {
        check(!text.isEmpty(), "has an empty name in its list of hosts");
        check(!text.toUpperCase(Locale.ROOT).startsWith("%2F"), "names a Unix socket, where only host and port can be");
        Matcher hostAndPort = UrlParts.HOST_AND_PORT.matcher(text);
        check(hostAndPort.matches(), "has a wrong host or port");
        String name = hostAndPort.group(1).replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT);
        return new Host(name, port(hostAndPort.group(2)));
    }

    /** The hosts of a list, for messages and URLs. */
    public static String places(List<Host> hosts) {
        return hosts.stream().map(Host::toString).collect(Collectors.joining(","));
    }

    /**
     * With several hosts, only a primary is used, even where libpq would accept any server: this server always writes.
     */
    private static boolean requiresPrimary(@Nullable String target) {
        check(
                target == null || target.equals("primary") || target.equals("read-write"),
                "has a " + TARGET + " that is not primary (or read-write, which is the same here)");
        return target != null;
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new TreeMap<>();
        if (query != null) {
            for (String parameter : query.split("&", -1)) {
                String[] nameAndValue = UrlParts.split(parameter, '=');
                // The message does not repeat the name: after an unescaped ? it would be part of the password.
                check(
                        PARAMETERS.contains(nameAndValue[0]) && !nameAndValue[1].isEmpty(),
                        "may have only the parameters sslmode, sslrootcert and target_session_attrs");
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
