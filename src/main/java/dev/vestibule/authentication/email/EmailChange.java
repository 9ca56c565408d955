package dev.vestibule.authentication.email;

import dev.vestibule.authentication.EmailProof;
import dev.vestibule.authentication.factor.EnrolmentStarts;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.journal.Notifier;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.EmailChanges.Proved;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.mail.Undo;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.Device;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.user.Account;
import dev.vestibule.user.DomainConnection;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.organization.OrganizationDepartures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Changes an account's email after a code has proved that the user can read it. Undoes that change, or the addition of
 * a factor, for anyone who can read the previous email. Each step locks the user's row first.
 */
public final class EmailChange {
    /** The session in which a user changes the email, and the language of the mails about it. */
    record Person(Project project, User user, SessionId session, Device device, Language language, Trail trail) {}

    private final Database database;
    private final UserStore users = new UserStore();
    private final ActiveSessionStore active = new ActiveSessionStore();
    private final SessionStore sessions;
    private final EmailProof proof;
    private final EmailChanges changes;
    private final EmailCodes codes;
    private final EnrolmentStarts starts;
    private final OrganizationDepartures departures = new OrganizationDepartures();
    private final MailOutbox mails;
    private final Clock clock;

    public EmailChange(
            Database database,
            SessionStore sessions,
            EmailProof proof,
            Mails mails,
            EnrolmentStarts starts,
            Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.proof = proof;
        this.changes = mails.changes();
        this.codes = mails.codes();
        this.starts = starts;
        this.mails = mails.outbox();
        this.clock = clock;
    }

    /**
     * Sends a code to the address, no matter who has it; the last argument refuses the request if the owner has not
     * proved enough.
     */
    Future<Void> request(Person person, String newEmail, Consumer<Account> requireOwner) {
        return requireAllowed(database.reads(), person, person.user(), newEmail)
                .compose(allowed -> mails.takeEmailChange(database.writes(), person.user(), person.device()))
                .compose(taken ->
                        database.inTransaction(transaction -> request(transaction, person, newEmail, requireOwner)))
                .onSuccess(asked -> mails.wakeUp());
    }

    /**
     * Nobody moves an account into or out of a domain that requires its organization's connection. If one moved in, a
     * session from another way to sign in would become one of the domain. If one moved out, a person whom the
     * organization can no longer keep out would stay in the account, and stay a member.
     */
    private Future<Void> requireAllowed(SqlClient db, Person person, User before, String newEmail) {
        var project = person.project().id();
        var connections = sessions.connections();
        return connections
                .requireAllowed(db, project, before.email(), null)
                .compose(allowed -> connections.requireAllowed(db, project, newEmail, null));
    }

    private Future<Void> request(
            SqlConnection transaction, Person person, String newEmail, Consumer<Account> requireOwner) {
        return lock(transaction, person)
                .compose(account -> {
                    requireOwner.accept(account);
                    return changes.request(transaction, account.user(), newEmail, person.language());
                })
                .compose(requested -> person.trail()
                        .record(
                                transaction,
                                Noticed.EMAIL_CHANGE_REQUESTED,
                                person.user(),
                                Map.of(),
                                mails.to(person.user(), notice(person, newEmail), person.language())));
    }

    private Future<Account> lock(SqlConnection transaction, Person person) {
        return active.lockAccount(
                transaction,
                person.project().id(),
                person.session(),
                person.user().id(),
                clock.instant());
    }

    /** The user with the new email; a 409 if another account got it first. */
    Future<User> verify(Person person, String code, Buffer network) {
        return database.inTransaction(transaction -> tryOnce(transaction, person, code, network))
                .map(changed -> changed.orElseThrow(() -> refuse(person)))
                .onSuccess(changed -> mails.wakeUp());
    }

    private static ApiException refuse(Person person) {
        var purpose = Map.of("purpose", CodePurpose.EMAIL_CHANGE.text());
        person.trail().enqueue(Logged.CODE_REFUSED, person.user().target(), purpose);
        return EmailCodes.wrongCode();
    }

    /** Succeeds even with a wrong code: the transaction must commit the count of tries. */
    private Future<Optional<User>> tryOnce(SqlConnection transaction, Person person, String code, Buffer network) {
        return lock(transaction, person)
                .compose(account -> changes.redeem(
                                transaction,
                                person.project().id(),
                                person.user().id(),
                                code,
                                network)
                        .compose(proved -> proved.isEmpty()
                                ? Future.succeededFuture(Optional.empty())
                                : applyChange(transaction, person, account.user(), proved.get())
                                        .map(Optional::of)));
    }

    private Future<User> applyChange(SqlConnection transaction, Person person, User before, Proved proved) {
        var project = person.project().id();
        var now = clock.instant();
        var change = UserChange.none().withEmail(proved.newEmail(), true);
        return requireAllowed(transaction, person, before, proved.newEmail())
                .compose(allowed -> starts.remember(
                        transaction, before)) // or a sign up with this email would start a new grace period
                .compose(remembered -> sessions.endOthers(
                        transaction, project, before.id(), person.session(), EndReason.EMAIL_CHANGED, now))
                .compose(ended ->
                        proof.acceptInSession(person.trail(), transaction, before, person.session(), change, now))
                .compose(user -> sessions.rememberNetwork(transaction, user, person.device(), now)
                        .compose(known -> invalidateCodes(transaction, before))
                        .compose(invalidated -> changes.apply(transaction, proved, before))
                        .compose(token -> person.trail()
                                .record(
                                        transaction,
                                        Noticed.EMAIL_CHANGED,
                                        before,
                                        Map.of(),
                                        toOldEmail(person, before, proved.newEmail(), token)))
                        .map(user));
    }

    /**
     * Sends the token to the old address, but only if that was verified: otherwise it may belong to a stranger, and a
     * typo must not make the stranger the owner.
     */
    private Notifier toOldEmail(Person person, User before, String newEmail, String token) {
        var notice = EmailChanges.withUndo(notice(person, newEmail), person.project(), token);
        return mails.to(before, notice, person.language());
    }

    private Notice notice(Person person, String newEmail) {
        return Notice.of(clock.instant(), person.device()).withNewEmail(newEmail);
    }

    private Future<Void> invalidateCodes(SqlConnection transaction, User before) {
        var email = before.email();
        return email == null ? Future.succeededFuture() : codes.invalidate(transaction, before.projectId(), email);
    }

    /** Who undoes a change, from which device, and the language of the mail about it. */
    record UndoContext(Trail trail, Device device, Language language) {}

    /**
     * Restores the email that the token's notice was sent to, and removes every other sign-in method except earlier
     * factors: anyone who changed the email or added a factor may know the password, and hold sessions and identities.
     * A 409 if another account has the email by now.
     */
    Future<Void> undo(Project project, String token, UndoContext undoer) {
        return changes.find(database.reads(), project.id(), token)
                .compose(found ->
                        database.inTransaction(transaction -> undo(transaction, project, found.user(), token, undoer)));
    }

    /** Looks up the token again, since another one may have been used before the lock. */
    private Future<Void> undo(
            SqlConnection transaction, Project project, UserId user, String token, UndoContext undoer) {
        var trail = undoer.trail().as(user.value());
        return users.lock(transaction, project.id(), user)
                .compose(account -> changes.find(transaction, project.id(), token)
                        .compose(found -> restore(
                                        trail,
                                        transaction,
                                        account.orElseThrow(UserErrors::beingChanged)
                                                .user(),
                                        found)
                                .compose(restored -> tellAboutRemovedFactors(transaction, restored, found, undoer))
                                .compose(sent -> trail.record(transaction, undone(found), Target.user(user.value())))));
    }

    private static Logged undone(Undo undo) {
        return undo.notice() == NoticeKind.EMAIL_CHANGED ? Logged.EMAIL_CHANGE_UNDONE : Logged.FACTOR_UNDONE;
    }

    /**
     * Unlike a change, this is possible into and out of a domain that requires its organization's connection: otherwise
     * a thief with an organization of their own would prevent it. A move into the domain opens nothing, since no
     * session or key survives it and only the connection signs in there. With a move out of it, the person leaves the
     * organization, which can no longer keep them out of the account.
     */
    private Future<User> restore(Trail trail, SqlConnection transaction, User user, Undo undo) {
        var change = UserChange.none().withEmail(undo.oldEmail(), undo.oldEmailVerified());
        var reason = undo.notice() == NoticeKind.EMAIL_CHANGED ? EndReason.EMAIL_CHANGED : EndReason.EMAIL_CLAIMED;
        return freeEmail(trail, transaction, user, undo.oldEmail())
                .compose(free -> proof.restoreToOwner(
                        trail, transaction, user, change, reason, undo.requestedAt(), clock.instant()))
                .compose(restored -> leaveDomain(trail, transaction, user, restored))
                .compose(restored -> invalidateCodes(transaction, user)
                        .compose(invalidated -> codes.invalidate(transaction, user.projectId(), undo.oldEmail()))
                        .compose(invalidated -> changes.voidFrom(transaction, user.projectId(), undo))
                        .map(restored));
    }

    private Future<User> leaveDomain(Trail trail, SqlConnection transaction, User before, User restored) {
        var stays = requiring(transaction, restored);
        return requiring(transaction, before)
                .compose(required ->
                        stays.map(after -> required.filter(organization -> !organization.equals(after.orElse(null)))))
                .compose(left -> left.isEmpty()
                        ? Future.succeededFuture(restored)
                        : departures
                                .leave(trail, transaction, restored, left.get())
                                .map(restored));
    }

    /** The organization by whose connection alone people with the user's email sign in. */
    private Future<Optional<UUID>> requiring(SqlClient db, User user) {
        return sessions.connections()
                .findRequired(db, user.projectId(), user.email())
                .map(found -> found.map(DomainConnection::organization));
    }

    /** The reader of the mail may not be the owner, who would miss the factor. */
    private Future<Void> tellAboutRemovedFactors(
            SqlConnection transaction, User restored, Undo undo, UndoContext undoer) {
        var removed = switch (undo.notice()) {
            case FACTOR_ADDED -> Optional.of(NoticeKind.FACTOR_REMOVED);
            case PASSKEY_ADDED -> Optional.of(NoticeKind.PASSKEY_REMOVED);
            default -> Optional.<NoticeKind>empty();
        };
        return removed.isEmpty()
                ? Future.succeededFuture()
                : mails.to(restored, Notice.of(clock.instant(), undoer.device()), undoer.language())
                        .tell(transaction, removed.get());
    }

    /**
     * Takes the email from an account that never verified it: otherwise anyone who changed the email could prevent the
     * owner from undoing that by signing up with the old one. An account that has verified the email keeps it.
     */
    private Future<Void> freeEmail(Trail trail, SqlConnection transaction, User user, String email) {
        var project = user.projectId();
        return users.idOf(transaction, project, email)
                .compose(other -> other.isEmpty() || other.get().equals(user.id())
                        ? Future.succeededFuture()
                        : users.lock(transaction, project, other.get())
                                .compose(found -> found.map(Account::user)
                                        .filter(holder -> email.equals(holder.email()))
                                        .map(holder -> releaseEmail(trail, transaction, holder))
                                        .orElseGet(Future::succeededFuture)));
    }

    private Future<Void> releaseEmail(Trail trail, SqlConnection transaction, User holder) {
        return holder.emailVerified()
                ? Future.failedFuture(ApiException.of(
                        ErrorCode.EMAIL_TAKEN,
                        "Another account has verified this email since."
                                + " Give that account another email or delete it, then undo the change."))
                : proof.restoreToOwner(
                                trail,
                                transaction,
                                holder,
                                UserChange.none().withEmail(null, false),
                                EndReason.EMAIL_CHANGED,
                                clock.instant(),
                                clock.instant())
                        .compose(released -> trail.record(
                                transaction,
                                Logged.EMAIL_RELEASED,
                                released.target(),
                                Map.of("reason", "email_claimed")));
    }
}
