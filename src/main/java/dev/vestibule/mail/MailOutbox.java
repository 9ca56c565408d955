package dev.vestibule.mail;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.journal.Notifier;
import dev.vestibule.mail.CodeStore.RequestDetails;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.session.KnownNetworks;
import dev.vestibule.session.SessionStore.Opened;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Queues mails. It does not look up the account, so neither the response nor its time can reveal whether the address
 * has one; the recipient is looked up when the mail is sent. Only one statement runs before, to find out whether the
 * account knows the client's network; the response does not reveal its result. An address gets at most one mail of each
 * purpose a minute and ten an hour; further requests are silently ignored.
 */
public final class MailOutbox {
    static final String WAKE_UP = "vestibule.mail";
    private static final Duration MIN_INTERVAL = Duration.ofMinutes(1);
    private static final int MAX_IN_WINDOW = 10;

    /** An account gets one notice of each kind in this time. */
    private static final Duration NOTICE_INTERVAL = Duration.ofHours(1);

    private final CodeStore store = new CodeStore();
    private final MessageStore mails = new MessageStore();
    private final Vertx vertx;
    private final EmailCodes codes;
    private final NoticeStore notices;
    private final KnownNetworks networks;
    private final MailBudget budget;
    private final boolean delivers;
    private final Clock clock;

    /** {@code delivers} is false if there is no SMTP server and mails are only logged. */
    MailOutbox(
            Vertx vertx,
            EmailCodes codes,
            NoticeStore notices,
            KnownNetworks networks,
            MailBudget budget,
            boolean delivers,
            Clock clock) {
        this.vertx = vertx;
        this.codes = codes;
        this.notices = notices;
        this.networks = networks;
        this.budget = budget;
        this.delivers = delivers;
        this.clock = clock;
    }

    /**
     * Queues a mail unless the address has reached its limit, or the client's network or the project has used up its
     * mails of the day; requests from networks that its account knows have separate limits. So a refusal would tell a
     * neighbour whose account knows the network. The device is the requester's; null if it is not the person's own:
     * then a 429 tells the application of a spent budget.
     */
    public Future<Void> request(
            SqlClient db,
            Project project,
            CodePurpose purpose,
            String email,
            Language language,
            @Nullable Device device) {
        return request(db, project, purpose, email, language, device, RequestDetails.NONE);
    }

    /** Like the other one, for a request that says more about the mail. */
    Future<Void> request(
            SqlClient db,
            Project project,
            CodePurpose purpose,
            String email,
            Language language,
            @Nullable Device device,
            RequestDetails details) {
        return networks.find(db, project.id(), email, device)
                .compose(known -> budget.take(db, project.id(), device, known).compose(taken -> {
                    var id = UuidCreator.getTimeOrderedEpoch();
                    var asked = asked(project.id(), id, purpose, email, known.isPresent(), language, details);
                    return store.request(db, asked, quota(false), clock.instant());
                }))
                .<Void>mapEmpty()
                .recover(failure ->
                        device != null && isSpent(failure) ? Future.succeededFuture() : Future.failedFuture(failure));
    }

    private CodeStore.Request asked(
            ProjectId project,
            UUID id,
            CodePurpose purpose,
            String email,
            boolean isFromKnownNetwork,
            Language language,
            RequestDetails details) {
        var keys = codes.keys(email);
        return new CodeStore.Request(
                project,
                id,
                purpose,
                email,
                keys.counted(isFromKnownNetwork),
                keys.of(isFromKnownNetwork),
                language,
                details);
    }

    private static boolean isSpent(Throwable failure) {
        return failure instanceof ApiException error && error.status() == ErrorStatus.TOO_MANY_REQUESTS;
    }

    /**
     * Counts the first mail of an account that is about to be created, outside of the transaction that creates it.
     * Returns whether the mail may be sent; a 429 if it may not and the project requires a verified email.
     */
    public Future<Boolean> takeFirstVerification(SqlClient db, Project project, Device device) {
        return needsVerificationMail(project)
                ? budget.take(db, project.id(), device, Optional.empty())
                        .map(true)
                        .recover(failure -> isSpent(failure) && !project.requireEmailVerification()
                                ? Future.succeededFuture(false)
                                : Future.failedFuture(failure))
                : Future.succeededFuture(false);
    }

    /** Counts a mail to the new address of a user; a 429 if too many were requested today. */
    public Future<Void> takeEmailChange(SqlClient db, User user, Device device) {
        return networks.find(db, user.projectId(), user.email(), device)
                .compose(known -> budget.take(db, user.projectId(), device, known));
    }

    /** Queues the mail with an invitation's token; false if the address has reached its limit. */
    public Future<Boolean> requestInvitation(
            SqlClient transaction, ProjectId project, String email, Language language) {
        return request(transaction, project, CodePurpose.INVITATION, email, language, false);
    }

    /** Queues the mail with this id and the token of an invitation to an organization; false as above. */
    public Future<Boolean> requestOrganizationInvitation(
            SqlClient transaction, ProjectId project, UUID mail, String email, Language language) {
        return request(transaction, project, mail, CodePurpose.ORGANIZATION_INVITATION, email, language, false);
    }

    /**
     * Queues the first verification mail of a new account, which {@link #takeFirstVerification} has allowed. Ignores
     * the limit of the address, since others may have used it up with requests before the account existed.
     */
    public Future<Void> requestFirstVerification(
            SqlClient transaction, Project project, String email, Language language) {
        return request(transaction, project.id(), CodePurpose.VERIFICATION, email, language, true)
                .mapEmpty();
    }

    private boolean needsVerificationMail(Project project) {
        return project.requireEmailVerification() || delivers;
    }

    /**
     * Queues the mail with the code of an email change, with the id of the change; false if the address has reached its
     * limit.
     */
    Future<Boolean> requestEmailChange(
            SqlClient transaction, ProjectId project, UUID change, String email, Language language) {
        return request(transaction, project, change, CodePurpose.EMAIL_CHANGE, email, language, false);
    }

    private Future<Boolean> request(
            SqlClient db,
            ProjectId project,
            CodePurpose purpose,
            String email,
            Language language,
            boolean ignoresLimit) {
        return request(db, project, UuidCreator.getTimeOrderedEpoch(), purpose, email, language, ignoresLimit);
    }

    private Future<Boolean> request(
            SqlClient db,
            ProjectId project,
            UUID id,
            CodePurpose purpose,
            String email,
            Language language,
            boolean ignoresLimit) {
        var asked = asked(project, id, purpose, email, false, language, RequestDetails.NONE);
        return store.request(db, asked, quota(ignoresLimit), clock.instant());
    }

    /** The quota of each address for mails of one kind. */
    private CodeStore.Quota quota(boolean isIgnored) {
        var now = clock.instant();
        return new CodeStore.Quota(
                now.minus(MIN_INTERVAL), now.minus(EmailCodes.REQUEST_WINDOW), MAX_IN_WINDOW, isIgnored);
    }

    /**
     * Queues notices to the user in the transaction of the change, and sends them after the commit. Only a verified
     * address gets one: another may belong to a stranger, who would learn of somebody else's account. None is queued if
     * the project wants none, no mail can be delivered, or the account got one of this kind less than an hour ago.
     */
    public Notifier to(User user, Notice notice, Language language) {
        return user.email() == null || !user.emailVerified()
                ? (transaction, kind) -> Future.succeededFuture()
                : (transaction, kind) -> queue(transaction, user, kind, notice, language);
    }

    /** Notifies the user of a sign in from a new place, in the transaction that opens the session. */
    public Future<User> notifyOfSignIn(SqlClient transaction, Opened opened, Device device, Language language) {
        return opened.isFromNewPlace()
                ? to(opened.user(), Notice.of(clock.instant(), device), language)
                        .tell(transaction, NoticeKind.NEW_SIGN_IN)
                        .map(opened.user())
                : Future.succeededFuture(opened.user());
    }

    private Future<Void> queue(SqlClient transaction, User user, NoticeKind kind, Notice notice, Language language) {
        var now = clock.instant();
        return delivers
                ? notices.queue(transaction, user, kind, notice, language, now, now.minus(NOTICE_INTERVAL))
                        .onSuccess(queued -> {
                            if (queued) {
                                Database.afterCommit(transaction, this::wakeUp);
                            }
                        })
                        .mapEmpty()
                : Future.succeededFuture();
    }

    /** Deletes the limits of notices after an hour. */
    public Future<Void> purge(Database database) {
        var before = clock.instant().minus(NOTICE_INTERVAL);
        return NoticeStore.OLD_QUOTAS.remove(database, before);
    }

    /**
     * Deletes the mails and codes of an address whose user is being deleted, and the count of wrong codes if the
     * address was proved.
     */
    public Future<Void> forget(SqlClient transaction, ProjectId project, String email, boolean isProven) {
        return codes.forget(transaction, project, email, isProven)
                .compose(forgotten -> mails.removeAll(transaction, project, email));
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
