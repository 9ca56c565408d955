package dev.vestibule.user.key;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.project.Project;
import dev.vestibule.project.ScannableKey;
import dev.vestibule.project.ScannableKey.Kind;
import dev.vestibule.user.key.UserKeyStore.NewKey;
import dev.vestibule.user.key.UserKeyStore.StoredKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates and deletes API keys of any owner; the owner's handler decides who may do that. */
final class KeyChanges {
    private static final int MAX_NAME = 100;
    private static final int MAX_SCOPES = 50;

    /** RFC 6749, 3.3. */
    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,100}");

    private final Database database;
    private final UserKeyStore store = new UserKeyStore();
    private final int maxKeys;
    private final Clock clock;

    KeyChanges(Database database, int maxKeys, Clock clock) {
        this.database = database;
        this.maxKeys = maxKeys;
        this.clock = clock;
    }

    /** A new key with its text, which nobody sees again. */
    record Created(@JsonUnwrapped StoredKey stored, String key) {
        /** Redacted, so that a key never reaches a log. */
        @Override
        public String toString() {
            return "Created";
        }
    }

    /** Reads the fields of a new key. */
    NewKey read(Fields fields) {
        return new NewKey(
                fields.required("name", text -> Text.line(text, MAX_NAME)),
                Objects.requireNonNullElse(
                        fields.optional("scopes", FieldType.strings(MAX_SCOPES, KeyChanges::scope)), List.of()),
                expiry(fields));
    }

    private static String scope(String text) {
        if (!SCOPE.matcher(text).matches()) {
            throw new InvalidValueException("must be names of scopes");
        }
        return text;
    }

    private @Nullable Instant expiry(Fields fields) {
        var given = fields.optional("expiresAt", FieldType.moment());
        if (given != null && !given.isAfter(clock.instant())) {
            fields.reject("expiresAt", "must be in the future");
        }
        return given;
    }

    /**
     * Creates a key.
     *
     * @param lock locks the owner, so that no other request adds a key between the count and the insert
     * @param record says that it was created, with these details
     */
    Future<Created> create(
            Project project,
            KeyOwner owner,
            NewKey fields,
            Function<SqlConnection, Future<Void>> lock,
            BiFunction<SqlConnection, Map<String, ?>, Future<Void>> record) {
        var kind = owner.user() == null ? Kind.ORGANIZATION : Kind.USER;
        var key = ScannableKey.generate(kind, project.environment(), project.id());
        var id = UuidCreator.getTimeOrderedEpoch();
        return database.inTransaction(transaction -> lock.apply(transaction)
                        .compose(locked -> requireRoom(transaction, project, owner))
                        .compose(hasRoom -> store.insert(transaction, id, owner, key, fields, clock.instant()))
                        .compose(created -> record.apply(transaction, Map.of("keyId", id, "scopes", fields.scopes()))
                                .map(created)))
                .map(created -> new Created(created, key.text()));
    }

    private Future<Void> requireRoom(SqlConnection transaction, Project project, KeyOwner owner) {
        return store.count(transaction, project.id(), owner).map(count -> {
            if (count >= maxKeys) {
                throw ApiException.of(
                        ErrorCode.LIMIT_REACHED,
                        "The " + owner.noun() + " already has " + maxKeys + " API keys. Delete one that is not used.");
            }
            return null;
        });
    }

    /** Ends a key at once; a 404 if the owner has no such key. */
    Future<Void> delete(
            Project project,
            Trail trail,
            KeyOwner owner,
            UUID key,
            Function<SqlConnection, Future<Void>> lock,
            Logged fact) {
        return database.inTransaction(transaction -> lock.apply(transaction)
                .compose(locked -> store.delete(transaction, project.id(), owner, key))
                .compose(deleted -> deleted
                        ? trail.record(transaction, fact, owner.target(), Map.of("keyId", key))
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.NOT_FOUND, "The " + owner.noun() + " has no such API key."))));
    }
}
