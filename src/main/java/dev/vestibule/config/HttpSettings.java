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
        int maxBodyBytesInFlight,
        int maxBodyBytesPerNetwork,
        Duration headLimit,
        Duration bodyLimit,
        Duration idleTimeout,
        Duration requestLimit,
        int maxConnections,
        int maxConnectionsPerNetwork,
        int maxSilentConnections,
        Duration shutdownLimit,
        int eventLoops) {
    /** The header in which trusted proxies send the client's address. */
    public enum ForwardingHeader {
        X_FORWARDED_FOR,
        /** RFC 7239. */
        FORWARDED
    }

    private static final int HEAP_BYTES_PER_CONNECTION = 64 * 1024;
    private static final int MAX_CONNECTIONS = 20_000;
    private static final int MAX_BUDGET_BYTES = 1024 * 1024 * 1024;

    /** Limits that are not set are derived from the maximum heap size. */
    static HttpSettings read(SettingsSection http) {
        var heapBytes = Runtime.getRuntime().maxMemory();
        var connections = (int) Math.min(MAX_CONNECTIONS, heapBytes / HEAP_BYTES_PER_CONNECTION);
        var bodyBytes = (int) Math.min(MAX_BUDGET_BYTES, heapBytes / 8);
        var host = http.value("host", SettingType.HOST, "0.0.0.0", "Address to listen on.");
        var port = http.value("port", SettingType.PORT, "8080", "Port to listen on; 0 means any free one.");
        var trustedProxies = http.list(
                "trustedProxies",
                SettingType.ADDRESS_RANGE,
                "10.0.0.0/8, 192.168.1.5",
                "Proxies whose forwardedHeader and countryHeader are believed.");
        var forwardedHeader = http.value(
                "forwardedHeader",
                SettingType.choice(ForwardingHeader.class),
                "x-forwarded-for",
                "The one header in which the trusted proxies write the client's address. Choose the one that yours"
                        + " write: the other is never read, because a client could send it.");
        var countryHeader = http.optional(
                "countryHeader",
                SettingType.HEADER,
                "CF-IPCountry",
                "Header in which a trusted proxy sends the client's two-letter country; it has precedence over"
                        + " geo.databaseFile.");
        var maxBodyBytes = http.value(
                "maxBodyBytes",
                SettingType.bytes(1024, 16 * 1024 * 1024),
                "65536",
                "Largest request body; a larger one gets 413. A branding, which contains a logo, can always have"
                        + " 307200.");
        var budgetBytes = SettingType.bytes(1024 * 1024, MAX_BUDGET_BYTES);
        var maxBodyBytesInFlight = http.optional(
                        "maxBodyBytesInFlight",
                        budgetBytes,
                        "67108864",
                        "Maximum size of all request bodies together that this node holds until it has answered, and as"
                                + " much again of responses over 32 KiB until their clients have read them; further"
                                + " ones get 503. Default: an eighth of the heap.")
                .orElse(bodyBytes);
        var maxBodyBytesPerNetwork = http.optional(
                        "maxBodyBytesPerNetwork",
                        budgetBytes,
                        "16777216",
                        "Of those, the maximum for one client network: an IPv4 address, or the /64 of an IPv6 address; four"
                                + " times as much for a /48, and of responses a quarter of both. Default: a 32nd of the"
                                + " heap.")
                .orElse(bodyBytes / 4);
        var headLimit = http.value(
                "headSeconds",
                SettingType.seconds(1, 600),
                "10",
                "Longest time from the connection until the head of its first request is complete; then it is closed.");
        var bodyLimit = http.value(
                "bodySeconds",
                SettingType.seconds(1, 3600),
                "20",
                "Longest time to send a request's body; then it gets 408 and the connection is closed. An import may take"
                        + " longer.");
        var idleTimeout = http.value(
                "idleTimeoutSeconds",
                SettingType.seconds(1, 3600),
                "60",
                "A connection that is idle for this long is closed; so is one whose next request has not begun by then.");
        var requestLimit = http.value(
                "requestSeconds",
                SettingType.seconds(1, 3600),
                "30",
                "Longest time to read and answer a request; then it gets 503.");
        var maxConnections = http.optional(
                        "maxConnections",
                        SettingType.wholeNumber(1, 1_000_000),
                        "20000",
                        "Maximum number of connections in use at once on this node; further ones are closed at once."
                                + " Default: one for each 64 KiB of the heap, but no more than 20000.")
                .orElse(connections);
        var maxConnectionsPerNetwork = http.optional(
                        "maxConnectionsPerNetwork",
                        SettingType.wholeNumber(1, 1_000_000),
                        "2500",
                        "Of those, the maximum for one client network; four times as many for a /48. Trusted proxies may"
                                + " have any number. Default: an eighth of the default of maxConnections.")
                .orElse(connections / 8);
        var maxSilentConnections = http.optional(
                        "maxSilentConnections",
                        SettingType.wholeNumber(1, 1_000_000),
                        "5000",
                        "Of those, the maximum that have not sent the head of a request yet; beyond it, the one that has"
                                + " waited longest is closed. Default: a quarter of the default of maxConnections.")
                .orElse(connections / 4);
        var shutdownLimit = http.value(
                "shutdownSeconds",
                SettingType.seconds(1, 600),
                "30",
                "Longest time for requests in flight to finish after SIGTERM.");
        var eventLoops = http.optional(
                        "eventLoops",
                        SettingType.wholeNumber(1, 256),
                        "4",
                        "Threads that serve the API. Default: the number of cores.")
                .orElseGet(Runtime.getRuntime()::availableProcessors);
        return new HttpSettings(
                host,
                port,
                trustedProxies,
                forwardedHeader,
                countryHeader,
                maxBodyBytes,
                maxBodyBytesInFlight,
                maxBodyBytesPerNetwork,
                headLimit,
                bodyLimit,
                idleTimeout,
                requestLimit,
                maxConnections,
                maxConnectionsPerNetwork,
                maxSilentConnections,
                shutdownLimit,
                eventLoops);
    }
}
