package dev.vestibule.authentication;

import dev.vestibule.authentication.SignInStore.FailureKeys;
import dev.vestibule.authentication.SignInStore.SignInLookup;
import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.RateLimitState;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Notice;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.session.SignInNetworks;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.LinkedUser;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks password sign in for an email after too many wrong passwords, on all nodes together (NIST SP 800-63B, 3.2.2).
 * Emails without an account are locked too, so that a lock does not reveal which emails have one. Networks from which
 * the account recently signed in have tries of their own, so that strangers cannot lock out its owner.
 */
public final class SignInLockout {
    /** A wrong password: for whose account, if the email has one, and what the audit log says about it. */
    public record WrongPassword(
            ProjectId project,
            String email,
            Device device,
            Language language,
            Optional<UserId> account,
            String reason) {
        @Override
        public String toString() {
            return "WrongPassword[" + project + "]";
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(SignInLockout.class);
    private static final int BATCH = 1000;

    private final Database database;
    private final SignInStore store = new SignInStore();
    private final KeyedHash emailHash;
    private final SignInNetworks networks;
    private final RefusedAttempts refused;
    private final UserStore users = new UserStore();
    private final MailOutbox mails;
    private final LimitSettings limits;
    private final Clock clock;

    SignInLockout(
            Database database,
            KeyedHash emailHash,
            SignInNetworks networks,
            RefusedAttempts refused,
            MailOutbox mails,
            LimitSettings limits,
            Clock clock) {
        this.database = database;
        this.emailHash = emailHash;
        this.networks = networks;
        this.refused = refused;
        this.mails = mails;
        this.limits = limits;
        this.clock = clock;
    }

    /** The keys under which a wrong password is counted; no row has them while limits are disabled. */
    public FailureKeys keys(ProjectId project, String email, Device device) {
        return new FailureKeys(
                limits.enabled() ? hash(email) : SignIn.NO_FAILURES, networks.key(project, email, device));
    }

    /** The account of an email, and the lock that applies to this try. */
    public Future<SignInLookup> find(ProjectId project, String email, FailureKeys keys) {
        return find(database.reads(), project, email, keys);
    }

    /** Like {@link #find(ProjectId, String, FailureKeys)}, as a transaction sees it. */
    Future<SignInLookup> find(SqlClient db, ProjectId project, String email, FailureKeys keys) {
        return store.find(db, project, email, keys, networks.knownSince(clock.instant()), networks.tries());
    }

    private Buffer hash(String email) {
        return Buffer.buffer(emailHash.hash(email.getBytes(StandardCharsets.UTF_8)));
    }

    /** The error to return while the lock lasts. */
    public Optional<ApiException> error(@Nullable Instant lockedUntil) {
        var now = clock.instant();
        return !limits.enabled() || lockedUntil == null || !lockedUntil.isAfter(now)
                ? Optional.empty()
                : Optional.of(ApiException.tooManyRequests(
                        ErrorCode.ACCOUNT_LOCKED,
                        "Too many failed sign ins. Try again later.",
                        Duration.between(now, lockedUntil),
                        new RateLimitState("failed-signins", limits.failedSignins(), limits.failedSigninWindow(), 0)));
    }

    /**
     * The end of each current lock by its email. It applies in all networks from which the account did not recently
     * sign in.
     */
    public Future<Map<String, Instant>> lockedUntil(SqlClient db, ProjectId project, Stream<String> emails) {
        var byHash = limits.enabled()
                ? emails.collect(Collectors.toMap(this::hash, Function.identity(), (one, same) -> one))
                : Map.<Buffer, String>of();
        if (byHash.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        return store.lockedUntil(db, project, byHash.keySet()).map(found -> {
            var locks = new HashMap<String, Instant>();
            byHash.forEach((hash, email) -> {
                var until = found.get(hash);
                if (until != null && until.isAfter(clock.instant())) {
                    locks.put(email, until);
                }
            });
            return locks;
        });
    }

    /**
     * Counts one more failure. Returns the error of the lock if concurrent requests have used up the allowed failures:
     * otherwise each of many concurrent guesses would learn whether its password is wrong. The failure that begins a
     * lock writes it to the audit log, in the same statement.
     */
    public Future<Optional<ApiException>> recordFailure(WrongPassword wrong, FailureKeys keys) {
        refused.signIn(wrong.project(), wrong.email(), wrong.device(), wrong.account(), wrong.reason());
        if (!limits.enabled()) {
            return Future.succeededFuture(Optional.empty());
        }
        var now = clock.instant();
        var lockedUntil = now.plus(limits.lockTime());
        return store.countFailure(
                        database.writes(),
                        wrong.project(),
                        keys,
                        now,
                        now.minus(limits.failedSigninWindow()),
                        limits.failedSignins(),
                        lockedUntil,
                        refused.lock(wrong.project(), wrong.email(), wrong.device(), wrong.account(), lockedUntil))
                .onSuccess(count -> {
                    if (count.beginsLock()) {
                        notifyOwner(wrong, now);
                    }
                })
                .map(count ->
                        count.failures() > limits.failedSignins() ? error(count.lockedUntil()) : Optional.empty());
    }

    /**
     * Nothing waits for this, so the response takes the same time whether or not there is an account. Anyone who
     * guesses controls neither how often the owner is told (at most once an hour) nor any word of the mail.
     */
    private void notifyOwner(WrongPassword wrong, Instant now) {
        wrong.account()
                .ifPresent(account -> users.find(database.writes(), wrong.project(), account)
                        .map(found -> found.map(LinkedUser::user).filter(user -> !user.isBanned()))
                        .compose(owner -> owner.isEmpty()
                                ? Future.succeededFuture()
                                : mails.to(owner.get(), Notice.of(now, wrong.device()), wrong.language())
                                        .tell(database.writes(), Noticed.ACCOUNT_LOCKED.notice()))
                        .onFailure(
                                failure -> LOG.warn("Cannot tell the owner of an account that it is locked", failure)));
    }

    /** Deletes the failures of one email, also those that were counted before limits were disabled. */
    public Future<Void> clear(SqlClient transaction, ProjectId project, String email) {
        return store.deleteFailures(transaction, project, hash(email));
    }

    /** Deletes failures that are outside the window, and networks that were not seen recently. */
    public Future<Void> purge() {
        var now = clock.instant();
        return Batches.repeat(
                        () -> store.purgeFailures(database.writes(), now.minus(limits.failedSigninWindow()), now, BATCH)
                                .map(removed -> removed == BATCH))
                .compose(purged -> SignInStore.OLD_NETWORKS.remove(database, networks.knownSince(now)));
    }
}
