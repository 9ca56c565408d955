package dev.vestibule.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The listener of the public API, its limits, and the proxies whose headers it believes. */
public record HttpSettings(
        String host,
        int port,
        List<AddressRange> trustedProxies,
        ForwardingHeader forwardedHeader,
        Optional<String> countryHeader,
        int maxBodyBytes,
        Duration idleTimeout,
        Duration requestLimit,
        int maxConnections,
        Duration shutdownLimit,
        int eventLoops) {

    static HttpSettings read(SettingsSection http) {
        return new HttpSettings(
                http.value("host", SettingType.HOST, "0.0.0.0", "Address to listen on."),
                http.value("port", SettingType.PORT, "8080", "Port to listen on; 0 means any free one."),
                http.list(
                        "trustedProxies",
                        SettingType.ADDRESS_RANGE,
                        "10.0.0.0/8, 192.168.1.5",
                        "Proxies whose forwardedHeader and countryHeader are believed."),
                http.value(
                        "forwardedHeader",
                        SettingType.choice(ForwardingHeader.class),
                        "x-forwarded-for",
                        "The one header in which the trusted proxies write the client's address. Choose the one that"
                                + " yours write: the other is never read, because a client could send it."),
                http.optional(
                        "countryHeader",
                        SettingType.HEADER,
                        "CF-IPCountry",
                        "Header in which a trusted proxy sends the client's two-letter country; it has precedence over"
                                + " geo.databaseFile."),
                http.value(
                        "maxBodyBytes",
                        SettingType.bytes(1024, 16 * 1024 * 1024),
                        "65536",
                        "Largest request body; a larger one gets 413. A branding, which contains a logo, may always have"
                                + " 307200."),
                http.value(
                        "idleTimeoutSeconds",
                        SettingType.seconds(1, 3600),
                        "60",
                        "A connection that is idle for this long is closed."),
                http.value(
                        "requestSeconds",
                        SettingType.seconds(1, 3600),
                        "30",
                        "Longest time to read and answer a request; then it gets 503."),
                http.value(
                        "maxConnections",
                        SettingType.wholeNumber(1, 1_000_000),
                        "20000",
                        "Maximum number of connections in use at once on this node; further ones are closed at their"
                                + " first bytes."),
                http.value(
                        "shutdownSeconds",
                        SettingType.seconds(1, 600),
                        "30",
                        "Longest time for requests in flight to finish after SIGTERM."),
                http.optional(
                                "eventLoops",
                                SettingType.wholeNumber(1, 256),
                                "4",
                                "Threads that serve the API. Default: the number of cores.")
                        .orElseGet(Runtime.getRuntime()::availableProcessors));
    }
}
