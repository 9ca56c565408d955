package dev.vestibule.oauth.server;

import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Subject;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.oauth.server.GrantStore.Ended;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.GrantData;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a grant that events show.
 *
 * @param isTold whether the client learns that it has lost all access to the account
 */
record GrantNews(ProjectId projectId, Grant grant, boolean isTold) implements Subject {
    GrantNews(ProjectId projectId, Grant grant) {
        this(projectId, grant, false);
    }

    static Future<Void> created(Trail trail, SqlConnection transaction, ProjectId project, Grant grant) {
        return trail.record(
                transaction,
                Published.GRANT_CREATED,
                new GrantNews(project, grant),
                Map.of("clientId", grant.clientId(), "scopes", grant.scopes()));
    }

    /** Does nothing about a grant that had ended before. */
    static Future<Void> ended(
            Trail trail,
            SqlConnection transaction,
            ProjectId project,
            Optional<Grant> ended,
            Published fact,
            String reason) {
        return ended.isEmpty()
                ? Future.succeededFuture()
                : trail.record(
                        transaction,
                        fact,
                        new GrantNews(project, ended.get()),
                        Map.of("clientId", ended.get().clientId(), "reason", reason));
    }

    /**
     * Stores an event of each, which the entry of another fact tells.
     *
     * @param isTold whether the client has lost all access to the account, of which it learns once
     */
    static Future<Void> ended(
            Trail trail,
            SqlConnection transaction,
            ProjectId project,
            List<Ended> ended,
            boolean isTold,
            String reason) {
        var told = isTold ? ended.stream().filter(Ended::wasUsed).findFirst() : Optional.empty();
        return trail.publish(
                transaction,
                EventKind.GRANT_ENDED,
                ended.stream()
                        .map(one -> new GrantNews(project, one.grant(), told.equals(Optional.of(one))))
                        .toList(),
                Map.of("reason", reason));
    }

    @Override
    public Target target() {
        var user = grant.user();
        return user == null ? Target.NONE : Target.user(user.value());
    }

    @Override
    public @Nullable String toldClient() {
        return isTold ? grant.clientId() : null;
    }

    @Override
    public Map<String, Object> data() {
        return Map.of(
                "grant", new GrantData(grant.id(), grant.clientId(), grant.user(), grant.scopes(), grant.resources()));
    }
}
