package dev.vestibule.authentication.factor;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.NoticeKind;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** {@code POST /v1/auth/mfa/backup-codes/regenerate}: by a code, ten new backup codes in place of the old ones. */
public final class RegenerateBackupCodesHandler implements ApiHandler {
    private record Response(List<String> backupCodes) {
        /** Redacted, so that no code reaches a log. */
        @Override
        public String toString() {
            return "RegenerateBackupCodesResponse";
        }
    }

    private final CodedChange changes;
    private final Factors factors;
    private final RecentSignIn recent;
    private final Auditor audit;
    private final DeviceReader devices;
    private final FactorNotices notices;

    RegenerateBackupCodesHandler(
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
                        (transaction, account) -> factors.check(transaction, account.user(), code, device)
                                .map(Factors.Verdict::isRight),
                        (transaction, user) -> factors.replaceBackupCodes(transaction, user)
                                .compose(codes -> trail.record(
                                                transaction,
                                                AuditEvent.BACKUP_CODES_REGENERATED,
                                                Target.user(user.id().value()))
                                        .compose(recorded -> notices.tell(
                                                transaction, user, NoticeKind.BACKUP_CODES_REPLACED, device, language))
                                        .map(Reply.ok(new Response(codes)))))
                .onSuccess(done -> notices.wakeUp());
    }
}
