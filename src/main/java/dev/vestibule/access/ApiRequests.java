package dev.vestibule.access;

import dev.vestibule.journal.Journal;
import io.vertx.ext.web.RoutingContext;

/** Makes what handlers get of a request. */
public final class ApiRequests {
    private final DeviceReader devices;
    private final Journal journal;

    ApiRequests(DeviceReader devices, Journal journal) {
        this.devices = devices;
        this.journal = journal;
    }

    /** Call this behind the guard. */
    public ApiRequest of(RoutingContext ctx) {
        return new ApiRequest(ctx, devices, journal);
    }
}
