package dev.vestibule.access;

import dev.vestibule.journal.audit.AuditLog;
import io.vertx.ext.web.RoutingContext;

/** Makes what handlers get of a request. */
public final class ApiRequests {
    private final DeviceReader devices;
    private final AuditLog log;

    ApiRequests(DeviceReader devices, AuditLog log) {
        this.devices = devices;
        this.log = log;
    }

    /** Call this behind the guard. */
    public ApiRequest of(RoutingContext ctx) {
        return new ApiRequest(ctx, devices, log);
    }
}
