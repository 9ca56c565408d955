package dev.vestibule.oauth.identity;

import dev.vestibule.database.SqlFailures;
import dev.vestibule.error.ApiException;
import dev.vestibule.event.EventKind;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.client.ProviderIdentity;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which identity at a provider is which user; its changes are told to the project's endpoints. */
public final class LinkedIdentities {
    /** Another transaction came between what this one saw and what it did: it has to look again. */
    static final class ConcurrentChangeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ConcurrentChangeException() {
            super("another sign in of the same person came between", null, false, false);
        }

        static boolean isOne(Throwable failure) {
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

    /** Empty where the identity is nobody's yet. */
    Future<Optional<UserId>> userOf(SqlClient db, ProviderLogin login) {
        return store.userOf(
                db,
                login.project().id(),
                login.identity().provider(),
                login.identity().subject());
    }

    /** Makes the identity the user's; a 409 where the user has another one of the same provider. */
    Future<Void> link(SqlConnection transaction, ProviderLogin login, User user, Instant now) {
        var identity = login.identity();
        return store.link(
                        transaction,
                        login.project().id(),
                        identity.provider(),
                        identity.subject(),
                        user.id(),
                        tokens(login),
                        now)
                .compose(linked -> linked
                        ? events.record(
                                transaction,
                                ProviderEvents.of(
                                        EventKind.PROVIDER_LINKED,
                                        user,
                                        identity.provider().name(),
                                        now))
                        : userOf(transaction, login).compose(taken -> Future.failedFuture(refusal(taken))));
    }

    private static RuntimeException refusal(Optional<UserId> taken) {
        return taken.isPresent()
                ? new ConcurrentChangeException()
                : ApiException.conflict("Another account at this provider is linked already.");
    }

    /** What the project keeps of the provider, or no longer keeps. */
    Future<Void> keepTokens(SqlClient db, ProviderLogin login) {
        ProviderIdentity identity = login.identity();
        return store.keepTokens(db, login.project().id(), identity.provider(), identity.subject(), tokens(login));
    }

    /** The names of the providers that this unlinked, of which the caller tells. */
    Future<List<String>> unlinkAll(SqlClient db, ProjectId project, UserId user) {
        return store.unlinkAll(db, project, user);
    }

    private @Nullable Buffer tokens(ProviderLogin login) {
        if (!login.keepsTokens()) {
            return null;
        }
        var identity = login.identity();
        return sealedTokens.seal(
                login.project().id(), identity.provider(), identity.subject(), Json.encode(identity.tokens()));
    }
}
