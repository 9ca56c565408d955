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
 * Where a mail is asked for. No account is looked up, so neither the answer nor its time can tell whether the address
 * has one; who gets a mail is found out when it is sent. An address gets at most one mail of a purpose a minute, and
 * ten an hour; what is asked for beyond that is passed over in silence.
 */
public final class MailOutbox {
    static final String WAKE_UP = "vestibule.mail";
    static final Duration WINDOW = Duration.ofHours(1);
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int MOST_IN_WINDOW = 10;

    private final MailStore store = new MailStore();
    private final Vertx vertx;
    private final EmailCodes codes;
    private final boolean delivers;
    private final Clock clock;

    /** Mails are delivered where there is an SMTP server, and else shown to a developer. */
    public MailOutbox(Vertx vertx, EmailCodes codes, boolean delivers, Clock clock) {
        this.vertx = vertx;
        this.codes = codes;
        this.delivers = delivers;
        this.clock = clock;
    }

    /** Asks for a mail as far as the address may get one. */
    public Future<Void> request(SqlClient db, Project project, CodePurpose purpose, String email, Language language) {
        return request(db, project.id(), purpose, email, language, false);
    }

    /**
     * Asks for the first mail of a new account; nothing where no code is needed and no mail can be delivered. What
     * strangers asked for in the name of the address before there was an account does not count.
     */
    public Future<Void> requestFirstVerification(
            SqlClient transaction, Project project, String email, Language language) {
        return needsVerificationMail(project)
                ? request(transaction, project.id(), CodePurpose.VERIFICATION, email, language, true)
                : Future.succeededFuture();
    }

    private boolean needsVerificationMail(Project project) {
        return project.requireEmailVerification() || (delivers && !project.id().equals(ProjectId.SYSTEM));
    }

    private Future<Void> request(
            SqlClient db, ProjectId project, CodePurpose purpose, String email, Language language, boolean first) {
        var now = clock.instant();
        var quota = new MailStore.Quota(now.minus(PAUSE), now.minus(WINDOW), MOST_IN_WINDOW, first);
        return store.request(db, project, codes.address(email), purpose, email, language, quota, now);
    }

    /** Removes what is kept of an address whose user is being deleted. */
    public Future<Void> forget(SqlClient transaction, ProjectId project, String email) {
        return codes.forget(transaction, project, email)
                .compose(forgotten -> store.removeAll(transaction, project, email));
    }

    /** To be called once the request is committed; a wake-up that is lost only delays the mail. */
    public void wakeUp() {
        vertx.eventBus().publish(WAKE_UP, "");
    }

    /** The same, for the first mail of a new account. */
    public void wakeUpAfterSignUp(Project project) {
        if (needsVerificationMail(project)) {
            wakeUp();
        }
    }
}
