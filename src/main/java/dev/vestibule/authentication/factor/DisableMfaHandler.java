package dev.vestibule.authentication.factor;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.authentication.factor.Factors.Remover;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.NoticeKind;
import dev.vestibule.project.Project;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserErrors;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/mfa/disable}: by a code, the password alone opens sessions again. */
public final class DisableMfaHandler implements ApiHandler {
    private final CodedChange changes;
    private final Factors factors;
    private final RecentSignIn recent;
    private final Auditor audit;
    private final DeviceReader devices;
    private final FactorNotices notices;

    DisableMfaHandler(
            CodedChange changes,
            Factors factors,
            RecentSignIn recent,
            Auditor audit,
            DeviceReader devices,
            FactorNotices notices) {
        this.changes = changes;
        this.factors = factors;
        this.recent = recent;
        this.audit = audit;
        this.devices = devices;
        this.notices = notices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        recent.requireBesideCode(caller);
        var code = Fields.read(Body.of(ctx), fields -> fields.required("code", FactorCode::parse));
        var trail = audit.of(ctx);
        var device = devices.read(ctx);
        var language = RequestLanguage.of(ctx);
        return changes.run(
                        caller.user(),
                        trail,
                        (transaction, account) -> {
                            requireAnother(caller.project(), account);
                            return factors.check(transaction, account.user(), code, device)
                                    .map(Factors.Verdict::isRight);
                        },
                        (transaction, user) -> factors.remove(transaction, user, Remover.USER)
                                .compose(removed -> trail.record(
                                        transaction,
                                        AuditEvent.FACTOR_DISABLED,
                                        Target.user(user.id().value()),
                                        Factors.TOTP))
                                .compose(recorded ->
                                        notices.tell(transaction, user, NoticeKind.FACTOR_REMOVED, device, language))
                                .map(told -> Reply.success()))
                .onSuccess(done -> notices.wakeUp());
    }

    /** A 409 where the project requires a second factor, and the account has no passkey that is one. */
    private static void requireAnother(Project project, Account account) {
        if (project.factors().requiresMfa() && !account.user().hasPasskeyAsFactor(project)) {
            throw UserErrors.lastSecondFactor();
        }
    }
}
