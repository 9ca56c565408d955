package dev.vestibule.oauth.identity;

import dev.vestibule.database.SqlFailures;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Actor;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.Journal;
import dev.vestibule.journal.Notifier;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Json;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Links identities at providers to users and records the events for it. */
public final class LinkedIdentities {
    /** Another transaction changed what this one had read, so this one must be retried. */
    public static final class ConcurrentChangeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public ConcurrentChangeException() {
            super("another transaction changed the account or its identities", null, false, false);
        }

        /** Also if the database reports a conflict. */
        public static boolean isConcurrentChange(Throwable failure) {
            return failure instanceof ConcurrentChangeException || SqlFailures.isRace(failure);
        }
    }

    private final IdentityStore store = new IdentityStore();
    private final SealedTokens sealedTokens;
    private final Journal journal;

    public LinkedIdentities(SealedTokens sealedTokens, Journal journal) {
        this.sealedTokens = sealedTokens;
        this.journal = journal;
    }

    /** Empty if no user has linked the identity. */
    public Future<Optional<UserId>> findUser(SqlClient db, ProviderLogin login) {
        return store.findUser(db, login.project().id(), login.identity());
    }

    /**
     * Links the identity to the user, in place of one at an issuer that the project has left; a 409 if the user has
     * another one at the same provider. How it is recorded depends on who must be told.
     */
    public Future<Void> link(
            SqlConnection transaction, ProviderLogin login, User user, Instant now, Recording recording) {
        var identity = login.identity();
        return insert(transaction, login, user, now)
                .compose(linked -> linked
                        ? Future.succeededFuture(true)
                        : store.unlinkOtherIssuers(transaction, login.project().id(), user.id(), identity)
                                .compose(isRoom ->
                                        isRoom ? insert(transaction, login, user, now) : Future.succeededFuture(false)))
                .compose(linked -> linked
                        ? recording.record(
                                trail(login, user),
                                Map.of("provider", identity.provider().name()))
                        : findUser(transaction, login).compose(owner -> Future.failedFuture(conflict(owner))));
    }

    /** Links the identity as {@link #link} does, and tells the owner of the account. */
    public Future<Void> linkAndTell(
            SqlConnection transaction, ProviderLogin login, User user, Instant now, Notifier notifier) {
        return link(
                transaction,
                login,
                user,
                now,
                (trail, details) -> trail.record(transaction, Noticed.PROVIDER_LINKED, user, details, notifier));
    }

    /** Removes another identity of the user at the same provider, to make room for this one; false if there is none. */
    public Future<Boolean> unlinkFormer(SqlConnection transaction, ProviderLogin login, User user) {
        return store.unlinkOtherSubject(transaction, login.project().id(), user.id(), login.identity());
    }

    /** Records that an identity was linked. */
    @FunctionalInterface
    public interface Recording {
        Future<Void> record(Trail trail, Map<String, String> details);
    }

    /** The audit trail of the user whom the provider has authenticated. */
    public Trail trail(ProviderLogin login, User user) {
        var project = login.project().id();
        var device = login.device();
        return new Trail(
                journal, project, Actor.person(project, user.id().value(), device.ipAddress(), device.userAgent()));
    }

    private Future<Boolean> insert(SqlConnection transaction, ProviderLogin login, User user, Instant now) {
        return store.link(transaction, login.project().id(), login.identity(), user.id(), tokens(login), now);
    }

    private static RuntimeException conflict(Optional<UserId> owner) {
        return owner.isPresent()
                ? new ConcurrentChangeException()
                : ApiException.of(
                        ErrorCode.PROVIDER_ALREADY_LINKED, "Another account at this provider is already linked.");
    }

    /** Replaces the stored tokens, or deletes them if the project does not store them. */
    public Future<Void> replaceTokens(SqlClient db, ProviderLogin login) {
        return store.replaceTokens(db, login.project().id(), login.identity(), tokens(login));
    }

    private @Nullable Buffer tokens(ProviderLogin login) {
        if (!login.storesTokens()) {
            return null;
        }
        var identity = login.identity();
        return sealedTokens.seal(
                login.project().id(), identity.provider(), identity.subject(), Json.encode(identity.tokens()));
    }
}
