package dev.vestibule.mail;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.RateLimitState;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.journal.Notifier;
import dev.vestibule.mail.EmailChangeStore.Pending;
import dev.vestibule.mail.EmailChangeStore.Requests;
import dev.vestibule.project.Language;
import dev.vestibule.project.MailedToken;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Email changes, which mails prove: a code to the new address confirms the change, and for a week a token to the old
 * address can undo it. The same kind of token undoes other changes that would let a thief stay in the account, such as
 * a new second factor; it restores the email that the account had then, since a thief might change that next. All
 * methods with a transaction need the lock of the user's row, so that one of two simultaneous calls sees what the other
 * did.
 */
public final class EmailChanges {
    /** How long a change can be undone. */
    public static final int UNDO_DAYS = 7;

    /** How long a request stays pending, which is longer than its mail may wait for an SMTP server. */
    private static final Duration PENDING = Duration.ofDays(3);

    private static final String UNDO_PREFIX = "undo_";
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final int MAX_IN_WINDOW = 10;
    private static final int MAX_TRIES = 5;
    private final EmailChangeStore store = new EmailChangeStore();
    private final EmailCodes codes;
    private final MailOutbox outbox;
    private final KeyedHash codeHash;
    private final KeyedHash undoSecret;
    private final WrongCodeBudget budget;
    private final LimitSettings limits;
    private final Clock clock;

    EmailChanges(MasterKeys masterKeys, EmailCodes codes, MailOutbox outbox, LimitSettings limits, Clock clock) {
        this.codes = codes;
        this.outbox = outbox;
        this.codeHash = new KeyedHash(masterKeys, "codes of email changes");
        this.undoSecret = new KeyedHash(masterKeys, "undoing of email changes");
        this.budget = new WrongCodeBudget(masterKeys, limits, clock);
        this.limits = limits;
        this.clock = clock;
    }

    /**
     * Queues the code, and replaces the user's earlier request. Looks up nothing about the new address: whether it
     * belongs to another account is checked when the mail is due, and decides if a code is sent. If the address has
     * used up its quota of mails and already waits for a code, that code stays valid.
     */
    public Future<Void> request(SqlClient transaction, User user, String newEmail, Language language) {
        var project = user.projectId();
        var id = UuidCreator.getTimeOrderedEpoch();
        var now = clock.instant();
        return requireBudget(transaction, user, now)
                .compose(allowed -> outbox.requestEmailChange(transaction, project, id, newEmail, language))
                .compose(queued -> store.replace(transaction, project, user.id(), newEmail, queued))
                .compose(replaced ->
                        store.insert(transaction, project, id, user.id(), newEmail, now, now.plus(PENDING)));
    }

    /**
     * Limits the requests of an account, whatever addresses they name, so that it cannot make this server mail many
     * strangers.
     */
    private Future<Void> requireBudget(SqlClient transaction, User user, Instant now) {
        return limits.enabled()
                ? store.countSince(transaction, user.projectId(), user.id(), true, now.minus(WINDOW))
                        .compose(requests -> requests.count() < MAX_IN_WINDOW
                                ? Future.succeededFuture()
                                : Future.failedFuture(exhausted(requests, now)))
                : Future.succeededFuture();
    }

    private static ApiException exhausted(Requests requests, Instant now) {
        var first = Objects.requireNonNull(requests.first());
        return ApiException.tooManyRequests(
                ErrorCode.TOO_MANY_EMAIL_CHANGES,
                "Too many changes of the email. Try again later.",
                Duration.between(now, first.plus(WINDOW)),
                new RateLimitState("email-changes", MAX_IN_WINDOW, WINDOW, 0));
    }

    /**
     * A code for the mail that is about to be sent; empty if the change was replaced, or another account has the
     * address.
     */
    Future<Optional<String>> issueCode(SqlClient db, ProjectId project, UUID change) {
        var code = CodePurpose.EMAIL_CHANGE.newCode();
        var hash = Buffer.buffer(codeHash.hash(message(project, change, code)));
        return store.setCode(db, project, change, hash, clock.instant().plus(CodePurpose.EMAIL_CHANGE.lifetime()))
                .map(isSet -> isSet ? Optional.of(CodePurpose.EMAIL_CHANGE.readable(code)) : Optional.empty());
    }

    /** A change whose code was right. */
    public record Proved(UUID change, String newEmail) {}

    /**
     * Counts the attempt, and compares the code; a 429 after too many wrong ones. The network is the client's. The
     * caller must commit the transaction even if the code is wrong, or the attempt would not count.
     */
    public Future<Optional<Proved>> redeem(
            SqlClient transaction, ProjectId project, UserId user, String code, Buffer network) {
        return store.countTry(transaction, project, user)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : compare(transaction, project, user, found.get(), code, network));
    }

    private Future<Optional<Proved>> compare(
            SqlClient transaction, ProjectId project, UserId asker, Pending pending, String code, Buffer network) {
        var attempt = budget.ofChange(project, asker, codes.hashAddress(pending.newEmail()), network);
        return budget.require(transaction, attempt)
                .compose(allowed -> isRight(project, pending, code)
                        ? Future.succeededFuture(Optional.of(new Proved(pending.id(), pending.newEmail())))
                        : budget.countWrong(transaction, attempt, pending.tries() <= MAX_TRIES)
                                .map(Optional.empty()));
    }

    private boolean isRight(ProjectId project, Pending pending, String code) {
        var hash = pending.codeHash();
        var expiresAt = pending.codeExpiresAt();
        return hash != null
                && expiresAt != null
                && expiresAt.isAfter(clock.instant())
                && pending.tries() <= MAX_TRIES
                && codeHash.matches(message(project, pending.id(), code), hash.getBytes());
    }

    /** Uses up the code, and stores the user's old email so that it can be restored; returns the token for that. */
    public Future<String> apply(SqlClient transaction, Proved proved, User before) {
        var project = before.projectId();
        var now = clock.instant();
        return store.apply(
                        transaction,
                        project,
                        proved.change(),
                        before.email(),
                        before.emailVerified(),
                        now,
                        now.plus(Duration.ofDays(UNDO_DAYS)))
                .map(made -> token(project, proved.change()));
    }

    private String token(ProjectId project, UUID change) {
        return new MailedToken(project, change, undoSecret.hash(MailedToken.name(project, change))).text(UNDO_PREFIX);
    }

    /**
     * The notice with the token, and with a link to the project's page that asks for confirmation and posts the token,
     * if there is one.
     */
    public static Notice withUndo(Notice notice, Project project, String token) {
        var page = project.emailUndoUrl();
        return notice.withUndo(token, UNDO_DAYS, page == null ? null : ResetLink.with(page, "token=" + token));
    }

    /**
     * Queues notices of a new factor or another new way to sign in, with a token that undoes it. Sends nothing to an
     * address that is not verified, which may be a stranger's, and at most ten an hour: the tokens of these also undo
     * what was added later.
     */
    public Notifier to(Project project, User user, Notice notice, Language language) {
        var email = user.email();
        return email == null || !user.emailVerified()
                ? (transaction, kind) -> Future.succeededFuture()
                : (transaction, kind) -> queue(transaction, project, user, email, kind, notice, language);
    }

    private Future<Void> queue(
            SqlClient transaction,
            Project project,
            User user,
            String email,
            NoticeKind kind,
            Notice notice,
            Language language) {
        var added = notice.at();
        return store.countSince(transaction, project.id(), user.id(), false, added.minus(WINDOW))
                .compose(recent -> {
                    if (recent.count() >= MAX_IN_WINDOW) {
                        return Future.succeededFuture();
                    }
                    var id = UuidCreator.getTimeOrderedEpoch();
                    var end = added.plus(Duration.ofDays(UNDO_DAYS));
                    var undoable = withUndo(notice, project, token(project.id(), id));
                    return store.insertUndoable(transaction, project.id(), id, user.id(), email, kind, added, end)
                            .compose(inserted ->
                                    outbox.to(user, undoable, language).tell(transaction, kind));
                });
    }

    /** What a token of this project restores; a 401 with the same message, whatever is wrong with the token. */
    public Future<Undo> find(SqlClient db, ProjectId project, String token) {
        var parsed = MailedToken.parse(UNDO_PREFIX, token)
                .filter(found -> found.project().equals(project))
                .filter(found -> undoSecret.matches(MailedToken.name(project, found.id()), found.secret()));
        return parsed.isEmpty()
                ? Future.failedFuture(unknownToken())
                : store.findUndoable(db, project, parsed.get().id(), clock.instant())
                        .map(found -> found.orElseThrow(EmailChanges::unknownToken));
    }

    private static ApiException unknownToken() {
        return ApiException.of(ErrorCode.INVALID_LINK, "The token is wrong, was used, or has expired.");
    }

    /**
     * Uses up the token, and invalidates those of later changes: undoing a change also undoes what the same person did
     * afterwards. Tokens of earlier changes stay valid.
     */
    public Future<Void> voidFrom(SqlClient transaction, ProjectId project, Undo undo) {
        return store.removeFrom(transaction, project, undo.user(), undo.position());
    }

    /**
     * Ends the user's pending change: anyone who requested it proved only the old password. Tokens that undo changes
     * stay valid.
     */
    public Future<Void> endPending(SqlClient transaction, ProjectId project, UserId user) {
        return store.replace(transaction, project, user, "", true);
    }

    /** Invalidates all tokens of the user and the pending change: the application has set the email itself. */
    public Future<Void> forget(SqlClient transaction, ProjectId project, UserId user) {
        return store.removeFrom(transaction, project, user, 0);
    }

    /** Deletes changes that can no longer be completed or undone; maintenance calls this regularly. */
    public Future<Void> purge(Database database) {
        var now = clock.instant();
        return EmailChangeStore.EXPIRED.remove(database, now);
    }

    private static byte[] message(ProjectId project, UUID change, String code) {
        return String.join("\n", project.toString(), change.toString(), code).getBytes(StandardCharsets.UTF_8);
    }
}
