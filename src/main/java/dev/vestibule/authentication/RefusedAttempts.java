package dev.vestibule.authentication;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.journal.Actor;
import dev.vestibule.journal.AuditEntry;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.Journal;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Records refused attempts with an email in the audit log. Nobody has authenticated, so the target is the account that
 * was tried; an email without an account is recorded as a keyed hash, so that the log is not a list of what people
 * typed.
 */
public final class RefusedAttempts {
    private final Journal journal;
    private final UserStore users = new UserStore();
    private final KeyedHash emailHash;

    RefusedAttempts(Journal journal, MasterKeys masterKeys) {
        this.journal = journal;
        this.emailHash = new KeyedHash(masterKeys, "emails in the audit log");
    }

    /** Records a refused sign in. */
    void signIn(ProjectId project, String email, Device device, Optional<UserId> account, String reason) {
        journal.countRefusedSignIn(project);
        var metadata = Map.of("reason", account.isPresent() ? reason : "unknown_email");
        recordAttempt(Logged.SIGN_IN_FAILED, project, email, device, account, metadata);
    }

    /** The entry that the statement of a failed sign in writes if it locks the account; empty if there is no log. */
    Optional<AuditEntry> lock(
            ProjectId project, String email, Device device, Optional<UserId> account, Instant lockedUntil) {
        return journal.entry(
                project,
                nobody(project, device),
                Noticed.ACCOUNT_LOCKED,
                target(account),
                metadata(email, account, Map.of("lockedUntil", lockedUntil)));
    }

    /**
     * Records a request or a refusal, after looking up whose email it is. Nothing waits for this, so the response takes
     * the same time whether or not there is an account.
     */
    public void recordInBackground(
            SqlClient db, Logged event, ProjectId project, String email, Device device, Map<String, ?> metadata) {
        if (journal.hasLog()) {
            users.idOf(db, project, email)
                    .otherwise(Optional.empty()) // recorded as a hash then
                    .onSuccess(account -> recordAttempt(event, project, email, device, account, metadata));
        }
    }

    /** Records a wrong code of a sign in, like {@link #recordInBackground}. */
    public void signInByCode(SqlClient db, ProjectId project, String email, Device device, Map<String, ?> metadata) {
        journal.countRefusedSignIn(project);
        recordInBackground(db, Logged.CODE_REFUSED, project, email, device, metadata);
    }

    private void recordAttempt(
            Logged event,
            ProjectId project,
            String email,
            Device device,
            Optional<UserId> account,
            Map<String, ?> metadata) {
        new Trail(journal, project, nobody(project, device))
                .enqueue(event, target(account), metadata(email, account, metadata));
    }

    private static Actor nobody(ProjectId project, Device device) {
        return Actor.person(project, null, device.ipAddress(), device.userAgent());
    }

    private static Target target(Optional<UserId> account) {
        return account.map(user -> Target.user(user.value())).orElse(Target.NONE);
    }

    private Map<String, ?> metadata(String email, Optional<UserId> account, Map<String, ?> known) {
        if (account.isPresent()) {
            return known;
        }
        var all = new HashMap<String, Object>(known);
        all.put("emailHash", HexFormat.of().formatHex(emailHash.hash(email.getBytes(StandardCharsets.UTF_8))));
        return all;
    }
}
