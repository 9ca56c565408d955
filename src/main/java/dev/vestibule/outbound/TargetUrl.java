package dev.vestibule.outbound;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Text;
import dev.vestibule.json.UnicodeText;
import dev.vestibule.json.WebUrl;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The type of a field that holds a URL to send requests to. */
public final class TargetUrl {
    private static final int MAX_LENGTH = 2048;
    private static final int MAX_HOST = 253;
    private static final int MAX_PORT = 65_535;
    private static final Pattern NAME =
            Pattern.compile("(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\\.)*+[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?");

    /** Numbers that some parsers read as an IPv4 address or its last part: decimal, octal or hexadecimal. */
    private static final Pattern NUMERIC_END = Pattern.compile("(?:.*\\.)?(?:[0-9]+|0x[0-9a-f]*)");

    private static final Pattern IPV4 =
            Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");

    private TargetUrl() {}

    /**
     * Refuses literal addresses that are not public, and names the setting that would allow them. The addresses of a
     * name are checked for each connection.
     */
    public static URI of(String text, boolean allowPrivate, String setting) {
        var url = parse(Text.printable(text));
        var host = url.getHost();
        if (host == null || !isWeb(url) || text.length() > MAX_LENGTH || !isAscii(text)) {
            throw new InvalidValueException("must be an absolute http or https URL of at most 2048 ASCII characters");
        }
        if (url.getRawUserInfo() != null) {
            throw new InvalidValueException("must not have a user or password");
        }
        if (url.getRawFragment() != null) {
            throw new InvalidValueException("must not have a fragment");
        }
        if (url.getPort() == 0 || url.getPort() > MAX_PORT) {
            throw new InvalidValueException("must have a port of 1 to 65535, or none");
        }
        checkHost(host, allowPrivate, setting);
        return url;
    }

    private static URI parse(String text) {
        return WebUrl.parts(text)
                .orElseThrow(() -> new InvalidValueException(
                        "must be an absolute http or https URL of at most 2048 ASCII characters"));
    }

    private static boolean isWeb(URI url) {
        return "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
    }

    private static boolean isAscii(String text) {
        return StandardCharsets.US_ASCII.newEncoder().canEncode(text);
    }

    private static void checkHost(String host, boolean allowPrivate, String setting) {
        var address = literal(host);
        if (address.isEmpty() && !isName(host)) {
            throw new InvalidValueException("must have a host name, or an IP address in its usual form");
        }
        if (!allowPrivate
                && (isLocalName(host)
                        || address.filter(found -> !PublicAddresses.isPublic(found))
                                .isPresent())) {
            throw new InvalidValueException(
                    "must lead to a public address (the server's setting " + setting + " allows others)");
        }
    }

    private static boolean isName(String host) {
        var name = withoutRoot(UnicodeText.lowerAscii(host));
        return name.length() <= MAX_HOST
                && NAME.matcher(name).matches()
                && !NUMERIC_END.matcher(name).matches();
    }

    /** Names that always mean the machine itself (RFC 6761). */
    private static boolean isLocalName(String host) {
        var name = withoutRoot(UnicodeText.lowerAscii(host));
        return name.equals("localhost") || name.endsWith(".localhost");
    }

    private static String withoutRoot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** The address, if a URL's host is an address and not a name. */
    static Optional<InetAddress> literal(String host) {
        if (host.startsWith("[")) {
            return parsed(host.substring(1, host.length() - 1));
        }
        return IPV4.matcher(host).matches() ? parsed(host) : Optional.empty();
    }

    /** An address with a zone is local to this machine, so no customer can mean it. */
    private static Optional<InetAddress> parsed(String literal) {
        @Nullable
        InetAddress address = literal.contains("%") ? null : NetUtil.createInetAddressFromIpAddressString(literal);
        return Optional.ofNullable(address);
    }
}
