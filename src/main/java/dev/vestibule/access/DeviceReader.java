package dev.vestibule.access;

import com.maxmind.db.Reader;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.limits.ClientNetwork;
import dev.vestibule.session.Device;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the device of a sign in: address, country (from a trusted proxy's header, or a MaxMind file) and browser. */
public final class DeviceReader {
    private static final int MAX_USER_AGENT = 512;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
    private static final Pattern COUNTRY = Pattern.compile("[A-Za-z]{2}");

    private final ClientAddresses addresses;
    private final Optional<String> countryHeader;
    private final Optional<Reader> countries;

    public DeviceReader(ClientAddresses addresses, Optional<String> countryHeader, Optional<Reader> countries) {
        this.addresses = addresses;
        this.countryHeader = countryHeader;
        this.countries = countries;
    }

    public Device read(RoutingContext ctx) {
        var address = addresses.of(ctx.request());
        return new Device(
                userAgent(ctx),
                address == null ? null : address.getHostAddress(),
                countryFromHeader(ctx).or(() -> countryOf(address)).orElse(null));
    }

    /**
     * The largest network that one customer has, which is the /48 of an IPv6 address; all its addresses give the same
     * bytes.
     */
    public Buffer network(RoutingContext ctx) {
        var address = addresses.of(ctx.request());
        return Buffer.buffer(ClientNetwork.widestOf(address));
    }

    private static @Nullable String userAgent(RoutingContext ctx) {
        var userAgent = ctx.request().getHeader(HttpHeaders.USER_AGENT);
        if (userAgent == null || userAgent.isBlank()) {
            return null;
        }
        var clean = CONTROL.matcher(userAgent).replaceAll(" ");
        return clean.length() > MAX_USER_AGENT ? clean.substring(0, MAX_USER_AGENT) : clean;
    }

    private Optional<String> countryFromHeader(RoutingContext ctx) {
        return countryHeader
                .filter(header -> addresses.isFromTrustedProxy(ctx.request()))
                .map(header -> ctx.request().getHeader(header))
                .map(String::strip)
                .filter(country -> COUNTRY.matcher(country).matches())
                .map(country -> country.toUpperCase(Locale.ROOT));
    }

    private Optional<String> countryOf(@Nullable InetAddress address) {
        if (countries.isEmpty() || address == null) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(countries.get().get(address, Map.class))
                    .map(entry -> entry.get("country"))
                    .filter(Map.class::isInstance)
                    .map(country -> ((Map<?, ?>) country).get("iso_code"))
                    .map(String::valueOf);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
