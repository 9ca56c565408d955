package dev.vestibule.authentication.factor;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.authentication.factor.EnrolmentSignIn.Confirmation;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/**
 * {@code POST /v1/auth/mfa/totp/verify-setup}: from now on sign in by password asks for a code. With the token of a sign in
 * that waits for this, it opens the session.
 */
public final class VerifyTotpSetupHandler implements ApiHandler {
    private final CodedChange changes;
    private final Factors factors;
    private final SessionStore sessions;
    private final EnrolmentSignIn enrolment;
    private final RecentSignIn recent;
    private final Auditor audit;
    private final DeviceReader devices;
    private final FactorNotices notices;
    private final Clock clock;

    VerifyTotpSetupHandler(
            CodedChange changes,
            Factors factors,
            SessionStore sessions,
            EnrolmentSignIn enrolment,
            RecentSignIn recent,
            Auditor audit,
            DeviceReader devices,
            FactorNotices notices,
            Clock clock) {
        this.changes = changes;
        this.factors = factors;
        this.sessions = sessions;
        this.enrolment = enrolment;
        this.recent = recent;
        this.audit = audit;
        this.devices = devices;
        this.notices = notices;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        Caller.project(ctx).factors().requireTotp();
        var caller = Caller.userIfAny(ctx);
        return caller.isPresent() ? confirm(ctx, caller.get()) : enrol(ctx);
    }

    private Future<Reply> enrol(RoutingContext ctx) {
        var body = SetUpTotpHandler.body(ctx);
        var token = SetUpTotpHandler.mfaToken(body);
        return enrolment
                .confirm(new Confirmation(
                        Caller.project(ctx),
                        token,
                        Fields.read(body, fields -> fields.required("code", FactorCode::parseTotp)),
                        RequestLanguage.of(ctx),
                        devices.read(ctx),
                        audit.of(ctx)))
                .map(Reply::ok);
    }

    private Future<Reply> confirm(RoutingContext ctx, SignedIn caller) {
        recent.require(caller);
        var code = Fields.read(Body.of(ctx), fields -> fields.required("code", FactorCode::parseTotp));
        var trail = audit.of(ctx);
        var device = devices.read(ctx);
        var language = RequestLanguage.of(ctx);
        var now = clock.instant();
        return changes.run(
                        caller.user(),
                        trail,
                        (transaction, account) -> factors.confirm(transaction, account.user(), code, now),
                        (transaction, user) -> sessions.endOthers(
                                        transaction,
                                        user.projectId(),
                                        user.id(),
                                        caller.token().session(),
                                        EndReason.FACTOR_ADDED,
                                        now)
                                .compose(ended -> sessions.knowNetworkOfFactor(transaction, user, device, now))
                                .compose(known -> trail.record(
                                        transaction,
                                        AuditEvent.FACTOR_SET_UP,
                                        Target.user(user.id().value()),
                                        Factors.TOTP))
                                .compose(recorded ->
                                        notices.tellOfNew(transaction, caller.project(), user, now, device, language))
                                .map(told -> Reply.success()))
                .onSuccess(done -> notices.wakeUp());
    }
}
