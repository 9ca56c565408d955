package dev.vestibule.authentication.passkey;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.authentication.passkey.PasskeyChallengeStore.Registration;
import dev.vestibule.authentication.passkey.PasskeyNotifier.ChangeContext;
import dev.vestibule.authentication.passkey.PasskeyStore.Known;
import dev.vestibule.authentication.passkey.PasskeyVerifier.Credential;
import dev.vestibule.authentication.passkey.PasskeyVerifier.NewCredential;
import dev.vestibule.authentication.passkey.RefusedPasskeyException.Reason;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.SessionId;
import dev.vestibule.telemetry.metrics.FactorMeters;
import dev.vestibule.telemetry.metrics.FactorMeters.Ceremony;
import dev.vestibule.telemetry.metrics.FactorMeters.Outcome;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds a passkey for a signed-in user, in two steps: what the authenticator needs, and what it created. */
final class PasskeyRegistration {
    /** Limits the size of responses, and what an authenticator has to handle. */
    static final int MAX_PASSKEYS = 20;

    private static final int HANDLE_BYTES = 32;
    private static final String PUBLIC_KEY = "public-key";

    /** The options of {@code navigator.credentials.create} (WebAuthn Level 3, 5.4), bytes as base64url. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Options(
            Party rp,
            Person user,
            String challenge,
            List<Parameters> pubKeyCredParams,
            long timeout,
            List<Descriptor> excludeCredentials,
            Selection authenticatorSelection,
            String attestation) {}

    record Party(String id, String name) {}

    record Person(String id, String name, String displayName) {}

    record Parameters(String type, long alg) {}

    record Descriptor(String id, String type) {}

    record Selection(String residentKey, boolean requireResidentKey, String userVerification) {}

    /** The user who registers, and their session. */
    record Registrant(Project project, User user, SessionId session) {}

    private final Database database;
    private final ActiveSessionStore sessions = new ActiveSessionStore();
    private final PasskeyStore store = new PasskeyStore();
    private final PasskeyChallenges challenges;
    private final DecoyPasskeys decoys;
    private final PasskeyChecks checks;
    private final PasskeyNotifier news;
    private final FactorMeters meters;
    private final Clock clock;

    PasskeyRegistration(
            Database database,
            PasskeyChallenges challenges,
            DecoyPasskeys decoys,
            PasskeyChecks checks,
            PasskeyNotifier news,
            FactorMeters meters,
            Clock clock) {
        this.database = database;
        this.challenges = challenges;
        this.decoys = decoys;
        this.checks = checks;
        this.news = news;
        this.meters = meters;
        this.clock = clock;
    }

    /** A 409 if the user has the maximum number of passkeys. */
    Future<Options> begin(Registrant registrant, @Nullable String name) {
        var party = RelyingParty.of(registrant.project());
        return database.inTransaction(transaction -> lock(transaction, registrant)
                .compose(user -> begin(transaction, party, user, registrant.session(), name)));
    }

    /** The person may have taken a while, and the owner of the email may have ended this session in the meantime. */
    private Future<User> lock(SqlConnection transaction, Registrant registrant) {
        return sessions.lockAccount(
                        transaction,
                        registrant.project().id(),
                        registrant.session(),
                        registrant.user().id(),
                        clock.instant())
                .map(Account::user);
    }

    private Future<Options> begin(
            SqlConnection transaction, RelyingParty party, User user, SessionId session, @Nullable String name) {
        var project = user.projectId();
        return store.credentialsOf(transaction, project, user.id())
                .map(PasskeyRegistration::requireRoom)
                .compose(existing -> store.handle(
                                transaction, project, user.id(), Buffer.buffer(RandomSecrets.bytes(HANDLE_BYTES)))
                        .compose(handle -> challenges
                                .forRegistration(transaction, project, user.id(), session, name)
                                .map(challenge -> options(party, user, handle, challenge, existing))));
    }

    private static List<Known> requireRoom(List<Known> existing) {
        if (existing.size() >= MAX_PASSKEYS) {
            throw ApiException.of(
                    ErrorCode.LIMIT_REACHED,
                    "This account has " + MAX_PASSKEYS + " passkeys, which is the maximum. Remove one first.");
        }
        return existing;
    }

    private static Options options(
            RelyingParty party, User user, Buffer handle, byte[] challenge, List<Known> existing) {
        return new Options(
                new Party(party.id(), party.name()),
                person(user, handle),
                base64(challenge),
                PasskeyVerifier.ALGORITHMS.stream()
                        .map(algorithm -> new Parameters(PUBLIC_KEY, algorithm))
                        .toList(),
                PasskeyChallenges.LIFETIME.toMillis(),
                existing.stream()
                        .filter(known -> known.rpId().equals(party.id()))
                        .map(known -> new Descriptor(base64(known.credentialId().getBytes()), PUBLIC_KEY))
                        .toList(),
                new Selection("preferred", false, "preferred"),
                "none");
    }

    /** What the authenticator shows when it has several. */
    private static Person person(User user, Buffer handle) {
        var shown = user.displayName() == null ? "Account" : user.displayName();
        var email = user.email();
        return new Person(
                base64(handle.getBytes()),
                email == null ? shown : email,
                user.displayName() == null && email != null ? email : shown);
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A 400 if any check of what the authenticator created fails; the challenge is used up in any case. */
    Future<Passkey> finish(Registrant registrant, NewCredential created, ChangeContext context) {
        var party = RelyingParty.of(registrant.project());
        var clientData = ClientData.parse(created.clientDataJson());
        if (clientData.isEmpty()) {
            return Future.failedFuture(refuse(Outcome.REFUSED, Reason.WRONG));
        }
        return challenges
                .takeForRegistration(
                        database.writes(),
                        registrant.project().id(),
                        clientData.get().challenge(),
                        registrant.user().id(),
                        registrant.session())
                .map(found -> found.orElseThrow(() -> refuse(Outcome.EXPIRED, Reason.WRONG)))
                .compose(taken -> verify(registrant, party, clientData.get(), created)
                        .compose(credential -> keep(registrant, credential, taken, context)))
                .onSuccess(kept -> meters.passkey(Ceremony.REGISTRATION, Outcome.ACCEPTED));
    }

    private Future<Credential> verify(
            Registrant registrant, RelyingParty party, ClientData clientData, NewCredential created) {
        return checks.run(registrant.project().id(), verifier -> verifier.verify(party, clientData, created))
                .recover(failure -> Future.failedFuture(
                        failure instanceof RefusedPasskeyException refused
                                ? refuse(Outcome.REFUSED, refused.reason())
                                : failure));
    }

    private ApiException refuse(Outcome outcome, Reason reason) {
        meters.passkey(Ceremony.REGISTRATION, outcome);
        return PasskeyErrors.notRegistered(reason);
    }

    private Future<Passkey> keep(
            Registrant registrant, Credential credential, Registration registration, ChangeContext context) {
        var made = new Passkey(UuidCreator.getTimeOrderedEpoch(), registration.name(), clock.instant(), null);
        return database.inTransaction(transaction -> lock(transaction, registrant)
                .compose(user -> store.credentialsOf(transaction, user.projectId(), user.id())
                        .map(PasskeyRegistration::requireRoom)
                        .compose(existing -> store.insert(
                                transaction,
                                user.projectId(),
                                user.id(),
                                made.id(),
                                credential,
                                made.name(),
                                made.createdAt()))
                        .map(inserted -> requireNew(inserted && !decoys.isDecoy(user.projectId(), credential.id())))
                        .compose(inserted -> news.added(transaction, registrant.project(), user, made, context))
                        .map(made)));
    }

    /** One error for a decoy and for somebody else's passkey. */
    private static Void requireNew(boolean isNew) {
        if (!isNew) {
            throw ApiException.of(ErrorCode.PASSKEY_ALREADY_REGISTERED, "This passkey is already registered.");
        }
        return null;
    }
}
