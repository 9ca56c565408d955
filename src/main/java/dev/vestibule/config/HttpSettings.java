package dev.vestibule.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The listener of the public API and whom it believes about the client's address. */
public record HttpSettings(
        String host,
        int port,
        List<AddressRange> trustedProxies,
        Optional<String> countryHeader,
        int maxBodyBytes,
        Duration idleTimeout,
        Duration requestLimit,
        int maxConnections,
        Duration shutdownLimit,
        int eventLoops) {

    static HttpSettings read(Group http) {
        return new HttpSettings(
                http.value("host", Type.HOST, "0.0.0.0", "Address to listen on."),
                http.value("port", Type.PORT, "8080", "Port to listen on; 0 takes any free one."),
                http.list(
                        "trustedProxies",
                        Type.ADDRESS_RANGE,
                        "10.0.0.0/8, 192.168.1.5",
                        "Proxies whose X-Forwarded-For, Forwarded and countryHeader are believed."),
                http.optional(
                        "countryHeader",
                        Type.HEADER,
                        "CF-IPCountry",
                        "Header in which a trusted proxy puts the client's two-letter country; goes before"
                                + " geo.databaseFile."),
                http.value(
                        "maxBodyBytes",
                        Type.bytes(1024, 16 * 1024 * 1024),
                        "65536",
                        "Largest request body, answered with 413 beyond it; a branding, which holds a logo, may always have"
                                + " 307200."),
                http.value(
                        "idleTimeoutSeconds",
                        Type.seconds(1, 3600),
                        "60",
                        "A connection on which nothing moves for so long is closed."),
                http.value(
                        "requestSeconds",
                        Type.seconds(1, 3600),
                        "30",
                        "Longest time to read a request and answer it, answered with 503 beyond it."),
                http.value(
                        "maxConnections",
                        Type.wholeNumber(1, 1_000_000),
                        "20000",
                        "Most connections in use at once on this node; more are closed at their first bytes."),
                http.value(
                        "shutdownSeconds",
                        Type.seconds(1, 600),
                        "30",
                        "Longest time for requests in flight to finish after SIGTERM."),
                http.optional(
                                "eventLoops",
                                Type.wholeNumber(1, 256),
                                "4",
                                "Threads that serve the API. Default: the number of cores.")
                        .orElseGet(Runtime.getRuntime()::availableProcessors));
    }
}
