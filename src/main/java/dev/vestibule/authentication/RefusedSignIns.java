package dev.vestibule.authentication;

import dev.vestibule.audit.Actor;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditLog;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.user.Account;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Notes refused sign ins in the audit log. Nobody has proved who they are, so the account that they tried is the target;
 * an email without an account is told by a keyed hash, so that the log is no list of what people typed.
 */
final class RefusedSignIns {
    private final AuditLog log;
    private final KeyedHash emailHash;

    RefusedSignIns(AuditLog log, MasterKeys masterKeys) {
        this.log = log;
        this.emailHash = new KeyedHash(masterKeys, "emails in the audit log");
    }

    void note(ProjectId project, String email, Device device, Optional<Account> account, String reason) {
        var actor = Actor.person(project, null, device.ipAddress(), device.userAgent());
        var trail = new AuditTrail(log, project, actor);
        if (account.isPresent()) {
            var target = Target.user(account.get().user().id().value());
            trail.note(AuditEvent.SIGN_IN_FAILED, target, Map.of("reason", reason));
        } else {
            trail.note(
                    AuditEvent.SIGN_IN_FAILED,
                    Target.NONE,
                    Map.of("reason", "unknown_email", "emailHash", hash(email)));
        }
    }

    private String hash(String email) {
        return HexFormat.of().formatHex(emailHash.hash(email.getBytes(StandardCharsets.UTF_8)));
    }
}
