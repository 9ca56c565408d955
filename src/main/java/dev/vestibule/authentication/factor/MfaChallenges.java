package dev.vestibule.authentication.factor;

import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Authentication;
import dev.vestibule.token.SignInResult.EnrolmentRequired;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The first half of a sign in with two factors, as a token: it says that the password, a mailed code or a wallet's
 * signature was right, for example, or that a provider has vouched for the person. It is valid for one session, 5
 * minutes and 5 codes, and only while the account keeps its password, email and phone, until all sessions of the user
 * end or a way to sign in is removed. Another kind of token, valid for 15 minutes, lets a person who has authenticated
 * set up the second factor that the project requires; neither is accepted in place of the other.
 */
public final class MfaChallenges {
    private static final Duration LIFETIME = Duration.ofMinutes(5);
    private static final Duration TO_ENROL = Duration.ofMinutes(15);
    private static final int MAX_TRIES = 5;
    private static final int TOKEN_BYTES = 32;
    private static final int TOKEN_CHARACTERS = 47;
    private final MfaChallengeStore store = new MfaChallengeStore();
    private final Clock clock;

    MfaChallenges(Clock clock) {
        this.clock = clock;
    }

    /**
     * Whether the project requires a second factor that the account does not have, and the time to set it up is over.
     */
    public static boolean mustEnrol(Project project, Account account, Instant now) {
        return !account.hasSecondFactor(project)
                && project.factors()
                        .enrolmentDeadline(account.user().enrolmentStart())
                        .filter(deadline -> !now.isBefore(deadline))
                        .isPresent();
    }

    /** Whether the factor that must be set up has to wait until the email is proved ({@link Factors#setUp}). */
    public static boolean mustVerifyFirst(Project project, Account account, Instant now) {
        return !account.user().canHaveFactor() && mustEnrol(project, account, now);
    }

    /**
     * A token for the account whose password was right; a new hash of that password replaces the one that was checked.
     */
    public Future<String> issue(SqlClient db, Account checked, ApiVariant variant, @Nullable String newHash) {
        return issue(db, checked, variant, newHash, false, List.of(Authentication.PASSWORD), null);
    }

    /** A token for the account whose owner has authenticated with these methods, and not with a password. */
    public Future<String> issueAfter(SqlClient db, Account account, ApiVariant variant, List<String> proved) {
        return issue(db, account, variant, null, false, proved, null);
    }

    /**
     * A token for the account whose owner a provider has identified.
     *
     * @param connectedBy the organization whose connection it was; null for a provider of the project
     */
    public Future<String> issueAfterProvider(
            SqlClient db, Account account, ApiVariant variant, @Nullable UUID connectedBy) {
        return issue(db, account, variant, null, false, List.of(Authentication.PROVIDER), connectedBy);
    }

    /** A token for an account that has no second factor, whose owner has proved the password. */
    public Future<EnrolmentRequired> issueForEnrolment(
            SqlClient db, Account checked, ApiVariant variant, @Nullable String newHash) {
        return issue(db, checked, variant, newHash, true, List.of(Authentication.PASSWORD), null)
                .map(EnrolmentRequired::new);
    }

    /** A token for an account that has no second factor, whose owner has authenticated without a password. */
    public Future<EnrolmentRequired> issueForEnrolment(
            SqlClient db, Account account, ApiVariant variant, Authentication proved) {
        return issueForEnrolment(db, account, variant, proved, null);
    }

    /** A token that also names the organization whose connection has identified the owner, if one has. */
    public Future<EnrolmentRequired> issueForEnrolment(
            SqlClient db, Account account, ApiVariant variant, Authentication proved, @Nullable UUID connectedBy) {
        return issue(db, account, variant, null, true, proved.methods(), connectedBy)
                .map(EnrolmentRequired::new);
    }

    private Future<String> issue(
            SqlClient db,
            Account checked,
            ApiVariant variant,
            @Nullable String newHash,
            boolean enrols,
            List<String> methods,
            @Nullable UUID connectedBy) {
        var token = "mfa_" + Base64.getUrlEncoder().withoutPadding().encodeToString(RandomSecrets.bytes(TOKEN_BYTES));
        return store.insert(
                        db,
                        checked.user().projectId(),
                        hash(token),
                        checked.user().id(),
                        new MfaChallenge(
                                variant,
                                MfaChallenge.digest(checked.user(), newHash == null ? checked.passwordHash() : newHash),
                                enrols,
                                methods,
                                connectedBy),
                        clock.instant().plus(enrols ? TO_ENROL : LIFETIME),
                        checked.passwordHash(),
                        newHash)
                .map(token);
    }

    private static Buffer hash(String token) {
        return Buffer.buffer(Sha256.of(token));
    }

    /** The user whose sign in the token stands for; the caller must lock that user before anything else. */
    public Future<UserId> userOf(SqlClient db, ProjectId project, String token) {
        return userOf(db, project, token, false);
    }

    /** The user whose enrolment the token stands for; the caller must lock that user before anything else. */
    Future<UserId> userToEnrol(SqlClient db, ProjectId project, String token) {
        return userOf(db, project, token, true);
    }

    private Future<UserId> userOf(SqlClient db, ProjectId project, String token, boolean enrols) {
        return token.length() != TOKEN_CHARACTERS
                ? Future.failedFuture(expired())
                : store.userOf(db, project, hash(token), clock.instant(), enrols)
                        .map(found -> found.orElseThrow(MfaChallenges::expired));
    }

    /** Counts a try; the caller must commit the transaction even if the code is wrong. */
    public Future<MfaChallenge> countTry(SqlClient transaction, ProjectId project, String token) {
        return store.countTry(transaction, project, hash(token), clock.instant(), MAX_TRIES)
                .map(found -> found.orElseThrow(MfaChallenges::expired));
    }

    /** Finds the challenge without counting a try, for operations without a code. */
    Future<MfaChallenge> find(SqlClient transaction, ProjectId project, String token) {
        return store.find(transaction, project, hash(token), clock.instant(), MAX_TRIES)
                .map(found -> found.orElseThrow(MfaChallenges::expired));
    }

    /** Removes the token after it has opened its session. */
    public Future<Void> remove(SqlClient transaction, ProjectId project, String token) {
        return store.remove(transaction, project, hash(token));
    }

    /** One error for a token that is unknown, used or expired, or that has no tries left. */
    public static ApiException expired() {
        return ApiException.of(ErrorCode.INVALID_MFA_TOKEN, "The sign in has expired. Sign in again.");
    }

    Future<Void> purge(Database database) {
        return MfaChallengeStore.EXPIRED.remove(database, clock.instant());
    }
}
