package dev.vestibule.oauth.identity;

import dev.vestibule.database.SqlFailures;
import dev.vestibule.error.ApiException;
import dev.vestibule.event.EventKind;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.json.Json;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Links identities at providers to users and records the events for it. */
public final class LinkedIdentities {
    /** Another transaction changed what this one had read, so it must be tried again. */
    static final class ConcurrentChangeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ConcurrentChangeException() {
            super("another transaction changed the account or its identities", null, false, false);
        }

        static boolean isConcurrentChange(Throwable failure) {
            return failure instanceof ConcurrentChangeException || SqlFailures.isRace(failure);
        }
    }

    private final IdentityStore store;
    private final SealedTokenStore sealedTokens;
    private final EventOutbox events;

    public LinkedIdentities(IdentityStore store, SealedTokenStore sealedTokens, EventOutbox events) {
        this.store = store;
        this.sealedTokens = sealedTokens;
        this.events = events;
    }

    /** Empty if no user has linked the identity. */
    Future<Optional<UserId>> findUser(SqlClient db, ProviderLogin login) {
        return store.findUser(db, login.project().id(), login.identity());
    }

    /**
     * Links the identity to the user, in place of one at an issuer that the project has left; a 409 if the user has
     * another one at the same provider.
     */
    Future<Void> link(SqlConnection transaction, ProviderLogin login, User user, Instant now) {
        var identity = login.identity();
        return insert(transaction, login, user, now)
                .compose(linked -> linked
                        ? Future.succeededFuture(true)
                        : store.unlinkOtherIssuers(transaction, login.project().id(), user.id(), identity)
                                .compose(isRoom ->
                                        isRoom ? insert(transaction, login, user, now) : Future.succeededFuture(false)))
                .compose(linked -> linked
                        ? events.record(
                                transaction,
                                ProviderEvents.of(
                                        EventKind.PROVIDER_LINKED,
                                        user,
                                        identity.provider().name(),
                                        now))
                        : findUser(transaction, login).compose(owner -> Future.failedFuture(conflict(owner))));
    }

    private Future<Boolean> insert(SqlConnection transaction, ProviderLogin login, User user, Instant now) {
        return store.link(transaction, login.project().id(), login.identity(), user.id(), tokens(login), now);
    }

    private static RuntimeException conflict(Optional<UserId> owner) {
        return owner.isPresent()
                ? new ConcurrentChangeException()
                : ApiException.conflict("Another account at this provider is already linked.");
    }

    /** Replaces the stored tokens, or deletes them if the project does not store them. */
    Future<Void> replaceTokens(SqlClient db, ProviderLogin login) {
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
