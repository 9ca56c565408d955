package dev.vestibule.authentication;

import dev.vestibule.authentication.factor.Factors;
import dev.vestibule.authentication.passkey.Passkeys;
import dev.vestibule.authentication.wallet.Wallets;
import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Trail;
import dev.vestibule.oauth.identity.IdentityStore;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.Session;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What happens when a person has proved, in whatever way, that an account's email is theirs. Until the first proof
 * someone else may have created the account and still be in it: so that proof ends all sessions and removes all
 * identities, wallets and passkeys, and the verification of a phone number. It removes second factors too, or the owner
 * of the email could never sign in; but not those of a person who proves an email in a session, nor those that were set
 * up while the email was verified and that management has since changed or marked unverified. Once an email is
 * verified, no mail to it can remove a factor, except by undoing an email change or a new factor: that removes the
 * factors that were added since.
 */
public final class EmailProof {
    private static final Instant NEVER = Instant.parse("9999-01-01T00:00:00Z");

    private final UserStore users = new UserStore();
    private final IdentityStore identities = new IdentityStore();
    private final Passkeys passkeys = new Passkeys();
    private final Wallets wallets = new Wallets();
    private final SessionStore sessions;
    private final Factors factors;

    public EmailProof(SessionStore sessions, Factors factors) {
        this.sessions = sessions;
        this.factors = factors;
    }

    /**
     * Marks the email as verified, together with a change that the proof allows. The transaction must have held the
     * lock of the user's row since it read the user, so that only one of two concurrent proofs is the first. Open the
     * prover's own session and link their identity after this.
     */
    public Future<User> accept(Trail trail, SqlConnection transaction, User proven, UserChange change, Instant now) {
        return accept(
                trail,
                transaction,
                proven,
                change,
                now,
                () -> endAll(transaction, proven, now)
                        .compose(ended -> proven.secondFactors().areHeld()
                                ? Future.succeededFuture()
                                : factors.removeOfStranger(trail, transaction, proven)));
    }

    private Future<List<Session>> endAll(SqlConnection transaction, User proven, Instant now) {
        return sessions.endAll(transaction, proven.projectId(), proven.id(), EndReason.EMAIL_CLAIMED, now);
    }

    /**
     * Like {@link #accept}, for a person who proves the email in an open session: keeps that session, and the factors.
     */
    public Future<User> acceptInSession(
            Trail trail, SqlConnection transaction, User proven, SessionId prover, Instant now) {
        return acceptInSession(trail, transaction, proven, prover, UserChange.none(), now);
    }

    /** Also makes a change that the proof allows, such as to the email that was proved. */
    public Future<User> acceptInSession(
            Trail trail, SqlConnection transaction, User proven, SessionId prover, UserChange change, Instant now) {
        return accept(
                trail,
                transaction,
                proven,
                change,
                now,
                () -> sessions.endOthers(
                                transaction, proven.projectId(), proven.id(), prover, EndReason.EMAIL_CLAIMED, now)
                        .mapEmpty());
    }

    private Future<User> accept(
            Trail trail,
            SqlConnection transaction,
            User proven,
            UserChange change,
            Instant now,
            Supplier<Future<Void>> clear) {
        // Nobody else can be in an account that has had no email yet.
        var isFirst = !proven.isProven() && proven.email() != null;
        var cleared = !isFirst
                ? Future.<Void>succeededFuture()
                : clear.get()
                        .compose(ended -> unlink(trail, transaction, proven, passkeysFrom(proven)))
                        .compose(unlinked -> unverifyPhone(transaction, proven));
        return cleared.compose(done ->
                        users.update(transaction, proven.projectId(), proven.id(), change.withEmailVerified(), now))
                .map(updated -> updated.orElseThrow(UserErrors::beingChanged))
                .compose(updated -> (isFirst
                                ? trail.record(transaction, Published.EMAIL_VERIFIED, updated)
                                : trail.publish(transaction, EventKind.USER_UPDATED, updated, Map.of()))
                        .map(updated));
    }

    private static Instant passkeysFrom(User proven) {
        return proven.secondFactors().areHeld() ? NEVER : Instant.EPOCH;
    }

    /**
     * Gives the account back to the reader of an email that it had: with that email, and without any session, password,
     * identity, wallet or verified number, since another person may have obtained any of them, and without the second
     * factors and passkeys that were added from {@code since} on. An older one belongs to the owner, and keeps out
     * people who can only read the mails; if a thief added that too, its own notice undoes it. The transaction must
     * hold the lock of the user's row.
     */
    public Future<User> restoreToOwner(
            Trail trail,
            SqlConnection transaction,
            User user,
            UserChange change,
            EndReason reason,
            Instant since,
            Instant now) {
        return sessions.endAll(transaction, user.projectId(), user.id(), reason, now)
                .compose(ended -> unlink(trail, transaction, user, since))
                .compose(unlinked -> factors.removeSetUpSince(trail, transaction, user, since))
                .compose(removed -> unverifyPhone(transaction, user))
                .compose(unverified ->
                        users.update(transaction, user.projectId(), user.id(), change.withoutPassword(), now))
                .map(updated -> updated.orElseThrow(UserErrors::beingChanged))
                .compose(updated -> trail.publish(transaction, EventKind.USER_UPDATED, updated, Map.of())
                        .map(updated));
    }

    /** A verified number can sign in, just like an identity. */
    private Future<Void> unverifyPhone(SqlConnection transaction, User user) {
        return user.phoneVerified()
                ? users.unverifyPhone(transaction, user.projectId(), user.id())
                : Future.succeededFuture();
    }

    /** Removes all identities and wallets, and the passkeys added from a given time on. */
    private Future<Void> unlink(Trail trail, SqlConnection transaction, User user, Instant since) {
        return identities
                .unlinkAll(transaction, user.projectId(), user.id())
                .compose(unlinked -> unlinked.isEmpty()
                        ? Future.succeededFuture()
                        : trail.record(
                                transaction,
                                Published.PROVIDERS_OF_STRANGER_UNLINKED,
                                user,
                                Map.of("providers", unlinked, "reason", "email_claimed"),
                                unlinked.stream()
                                        .map(name -> Map.of("provider", name))
                                        .toList()))
                .compose(recorded -> wallets.removeAll(trail, transaction, user))
                .compose(removed -> passkeys.removeSince(transaction, user, since))
                .compose(removed -> removed == 0
                        ? Future.succeededFuture()
                        : trail.record(
                                transaction,
                                Published.PASSKEYS_OF_STRANGER_REMOVED,
                                user,
                                Map.of("passkeys", removed, "reason", "email_claimed"),
                                Collections.nCopies(removed, Passkeys.DETAILS)));
    }
}
