package dev.vestibule.oauth.identity;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.database.Rows;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who users are at identity providers. */
public final class IdentityStore {
    /** A provider that a user can sign in with, and since when. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Link(String provider, Instant linkedAt) {}

    private static final String USER_OF = """
            SELECT user_id FROM identities WHERE project_id = $1 AND provider = $2 AND subject = $3
            """;

    /** Empty where nobody has linked this identity. */
    public Future<Optional<UserId>> userOf(SqlClient db, ProjectId project, Provider provider, String subject) {
        return db.preparedQuery(USER_OF)
                .execute(Tuple.of(project.value(), provider.name(), subject))
                .map(rows -> Rows.first(rows, row -> new UserId(row.getUUID("user_id"))));
    }

    private static final String LINK = """
            INSERT INTO identities (project_id, provider, subject, user_id, created_at, sealed_tokens)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT DO NOTHING
            """;

    /** False where the identity is somebody's, or the user has another one of the provider. */
    public Future<Boolean> link(
            SqlClient db,
            ProjectId project,
            Provider provider,
            String subject,
            UserId user,
            @Nullable Buffer sealedTokens,
            Instant now) {
        return db.preparedQuery(LINK)
                .execute(Tuple.of(
                        project.value(), provider.name(), subject, user.value(), Rows.timestamp(now), sealedTokens))
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String KEEP_TOKENS = """
            UPDATE identities SET sealed_tokens = $4
            WHERE project_id = $1 AND provider = $2 AND subject = $3
              AND ($4::bytea IS NOT NULL OR sealed_tokens IS NOT NULL)
            """;

    /** Replaces what was kept; null forgets it. */
    public Future<Void> keepTokens(
            SqlClient db, ProjectId project, Provider provider, String subject, @Nullable Buffer sealedTokens) {
        return db.preparedQuery(KEEP_TOKENS)
                .execute(Tuple.of(project.value(), provider.name(), subject, sealedTokens))
                .mapEmpty();
    }

    /** What was kept of a linked provider; null where that is nothing. */
    public record Kept(String subject, @Nullable Buffer sealedTokens) {}

    private static final String KEPT = """
            SELECT subject, sealed_tokens FROM identities WHERE project_id = $1 AND user_id = $2 AND provider = $3
            """;

    /** Empty where the user has not linked the provider. */
    public Future<Optional<Kept>> kept(SqlClient db, ProjectId project, UserId user, Provider provider) {
        return db.preparedQuery(KEPT)
                .execute(Tuple.of(project.value(), user.value(), provider.name()))
                .map(rows ->
                        Rows.first(rows, row -> new Kept(row.getString("subject"), row.getBuffer("sealed_tokens"))));
    }

    private static final String OF_USER = """
            SELECT provider, created_at FROM identities
            WHERE project_id = $1 AND user_id = $2
            ORDER BY created_at, provider
            """;

    /** The first linked first. */
    public Future<List<Link>> ofUser(SqlClient db, ProjectId project, UserId user) {
        return db.preparedQuery(OF_USER)
                .execute(Tuple.of(project.value(), user.value()))
                .map(rows ->
                        Rows.all(rows, row -> new Link(row.getString("provider"), Rows.instant(row, "created_at"))));
    }

    private static final String HAS_OTHERS = """
            SELECT FROM identities
            WHERE project_id = $1 AND user_id = $2 AND provider <> $3 AND provider IN (
                SELECT provider FROM identity_providers WHERE project_id = $1 AND enabled)
            """;

    /** Whether the user could sign in by another provider that the project has enabled. */
    public Future<Boolean> hasOthers(SqlClient db, ProjectId project, UserId user, Provider provider) {
        return db.preparedQuery(HAS_OTHERS)
                .execute(Tuple.of(project.value(), user.value(), provider.name()))
                .map(rows -> rows.size() > 0);
    }

    private static final String UNLINK = """
            DELETE FROM identities WHERE project_id = $1 AND user_id = $2 AND provider = $3
            """;

    /** With the tokens that were kept; false where the provider was not linked. */
    public Future<Boolean> unlink(SqlClient db, ProjectId project, UserId user, Provider provider) {
        return db.preparedQuery(UNLINK)
                .execute(Tuple.of(project.value(), user.value(), provider.name()))
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String UNLINK_ALL = """
            DELETE FROM identities WHERE project_id = $1 AND user_id = $2 RETURNING provider
            """;

    /** The names of the providers that this unlinked. */
    public Future<List<String>> unlinkAll(SqlClient db, ProjectId project, UserId user) {
        return db.preparedQuery(UNLINK_ALL)
                .execute(Tuple.of(project.value(), user.value()))
                .map(rows -> Rows.all(rows, row -> row.getString("provider")));
    }
}
