package dev.vestibule.mail;

import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;

/**
 * Queues mails. It does not look up the account, so neither the response nor its time can reveal whether the address has
 * one; the recipient is looked up when the mail is sent. An address gets at most one mail of each purpose a minute and ten
 * an hour; further requests are ignored silently.
 */
public final class MailOutbox {
    static final String WAKE_UP = "vestibule.mail";
    private static final Duration MIN_INTERVAL = Duration.ofMinutes(1);
    private static final int MAX_IN_WINDOW = 10;

    private final MailStore store = new MailStore();
    private final Vertx vertx;
    private final EmailCodes codes;
    private final boolean delivers;
    private final Clock clock;

    /** {@code delivers} is false if there is no SMTP server and mails are only logged. */
    public MailOutbox(Vertx vertx, EmailCodes codes, boolean delivers, Clock clock) {
        this.vertx = vertx;
        this.codes = codes;
        this.delivers = delivers;
        this.clock = clock;
    }

    /** Queues a mail unless the address has reached its limit. */
    public Future<Void> request(SqlClient db, Project project, CodePurpose purpose, String email, Language language) {
        return request(db, project.id(), purpose, email, language, false).mapEmpty();
    }

    /** Queues the mail with an invitation's token; false if the address has reached its limit. */
    public Future<Boolean> requestInvitation(
            SqlClient transaction, ProjectId project, String email, Language language) {
        return request(transaction, project, CodePurpose.INVITATION, email, language, false);
    }

    /**
     * Queues the first verification mail of a new account, unless no code is needed and no mail can be delivered. Ignores the
     * limit, since others may have used it up by asking for mails before the account existed.
     */
    public Future<Void> requestFirstVerification(
            SqlClient transaction, Project project, String email, Language language) {
        return needsVerificationMail(project)
                ? request(transaction, project.id(), CodePurpose.VERIFICATION, email, language, true)
                        .mapEmpty()
                : Future.succeededFuture();
    }

    private boolean needsVerificationMail(Project project) {
        return project.requireEmailVerification() || delivers;
    }

    private Future<Boolean> request(
            SqlClient db,
            ProjectId project,
            CodePurpose purpose,
            String email,
            Language language,
            boolean ignoresLimit) {
        var now = clock.instant();
        var quota = new MailStore.Quota(
                now.minus(MIN_INTERVAL), now.minus(EmailCodes.REQUEST_WINDOW), MAX_IN_WINDOW, ignoresLimit);
        return store.request(db, project, codes.hashAddress(email), purpose, email, language, quota, now);
    }

    /** Deletes the mails and codes of an address whose user is being deleted. */
    public Future<Void> forget(SqlClient transaction, ProjectId project, String email) {
        return codes.forget(transaction, project, email)
                .compose(forgotten -> store.removeAll(transaction, project, email));
    }

    /** Call this after the commit. A lost wake-up only delays the mail. */
    public void wakeUp() {
        vertx.eventBus().publish(WAKE_UP, "");
    }

    /** Call this after the commit of a sign up. */
    public void wakeUpAfterSignUp(Project project) {
        if (needsVerificationMail(project)) {
            wakeUp();
        }
    }
}
