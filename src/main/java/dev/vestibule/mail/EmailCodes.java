package dev.vestibule.mail;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.mail.EmailCodeStore.SentCode;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One-time codes which prove that a user reads an email address: 6 digits, valid for 10 minutes and 5 attempts. The
 * database holds only keyed hashes, of codes and of addresses.
 */
public final class EmailCodes {
    /** How far back requests for codes count against the limit of an address. */
    static final Duration REQUEST_WINDOW = Duration.ofHours(1);

    /** Counted from the time at which the mail is sent. */
    public static final Duration LIFETIME = Duration.ofMinutes(10);

    private static final int DIGITS = 6;
    private static final int MAX_ATTEMPTS = 5;
    private static final int BATCH = 1000;
    private static final Pattern FORMAT = Pattern.compile("[0-9]{" + DIGITS + "}");

    private final EmailCodeStore store = new EmailCodeStore();
    private final KeyedHash addressHash;
    private final KeyedHash codeHash;
    private final Clock clock;

    public EmailCodes(MasterKeys masterKeys, Clock clock) {
        this.addressHash = new KeyedHash(masterKeys, "addresses of codes");
        this.codeHash = new KeyedHash(masterKeys, "codes by mail");
        this.clock = clock;
    }

    /** Reads a code from a request. Strips spaces at both ends, which come from copying. */
    public static String parse(String text) {
        var code = text.strip();
        if (!FORMAT.matcher(code).matches()) {
            throw new InvalidValueException("must have " + DIGITS + " digits");
        }
        return code;
    }

    /** The same error for an unknown address and for a wrong, expired or used code. */
    public static ApiException wrongCode() {
        return ApiException.unauthorized("The code is wrong or has expired.");
    }

    /** Creates a code for the address of this user. The previous one is no longer valid. */
    Future<String> issue(SqlClient db, ProjectId project, CodePurpose purpose, String email, UserId user) {
        var code = RandomSecrets.digits(DIGITS);
        var hash = Buffer.buffer(codeHash.hash(message(project, purpose, email, code)));
        var now = clock.instant();
        return store.put(db, project, hashAddress(email), purpose, user, hash, now, now.plus(LIFETIME))
                .map(code);
    }

    /**
     * Counts the attempt, and if the code is right, invalidates it and returns the user to whom it was sent. The caller must
     * commit the transaction in either case, or the attempt would not count.
     */
    public Future<Optional<UserId>> redeem(
            SqlClient transaction, ProjectId project, CodePurpose purpose, String email, String code) {
        var hash = hashAddress(email);
        return store.countAttempt(transaction, project, hash, purpose)
                .map(found -> found.filter(sent -> isRight(sent, message(project, purpose, email, code)))
                        .map(SentCode::user))
                .compose(user -> user.isEmpty()
                        ? Future.succeededFuture(user)
                        : store.clear(transaction, project, hash, purpose).map(user));
    }

    private boolean isRight(SentCode sent, byte[] message) {
        var hash = sent.codeHash();
        var expiresAt = sent.expiresAt();
        return hash != null
                && expiresAt != null
                && codeHash.matches(message, hash.getBytes())
                && sent.attempts() <= MAX_ATTEMPTS
                && expiresAt.isAfter(clock.instant());
    }

    Future<Void> forget(SqlClient db, ProjectId project, String email) {
        return store.remove(db, project, hashAddress(email));
    }

    /** Deletes requests that are more than an hour old; their codes have expired. */
    public Future<Void> purge(Database database) {
        Instant before = clock.instant().minus(REQUEST_WINDOW);
        return Batches.repeat(
                () -> store.purge(database.writes(), before, BATCH).map(removed -> removed == BATCH));
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
