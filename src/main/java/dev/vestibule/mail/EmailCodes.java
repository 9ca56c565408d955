package dev.vestibule.mail;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.CrockfordBase32;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.mail.EmailCodeStore.SentCode;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.session.KnownNetwork;
import dev.vestibule.session.KnownNetworks;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One-time codes which prove that a user reads an email address, valid for 5 attempts and as long as their purpose
 * says. The database holds only keyed hashes, of codes and of addresses.
 */
public final class EmailCodes {
    /** How far back requests for codes count against the limit of an address. */
    static final Duration REQUEST_WINDOW = Duration.ofHours(1);

    private static final Pattern FORMAT = Pattern.compile("[0-9]{" + CodePurpose.DIGITS + "}");

    private final EmailCodeStore store = new EmailCodeStore();
    private final PasswordlessMailStore passwordless = new PasswordlessMailStore();
    private final KeyedHash addressHash;
    private final KeyedHash codeHash;
    private final WrongCodeBudget budget;
    private final KnownNetworks networks;
    private final Clock clock;

    public EmailCodes(MasterKeys masterKeys, LimitSettings limits, KnownNetworks networks, Clock clock) {
        this.addressHash = new KeyedHash(masterKeys, "addresses of codes");
        this.codeHash = new KeyedHash(masterKeys, "codes by mail");
        this.budget = new WrongCodeBudget(masterKeys, limits, clock);
        this.networks = networks;
        this.clock = clock;
    }

    /** Reads a code that resets a password from a request, as people type it. */
    public static String parseResetCode(String text) {
        return ResetCode.parse(text);
    }

    /** Reads a code of digits from a request, as people type or paste it: in groups, or with spaces around it. */
    public static String parseVerificationCode(String text) {
        var code = CrockfordBase32.canonical(text);
        if (!FORMAT.matcher(code).matches()) {
            throw new InvalidValueException("must have " + CodePurpose.DIGITS + " digits");
        }
        return code;
    }

    /** One error for an unknown address and for a wrong, expired or used code. */
    public static ApiException wrongCode() {
        return ApiException.of(ErrorCode.WRONG_CODE, "The code is wrong or has expired.");
    }

    /**
     * Creates a code for the address of this user, as a mail shows it. The previous one is no longer valid, but one that a
     * known network asked for outlives those that strangers ask for.
     */
    Future<String> issue(
            SqlClient db,
            ProjectId project,
            CodePurpose purpose,
            String email,
            UserId user,
            boolean isFromKnownNetwork) {
        var keys = keys(email);
        var key = isFromKnownNetwork ? keys.ofKnownNetworks() : keys.ofAnyone();
        var code = purpose.newCode();
        var hash = Buffer.buffer(codeHash.hash(message(project, purpose, email, code)));
        var now = clock.instant();
        return store.put(db, project, key, purpose, user, hash, now, isFromKnownNetwork)
                .compose(done -> isFromKnownNetwork
                        ? store.voidCode(db, project, keys.ofAnyone(), purpose)
                        : Future.succeededFuture())
                .map(purpose.readable(code));
    }

    /**
     * Redeems a code that verifies an email; a 429 where too many wrong ones were tried. Device and network are the client's.
     * The caller must commit the transaction even if the code is wrong, or the attempt would not count.
     */
    public Future<RedemptionResult<UserId>> redeemVerification(
            SqlClient transaction, ProjectId project, String email, String code, Device device, Buffer network) {
        return networks.find(transaction, project, email, device)
                .compose(known -> redeemVerification(transaction, project, email, code, known, network));
    }

    private Future<RedemptionResult<UserId>> redeemVerification(
            SqlClient transaction,
            ProjectId project,
            String email,
            String code,
            Optional<KnownNetwork> known,
            Buffer network) {
        var purpose = CodePurpose.VERIFICATION;
        var isKnown = known.isPresent();
        var attempt = budget.attempt(project, hashAddress(email), network, known);
        return store.countAttempt(transaction, project, keys(email), purpose, isKnown)
                .compose(found -> budget.require(transaction, attempt).compose(refusal -> {
                    var tries = CodeTries.of(found, SentCode::count, isKnown);
                    return use(transaction, project, purpose, email, code, tries.open())
                            .compose(user -> (user.isPresent()
                                            ? Future.<Void>succeededFuture()
                                            : budget.countWrong(
                                                    transaction,
                                                    attempt,
                                                    tries.countsForAccount(),
                                                    tries.countsForKnownNetwork()))
                                    .map(new RedemptionResult<>(user, refusal)));
                }));
    }

    /**
     * Redeems a code that nobody guesses, so that no number of tries voids it: else a stranger could void every one. If it is
     * right, invalidates it and returns the user to whom it was sent.
     */
    public Future<Optional<UserId>> redeem(
            SqlClient transaction, ProjectId project, CodePurpose purpose, String email, String code) {
        return store.countAttempt(transaction, project, keys(email), purpose, false)
                .compose(found -> use(transaction, project, purpose, email, code, found));
    }

    private Future<Optional<UserId>> use(
            SqlClient transaction,
            ProjectId project,
            CodePurpose purpose,
            String email,
            String code,
            List<SentCode> found) {
        var user = found.stream()
                .filter(sent -> isRight(sent, message(project, purpose, email, code)))
                .findFirst()
                .map(SentCode::user);
        return user.isEmpty()
                ? Future.succeededFuture(user)
                : store.clear(transaction, project, keys(email), purpose).map(user);
    }

    private boolean isRight(SentCode sent, byte[] message) {
        var hash = sent.codeHash();
        var expiresAt = sent.expiresAt();
        return hash != null
                && expiresAt != null
                && codeHash.matches(message, hash.getBytes())
                && expiresAt.isAfter(clock.instant());
    }

    /** Deletes the count of an account's wrong codes, so that it has all tries of a day again. */
    public Future<Void> forgetWrong(SqlClient db, ProjectId project, String email) {
        return budget.forget(db, project, hashAddress(email));
    }

    Future<Void> forget(SqlClient db, ProjectId project, String email) {
        return store.remove(db, project, keys(email))
                .compose(removed -> passwordless.remove(db, project, keys(email)))
                .compose(removed -> budget.forget(db, project, hashAddress(email)));
    }

    /** No code or link that was mailed to the address is good any more; the limits of mails and tries go on. */
    public Future<Void> invalidate(SqlClient db, ProjectId project, String email) {
        return store.clearAll(db, project, keys(email))
                .compose(cleared -> passwordless.clear(db, project, keys(email)));
    }

    /** Deletes requests that are more than an hour old; their codes and links have expired. */
    public Future<Void> purge(Database database) {
        Instant before = clock.instant().minus(REQUEST_WINDOW);
        return EmailCodeStore.OLD
                .remove(database, before)
                .compose(purged -> PasswordlessMailStore.OLD.remove(database, before));
    }

    /** An address has no line break. */
    AddressKeys keys(String email) {
        return new AddressKeys(hashAddress(email), hashAddress("known networks\n" + email));
    }

    /** The keyed hash under which the database knows an address. */
    Buffer hashAddress(String email) {
        return Buffer.buffer(addressHash.hash(email.getBytes(StandardCharsets.UTF_8)));
    }

    /** The parts are unambiguous, since an email address has no line break. */
    private static byte[] message(ProjectId project, CodePurpose purpose, String email, String code) {
        return String.join("\n", project.toString(), purpose.text(), email, code)
                .getBytes(StandardCharsets.UTF_8);
    }
}
