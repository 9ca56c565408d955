package dev.vestibule.mail;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.CrockfordBase32;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.mail.CodeStore.SentCode;
import dev.vestibule.mail.OutboxMessage.QueuedCode;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.session.KnownNetworks;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One-time codes which prove that a user reads an email address, valid for 5 attempts and as long as their purpose
 * says. The database holds only keyed hashes, of codes and of addresses.
 */
public final class EmailCodes {
    /** How far back requests for codes count against the limit of an address. */
    static final Duration REQUEST_WINDOW = Duration.ofHours(1);

    private static final Pattern FORMAT = Pattern.compile("[0-9]{" + CodePurpose.DIGITS + "}");

    private final CodeStore store = new CodeStore();
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
     * Creates the code of a mail that is about to be sent, as the mail shows it; empty if none is needed any more. The
     * previous code becomes invalid, but what strangers ask for does not replace a code that a known network asked for.
     * The user is null for a sign in.
     */
    Future<Optional<String>> issue(SqlClient db, QueuedCode mail, @Nullable UserId user) {
        var project = mail.project();
        var purpose = mail.purpose();
        var keys = keys(mail.recipient());
        var code = purpose.newCode();
        var hash = purpose == CodePurpose.MAGIC_LINK
                ? linkHash(code)
                : Buffer.buffer(codeHash.hash(message(project, purpose, mail.recipient(), code)));
        var isFromKnownNetwork = mail.subject().equals(keys.ofKnownNetworks());
        var endsOthers = isFromKnownNetwork && !CodePurpose.SIGN_INS.contains(purpose);
        return store.send(
                        db,
                        mail,
                        isFromKnownNetwork,
                        user,
                        hash,
                        clock.instant().plus(purpose.lifetime()))
                .compose(isSent -> isSent && endsOthers
                        ? store.end(db, project, List.of(purpose), keys.ofAnyone())
                                .map(true)
                        : Future.succeededFuture(isSent))
                .map(isSent -> isSent ? Optional.of(purpose.readable(code)) : Optional.empty());
    }

    /** Not keyed: nobody can guess 256 bits, and links stay valid after a change of the master secret. */
    static Buffer linkHash(String token) {
        return Buffer.buffer(Sha256.of(token));
    }

    /**
     * Counts the attempt, and compares the code; a 429 after too many wrong ones. Device and network are the client's.
     * The caller must commit the transaction even if the code is wrong, or the attempt would not count.
     */
    Future<RedemptionResult<SentCode>> tryCode(
            SqlClient transaction,
            ProjectId project,
            CodePurpose purpose,
            String email,
            String code,
            Device device,
            Buffer network) {
        return networks.find(transaction, project, email, device).compose(known -> {
            var attempt = budget.attempt(project, hashAddress(email), network, known);
            return store.countTry(transaction, project, keys(email), purpose, known.isPresent())
                    .compose(found -> budget.require(transaction, attempt).compose(refusal -> {
                        var tries = CodeTries.of(found, known.isPresent());
                        var right = right(tries.open(), message(project, purpose, email, code));
                        var result = new RedemptionResult<>(right, refusal);
                        return right.isPresent()
                                ? Future.succeededFuture(result)
                                : budget.countWrong(
                                                transaction,
                                                attempt,
                                                tries.countsForAccount(),
                                                tries.countsForKnownNetwork())
                                        .map(result);
                    }));
        });
    }

    /** Redeems a code that verifies an email, and invalidates it; otherwise like {@link #tryCode}. */
    public Future<RedemptionResult<UserId>> redeemVerification(
            SqlClient transaction, ProjectId project, String email, String code, Device device, Buffer network) {
        var purpose = CodePurpose.VERIFICATION;
        return tryCode(transaction, project, purpose, email, code, device, network)
                .compose(tried -> use(transaction, project, purpose, email, tried.proof())
                        .map(user -> new RedemptionResult<>(user, tried.refusal())));
    }

    /**
     * Redeems a code that is too long to guess, so no number of tries invalidates it: otherwise a stranger could
     * invalidate every code. If it is right, invalidates it and returns the user to whom it was sent.
     */
    public Future<Optional<UserId>> redeem(
            SqlClient transaction, ProjectId project, CodePurpose purpose, String email, String code) {
        return store.countTry(transaction, project, keys(email), purpose, false)
                .compose(found -> use(
                        transaction, project, purpose, email, right(found, message(project, purpose, email, code))));
    }

    private Future<Optional<UserId>> use(
            SqlClient transaction, ProjectId project, CodePurpose purpose, String email, Optional<SentCode> right) {
        var user = right.map(SentCode::user);
        return user.isEmpty()
                ? Future.succeededFuture(user)
                : store.end(transaction, project, List.of(purpose), keys(email).both())
                        .map(user);
    }

    private Optional<SentCode> right(List<SentCode> found, byte[] message) {
        return found.stream()
                .filter(sent -> {
                    var hash = sent.codeHash();
                    return hash != null && codeHash.matches(message, hash.getBytes()) && isFresh(sent);
                })
                .findFirst();
    }

    boolean isFresh(SentCode sent) {
        var expiresAt = sent.expiresAt();
        return expiresAt != null && expiresAt.isAfter(clock.instant());
    }

    /** Deletes the count of an account's wrong codes, so that it has all tries of a day again. */
    public Future<Void> forgetWrong(SqlClient db, ProjectId project, String email) {
        return budget.forget(db, project, hashAddress(email));
    }

    /** Somebody who had an account of an email that was not proved gets no new tries by deleting it. */
    Future<Void> forget(SqlClient db, ProjectId project, String email, boolean isProven) {
        return store.remove(db, project, keys(email))
                .compose(removed ->
                        isProven ? budget.forget(db, project, hashAddress(email)) : Future.succeededFuture());
    }

    /** Invalidates all codes and links that were mailed to the address; the limits of mails and tries stay. */
    public Future<Void> invalidate(SqlClient db, ProjectId project, String email) {
        return store.end(
                db, project, EnumSet.allOf(CodePurpose.class), keys(email).both());
    }

    /** Deletes requests that are more than an hour old; their codes and links have expired. */
    public Future<Void> purge(Database database) {
        return CodeStore.OLD.remove(database, clock.instant().minus(REQUEST_WINDOW));
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
