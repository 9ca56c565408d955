package dev.vestibule.user;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.FeedCache;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which connection signs in the people of an email's domain, and whether they have to use it. Only a domain that its
 * organization has proven counts, and the answer is the same whether or not the email has an account.
 */
public final class DomainConnections {
    private final DomainConnectionStore store = new DomainConnectionStore();
    private final FeedCache<ProjectId, Boolean> requiring;

    public DomainConnections(ChangeFeed feed, int maximumSize) {
        this.requiring = new FeedCache<>(feed, maximumSize, ProjectId::new);
    }

    /** Empty if no organization has proven the domain, or it has no enabled connection. */
    public Future<Optional<DomainConnection>> find(SqlClient db, ProjectId project, String email) {
        return store.find(db, project, domain(email));
    }

    /** Whether the emails of the project lead to different ways to sign in. */
    public Future<Boolean> hasAny(SqlClient db, ProjectId project) {
        return store.hasAny(db, project);
    }

    /**
     * Refuses a sign in or up with an email whose domain requires another way. Costs no statement in a project without
     * such a domain.
     *
     * @param connectedBy the organization whose connection has just identified the person; null for all other ways
     */
    public Future<Void> requireAllowed(
            SqlClient db, ProjectId project, @Nullable String email, @Nullable UUID connectedBy) {
        return findRequired(db, project, email).map(found -> {
            found.filter(connection -> !connection.organization().equals(connectedBy))
                    .ifPresent(connection -> {
                        throw required(connection);
                    });
            return null;
        });
    }

    /**
     * The connection by which alone people with this email sign in; empty if there is none. Costs no statement in a
     * project without such a domain.
     */
    public Future<Optional<DomainConnection>> findRequired(SqlClient db, ProjectId project, @Nullable String email) {
        if (email == null || project.equals(ProjectId.SYSTEM)) {
            return Future.succeededFuture(Optional.empty());
        }
        return requiring
                .get(project, missing -> store.hasRequiring(db, missing).map(Optional::of))
                .compose(has -> has.orElse(false)
                        ? find(db, project, email).map(found -> found.filter(DomainConnection::isRequired))
                        : Future.succeededFuture(Optional.empty()));
    }

    /**
     * Whether the email's domain has come to require a connection after the person signed in. Since then, only the
     * connection signs in, so nothing else has to be known of a sign in. Costs no statement in a project without such a
     * domain.
     */
    public Future<Boolean> isOutdated(SqlClient db, ProjectId project, @Nullable String email, Instant signedInAt) {
        return findRequired(db, project, email)
                .map(found -> found.map(DomainConnection::requiredSince)
                        .filter(signedInAt::isBefore)
                        .isPresent());
    }

    private static ApiException required(DomainConnection connection) {
        return ApiException.of(
                ErrorCode.SSO_REQUIRED,
                "People with an email of this domain sign in with their organization. Start a sign in with the provider "
                        + connection.provider() + ".",
                Map.of("provider", connection.provider()));
    }

    /** The part after the last @, since a quoted part before it can contain another. */
    public static String domain(String email) {
        return email.substring(email.lastIndexOf('@') + 1);
    }
}
