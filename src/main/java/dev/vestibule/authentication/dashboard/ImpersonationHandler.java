package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.authentication.dashboard.Impersonations.Request;
import dev.vestibule.http.Body;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** Lets owners of a project act as one of its users. */
public final class ImpersonationHandler {
    private static final int MAX_REASON = 500;

    private final Impersonations impersonations;
    private final DeviceReader devices;
    private final Auditor audit;

    public ImpersonationHandler(Impersonations impersonations, DeviceReader devices, Auditor audit) {
        this.impersonations = impersonations;
        this.devices = devices;
        this.audit = audit;
    }

    /**
     * {@code POST /v1/dashboard/projects/:projectId/users/:userId/impersonate}: tokens with which an owner acts as a
     * user.
     */
    public Future<Reply> impersonate(RoutingContext ctx) {
        var owner = Caller.user(ctx);
        var user = new UserId(PathId.of(ctx, "userId"));
        var reason = Fields.readStrictly(
                Body.of(ctx), fields -> fields.required("reason", text -> Text.line(text, MAX_REASON)));
        return impersonations
                .begin(new Request(
                        Caller.project(ctx),
                        user,
                        owner.user().id(),
                        owner.token().session(),
                        devices.read(ctx),
                        reason,
                        audit.of(ctx)))
                .map(Reply::ok);
    }
}
