package dev.vestibule.authentication.passkey;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.authentication.passkey.PasskeyChallengeStore.PendingSignIn;
import dev.vestibule.authentication.passkey.PasskeyNotifier.ChangeContext;
import dev.vestibule.authentication.passkey.PasskeyRegistration.Descriptor;
import dev.vestibule.authentication.passkey.PasskeyStore.StoredPasskey;
import dev.vestibule.authentication.passkey.PasskeyVerifier.Assertion;
import dev.vestibule.authentication.passkey.PasskeyVerifier.PresentedAssertion;
import dev.vestibule.authentication.passkey.PasskeyVerifier.SignedChallenge;
import dev.vestibule.authentication.passkey.RefusedPasskeyException.Reason;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.telemetry.metrics.FactorMeters;
import dev.vestibule.telemetry.metrics.FactorMeters.Ceremony;
import dev.vestibule.telemetry.metrics.FactorMeters.Outcome;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Signs in with a passkey, in two steps: a challenge, and what an authenticator has signed. The first step does not
 * reveal whether an email has passkeys, and the response to an unknown passkey does not reveal which passkeys exist.
 */
final class PasskeySignIn {
    /** The options of {@code navigator.credentials.get} (WebAuthn Level 3, 5.5), bytes as base64url. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Options(
            String challenge, String rpId, long timeout, List<Descriptor> allowCredentials, String userVerification) {}

    /** The user handle is null or empty if the authenticator sent none. */
    record Request(
            Project project,
            SignedChallenge signed,
            @Nullable Buffer userHandle,
            ChangeContext context) {
        @Override
        public String toString() {
            return "PasskeySignIn.Request[" + project.id() + "]";
        }
    }

    private final Database database;
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final PasskeyStore store = new PasskeyStore();
    private final PasskeyChallenges challenges;
    private final DecoyPasskeys decoys;
    private final PasskeyChecks checks;
    private final PasskeyNotifier news;
    private final FactorMeters meters;
    private final Clock clock;

    PasskeySignIn(
            Database database,
            SessionStore sessions,
            PasskeyChallenges challenges,
            DecoyPasskeys decoys,
            PasskeyChecks checks,
            PasskeyNotifier news,
            FactorMeters meters,
            Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.challenges = challenges;
        this.decoys = decoys;
        this.checks = checks;
        this.news = news;
        this.meters = meters;
        this.clock = clock;
    }

    /** Without an email, the same for everybody: each passkey that an authenticator lists names its user. */
    Future<Options> begin(Project project, @Nullable String email) {
        var party = RelyingParty.of(project);
        return allowed(project, party, email)
                .compose(allowed -> challenges
                        .forSignIn(database.writes(), project.id(), email)
                        .map(challenge -> new Options(
                                base64(challenge),
                                party.id(),
                                PasskeyChallenges.LIFETIME.toMillis(),
                                allowed,
                                "preferred")));
    }

    /** The decoys are computed for everybody, so that the timing does not reveal who needs them. */
    private Future<List<Descriptor>> allowed(Project project, RelyingParty party, @Nullable String email) {
        if (email == null) {
            return Future.succeededFuture(List.of());
        }
        return store.credentialIdsForEmail(database.reads(), project.id(), email, party.id())
                .map(own -> {
                    var others = decoys.of(project.id(), email);
                    return (own.isEmpty() ? others : own)
                            .stream()
                                    .map(id -> new Descriptor(base64(id.getBytes()), "public-key"))
                                    .toList();
                });
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** What was signed, by which passkey, and the sign in that it answers. */
    record Checked(StoredPasskey passkey, Assertion assertion, PendingSignIn begun) {}

    /** Opens a session; a 401 if any check fails. */
    Future<Completed> open(Request request, ApiVariant variant) {
        return check(request).compose(checked -> open(request, variant, checked));
    }

    /** A 401 if any check fails; the challenge is used up in any case. */
    Future<Checked> check(Request request) {
        var party = RelyingParty.of(request.project());
        var project = request.project().id();
        var clientData = ClientData.parse(request.signed().clientDataJson());
        if (clientData.isEmpty()) {
            return Future.failedFuture(refuse(Outcome.REFUSED));
        }
        return challenges
                .takeForSignIn(database.writes(), project, clientData.get().challenge())
                .map(taken -> taken.orElseThrow(() -> refuse(Outcome.EXPIRED)))
                .compose(begun -> {
                    var presented = present(party, clientData.get(), request.signed());
                    return store.find(
                                    database.reads(), project, request.signed().id())
                            .compose(found -> found.map(passkey -> check(request, presented, passkey))
                                    .orElseGet(() -> refuseUnknown(request, presented))
                                    .map(assertion -> new Checked(found.orElseThrow(), assertion, begun)));
                });
    }

    /** Runs before the passkey is looked up, since this error gives the reason. */
    private PresentedAssertion present(RelyingParty party, ClientData clientData, SignedChallenge signed) {
        try {
            return PasskeyVerifier.present(party, clientData, signed);
        } catch (RefusedPasskeyException refused) {
            meters.passkey(Ceremony.SIGN_IN, Outcome.REFUSED);
            throw PasskeyErrors.notPresented(refused.reason());
        }
    }

    /** Waits for a thread and checks a signature, as for a known one. */
    private Future<Assertion> refuseUnknown(Request request, PresentedAssertion presented) {
        return checks.run(request.project().id(), verifier -> verifier.refuseUnknown(presented))
                .recover(failure -> Future.failedFuture(
                        failure instanceof RefusedPasskeyException ? recordUnknown(request) : failure));
    }

    private ApiException recordUnknown(Request request) {
        recordRefusal(request, Target.NONE, "unknown_passkey");
        return refuse(Outcome.REFUSED);
    }

    private ApiException refuse(Outcome outcome) {
        meters.passkey(Ceremony.SIGN_IN, outcome);
        return PasskeyErrors.notSignedIn();
    }

    private static void recordRefusal(Request request, Target target, String reason) {
        request.context().trail().enqueueRefusedSignIn(Logged.SIGN_IN_FAILED, target, Map.of("reason", reason));
    }

    private Future<Assertion> check(Request request, PresentedAssertion presented, StoredPasskey passkey) {
        return checks.run(request.project().id(), verifier -> {
                    var assertion = verifier.verify(presented, passkey.credential());
                    requireOwner(request.userHandle(), passkey);
                    return assertion;
                })
                .recover(failure -> failure instanceof RefusedPasskeyException refused
                        ? refuseKnownOrCloned(request, passkey, refused.reason())
                        : Future.failedFuture(failure));
    }

    private Future<Assertion> refuseKnownOrCloned(Request request, StoredPasskey passkey, Reason reason) {
        return reason == Reason.CLONED
                ? refuseCloned(request, passkey)
                : Future.failedFuture(refuseKnown(request, passkey, reason));
    }

    private static void requireOwner(@Nullable Buffer userHandle, StoredPasskey passkey) {
        if (userHandle != null && userHandle.length() > 0 && !userHandle.equals(passkey.handle())) {
            throw new RefusedPasskeyException(Reason.WRONG);
        }
    }

    private ApiException refuseKnown(Request request, StoredPasskey passkey, Reason reason) {
        recordRefusal(
                request,
                Target.user(passkey.user().value()),
                "passkey_" + reason.name().toLowerCase(Locale.ROOT));
        return refuse(Outcome.REFUSED);
    }

    /** The signature is valid, so somebody else may have copied the owner's key; the owner is told. */
    private <T> Future<T> refuseCloned(Request request, StoredPasskey passkey) {
        var project = request.project().id();
        return database.inTransaction(transaction -> users.lock(transaction, project, passkey.user())
                        .compose(found -> found.isEmpty()
                                ? Future.succeededFuture()
                                : news.cloned(transaction, found.get().user(), passkey.id(), request.context())))
                .compose(notified -> Future.failedFuture(refuse(Outcome.CLONED)));
    }

    private Future<Completed> open(Request request, ApiVariant variant, Checked checked) {
        return database.inTransaction(transaction -> users.lock(
                        transaction, request.project().id(), checked.passkey().user())
                .map(found -> found.orElseThrow(() -> refuse(Outcome.REFUSED)))
                .map(account -> requireAllowed(request, account))
                .compose(account -> use(transaction, request, account, checked)
                        .compose(authentication -> afterUse(transaction, account, checked)
                                .compose(used -> open(transaction, request, variant, used, authentication)))));
    }

    /** The first use that verifies the person makes the passkey a second factor, which the new session must reflect. */
    private Future<Account> afterUse(SqlConnection transaction, Account account, Checked checked) {
        return PasskeyStore.firstVerified(checked.passkey(), checked.assertion())
                ? users.lock(
                                transaction,
                                account.user().projectId(),
                                account.user().id())
                        .map(found -> found.orElseThrow(UserErrors::beingChanged))
                : Future.succeededFuture(account);
    }

    private static Account requireAllowed(Request request, Account account) {
        var target = Target.user(account.user().id().value());
        if (account.user().isBanned()) {
            recordRefusal(request, target, "banned");
            throw UserErrors.banned();
        }
        if (request.project().requireEmailVerification() && !account.user().emailVerified()) {
            recordRefusal(request, target, "email_not_verified");
            throw ApiException.of(
                    ErrorCode.VERIFICATION_REQUIRED,
                    "The email of this account is not verified yet. Sign in with the password, and"
                            + " verify it with the code that is mailed then.");
        }
        return account;
    }

    /**
     * Uses it for the account, whose row the transaction has locked, and says what it proves: a 401 if it belongs to
     * another account, and a 403 if the account needs two factors and it was only one.
     */
    Future<Authentication> use(SqlConnection transaction, Request request, Account account, Checked checked) {
        var passkey = checked.passkey();
        // WebAuthn Level 3, 7.2, step 5: a sign in that began with an email opens no one else's session.
        if (!passkey.user().equals(account.user().id()) || !challenges.isFor(checked.begun(), account.user())) {
            throw refuseKnown(request, passkey, Reason.WRONG);
        }
        var assertion = checked.assertion();
        if (!assertion.userVerified()
                && (account.hasSecondFactor(request.project())
                        || request.project().factors().requiresMfa())) {
            recordRefusal(request, Target.user(passkey.user().value()), "second_factor_needed");
            throw ApiException.of(
                    ErrorCode.USER_VERIFICATION_REQUIRED,
                    "This account needs a second factor, and the passkey did not verify the user."
                            + " Unlock the passkey with its PIN, fingerprint or face, or sign in with the password.");
        }
        var now = clock.instant();
        // The second of two concurrent uses with the same count looks like a clone.
        return store.use(transaction, request.project().id(), passkey, assertion, now)
                .map(used -> {
                    if (!used) {
                        throw refuseKnown(request, passkey, Reason.WRONG);
                    }
                    meters.passkey(Ceremony.SIGN_IN, Outcome.ACCEPTED);
                    return Authentication.byPasskey(assertion.backupEligible(), assertion.userVerified(), now);
                })
                .compose(authentication -> PasskeyStore.firstVerified(passkey, assertion)
                        ? news.becameFactor(transaction, request.project(), account.user(), request.context(), now)
                                .map(authentication)
                        : Future.succeededFuture(authentication));
    }

    private Future<Completed> open(
            SqlConnection transaction,
            Request request,
            ApiVariant variant,
            Account account,
            Authentication authentication) {
        var session = SessionId.next();
        var device = request.context().device();
        var signIn = SignIn.withoutPassword(session, variant, account, device, authentication);
        return sessions.open(transaction, request.project(), signIn)
                .map(opened -> opened.orElseThrow(UserErrors::beingChanged))
                .compose(opened -> news.signedIn(transaction, opened, request.context()))
                .map(user -> new Completed(session, authentication, user));
    }
}
