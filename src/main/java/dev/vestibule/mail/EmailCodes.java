package dev.vestibule.mail;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiError;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.mail.EmailCodeStore.Try;
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
 * One-time codes that prove who reads an address: 6 digits, good for 10 minutes and 5 tries. The database holds keyed
 * hashes alone, of addresses too.
 */
public final class EmailCodes {
    /** From the moment that the mail is sent. */
    public static final Duration LIFETIME = Duration.ofMinutes(10);

    private static final int DIGITS = 6;
    private static final int MOST_TRIES = 5;
    private static final int BATCH = 1000;
    private static final Pattern FORM = Pattern.compile("[0-9]{" + DIGITS + "}");

    private final EmailCodeStore store = new EmailCodeStore();
    private final KeyedHash addressHash;
    private final KeyedHash codeHash;
    private final Clock clock;

    public EmailCodes(MasterKeys masterKeys, Clock clock) {
        this.addressHash = new KeyedHash(masterKeys, "addresses of codes");
        this.codeHash = new KeyedHash(masterKeys, "codes by mail");
        this.clock = clock;
    }

    /** The rule of the field; outer spaces come with copying. */
    public static String parse(String text) {
        var code = text.strip();
        if (!FORM.matcher(code).matches()) {
            throw new InvalidValueException("must have " + DIGITS + " digits");
        }
        return code;
    }

    /** Nothing in it tells whether there is such an address, or ever was such a code. */
    public static ApiException wrongCode() {
        return ApiError.unauthorized("The code is wrong or has expired.");
    }

    /** Makes a code for this user's address, which voids the one before. */
    Future<String> issue(SqlClient db, ProjectId project, CodePurpose purpose, String email, UserId user) {
        var code = RandomSecrets.digits(DIGITS);
        var hash = Buffer.buffer(codeHash.hash(message(project, purpose, email, code)));
        var now = clock.instant();
        return store.put(db, project, address(email), purpose, user, hash, now, now.plus(LIFETIME))
                .map(code);
    }

    /**
     * Counts a try, and uses the code up where it is right; the result is the user that it was sent to. The caller's
     * transaction must be committed whatever the result, else the try would not count.
     */
    public Future<Optional<UserId>> redeem(
            SqlClient transaction, ProjectId project, CodePurpose purpose, String email, String code) {
        var address = address(email);
        return store.countTry(transaction, project, address, purpose)
                .map(tried -> tried.filter(state -> isRight(state, message(project, purpose, email, code)))
                        .map(Try::user))
                .compose(user -> user.isEmpty()
                        ? Future.succeededFuture(user)
                        : store.clear(transaction, project, address, purpose).map(user));
    }

    private boolean isRight(Try state, byte[] message) {
        var hash = state.codeHash();
        var expiresAt = state.expiresAt();
        return hash != null
                && expiresAt != null
                && codeHash.matches(message, hash.getBytes())
                && state.tries() <= MOST_TRIES
                && expiresAt.isAfter(clock.instant());
    }

    Future<Void> forget(SqlClient db, ProjectId project, String email) {
        return store.remove(db, project, address(email));
    }

    /** Forgets the requests of more than an hour ago, whose codes are long expired. */
    public Future<Void> purge(Database database) {
        Instant before = clock.instant().minus(MailOutbox.WINDOW);
        return Batches.repeat(
                () -> store.purge(database.writes(), before, BATCH).map(removed -> removed == BATCH));
    }

    /** Under which an address is known here. */
    Buffer address(String email) {
        return Buffer.buffer(addressHash.hash(email.getBytes(StandardCharsets.UTF_8)));
    }

    /** An email has no line break, so no two of these are the same text. */
    private static byte[] message(ProjectId project, CodePurpose purpose, String email, String code) {
        return String.join("\n", project.toString(), purpose.text(), email, code)
                .getBytes(StandardCharsets.UTF_8);
    }
}
