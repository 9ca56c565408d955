package dev.vestibule.mail;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.RateLimitState;
import dev.vestibule.mail.EmailChangeStore.Pending;
import dev.vestibule.mail.EmailChangeStore.Requests;
import dev.vestibule.project.Language;
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
 * Changes of emails, as far as mails prove them: by a code to the new address, and for a week by a token to the old one that
 * takes the change back. The same token undoes another change by which a thief would stay, such as a new second factor: it
 * restores the email that the account had then, since a thief may change that next. All methods with a transaction need the lock of the user's row in it, so that of two at once one
 * sees what the other did.
 */
public final class EmailChanges {
    /** How long a change can be undone. */
    public static final int UNDO_DAYS = 7;

    /** How long a request waits, which is longer than its mail may wait for an SMTP server. */
    private static final Duration PENDING = Duration.ofDays(3);

    private static final Duration WINDOW = Duration.ofHours(1);
    private static final int MAX_IN_WINDOW = 10;
    private static final int MAX_TRIES = 5;
    private static final int BATCH = 1000;

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
     * Queues the code, and replaces the change that the user had asked for before. Looks nothing up about the new address:
     * whether it is another account's decides if a code is sent, when it is. If the address has its quota of mails, and
     * waits for a code already, that one stays good.
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

    /** What an account may ask for, whatever the addresses, so that none makes this server mail to many strangers. */
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
                "Too many changes of the email. Try again later.",
                Duration.between(now, first.plus(WINDOW)),
                new RateLimitState("email-changes", MAX_IN_WINDOW, WINDOW, 0));
    }

    /** A code for the mail that is about to be sent; empty if the change was replaced, or another account has the address. */
    Future<Optional<String>> issueCode(SqlClient db, ProjectId project, UUID change) {
        var code = CodePurpose.EMAIL_CHANGE.newCode();
        var hash = Buffer.buffer(codeHash.hash(message(project, change, code)));
        return store.setCode(db, project, change, hash, clock.instant().plus(CodePurpose.EMAIL_CHANGE.lifetime()))
                .map(isSet -> isSet ? Optional.of(CodePurpose.EMAIL_CHANGE.readable(code)) : Optional.empty());
    }

    /** A change whose code was right. */
    public record Proved(UUID change, String newEmail) {}

    /**
     * Counts the try, and compares the code; a 429 where too many wrong ones were tried. The network is the client's. The
     * caller must commit the transaction even if the code is wrong, or the try would not count.
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

    /** Uses up the code, and keeps what the user had, so that it can be restored; returns the token that does so. */
    public Future<String> make(SqlClient transaction, Proved proved, User before) {
        var project = before.projectId();
        var now = clock.instant();
        return store.make(
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
        return new UndoToken(project, change, undoSecret.hash(UndoToken.message(project, change))).text();
    }

    /** The notice with the token and the page that asks its reader and posts the token, if the project has one. */
    public static Notice withUndo(Notice notice, Project project, String token) {
        var page = project.emailUndoUrl();
        return notice.withUndo(token, UNDO_DAYS, page == null ? null : ResetLink.with(page, "token=" + token));
    }

    /**
     * Queues the notice of a factor or another way in that was added at its time, with a token that undoes that. Not to an address that was never
     * verified, which may be a stranger's, and not beyond ten an hour: the tokens of these undo what was added after them too.
     */
    public Future<Void> tellOfFactor(
            SqlClient transaction, Project project, User user, Notice notice, Language language) {
        var email = user.email();
        if (email == null || !user.emailVerified()) {
            return Future.succeededFuture();
        }
        var added = notice.at();
        return store.countSince(transaction, project.id(), user.id(), false, added.minus(WINDOW))
                .compose(told -> {
                    if (told.count() >= MAX_IN_WINDOW) {
                        return Future.succeededFuture();
                    }
                    var id = UuidCreator.getTimeOrderedEpoch();
                    var end = added.plus(Duration.ofDays(UNDO_DAYS));
                    var undoable = withUndo(notice, project, token(project.id(), id));
                    return store.insertMade(transaction, project.id(), id, user.id(), email, notice.kind(), added, end)
                            .compose(inserted -> outbox.notify(transaction, user, undoable, language))
                            .mapEmpty();
                });
    }

    /** What a token of this project restores; a 401 with one message whatever is wrong with it. */
    public Future<Undo> find(SqlClient db, ProjectId project, String token) {
        var parsed = UndoToken.parse(token)
                .filter(found -> found.project().equals(project))
                .filter(found -> undoSecret.matches(UndoToken.message(project, found.change()), found.secret()));
        return parsed.isEmpty()
                ? Future.failedFuture(unknownToken())
                : store.findMade(db, project, parsed.get().change(), clock.instant())
                        .map(found -> found.orElseThrow(EmailChanges::unknownToken));
    }

    private static ApiException unknownToken() {
        return ApiException.unauthorized("The token is wrong, was used, or has expired.");
    }

    /**
     * Uses up the token, and voids those of later changes: who undoes a change undoes what the person did who made it. Those
     * of earlier changes stay good.
     */
    public Future<Void> voidFrom(SqlClient transaction, ProjectId project, Undo undo) {
        return store.removeFrom(transaction, project, undo.user(), undo.position());
    }

    /** Ends the user's pending change: who asked for it had proved the password of before. Tokens that undo one stay good. */
    public Future<Void> endPending(SqlClient transaction, ProjectId project, UserId user) {
        return store.replace(transaction, project, user, "", true);
    }

    /** Voids all tokens of the user and the pending change: the application has set the email itself. */
    public Future<Void> forget(SqlClient transaction, ProjectId project, UserId user) {
        return store.removeFrom(transaction, project, user, 0);
    }

    /** Deletes changes that can no longer be made or undone; maintenance calls it again and again. */
    public Future<Void> purge(Database database) {
        var now = clock.instant();
        return Batches.repeat(() -> store.purge(database.writes(), now, BATCH).map(removed -> removed == BATCH));
    }

    private static byte[] message(ProjectId project, UUID change, String code) {
        return String.join("\n", project.toString(), change.toString(), code).getBytes(StandardCharsets.UTF_8);
    }
}
