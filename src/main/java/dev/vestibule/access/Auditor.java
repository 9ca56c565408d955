package dev.vestibule.access;

import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.audit.Actor;
import dev.vestibule.audit.AuditLog;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import io.vertx.ext.web.RoutingContext;

/** Tells the audit log who sent a request: a user, a dashboard user, or the holder of an API key. */
public final class Auditor {
    private final AuditLog log;
    private final DeviceReader devices;

    public Auditor(AuditLog log, DeviceReader devices) {
        this.log = log;
        this.devices = devices;
    }

    public AuditLog log() {
        return log;
    }

    /** The audit trail for the request's changes; only on routes whose guard determines a project. */
    public AuditTrail of(RoutingContext ctx) {
        return in(Caller.project(ctx).id(), ctx);
    }

    /** The audit trail in the log of a project other than that of the credentials. */
    public AuditTrail in(ProjectId project, RoutingContext ctx) {
        var device = devices.read(ctx);
        return new AuditTrail(
                log,
                project,
                Caller.key(ctx)
                        .filter(KeyHolder::isServer)
                        .map(key -> new Actor(Actor.Type.API_KEY, key.keyId(), device.ipAddress(), device.userAgent()))
                        .orElseGet(() -> person(ctx, device)));
    }

    private static Actor person(RoutingContext ctx, Device device) {
        return Caller.signedIn(ctx)
                .map(who -> person(who, device))
                .orElseGet(() -> Actor.person(Caller.project(ctx).id(), null, device.ipAddress(), device.userAgent()));
    }

    /** In an impersonated session, it is not the user who acts. */
    private static Actor person(SignedIn who, Device device) {
        var impersonator = who.token().impersonator();
        return Actor.person(who.project().id(), who.user().id().value(), device.ipAddress(), device.userAgent())
                .impersonatedBy(impersonator == null ? null : impersonator.value());
    }
}
