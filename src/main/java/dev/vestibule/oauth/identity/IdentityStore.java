package dev.vestibule.oauth.identity;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.database.Rows;
import dev.vestibule.database.SealedTable;
import dev.vestibule.database.Sql;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.client.ProviderIdentity;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The identities at providers that are linked to users. */
public final class IdentityStore {
    static final SealedTable SEALED =
            SealedTable.of("identities", List.of("provider", "issuer", "subject"), List.of("sealed_tokens"));

    /** A provider that a user can sign in with, and when it was linked. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Link(String provider, Instant linkedAt) {}

    private static final String FIND_USER = """
            SELECT user_id FROM identities WHERE project_id = $1 AND provider = $2 AND issuer = $3 AND subject = $4
            """;

    /** Empty if no user has linked this identity. */
    Future<Optional<UserId>> findUser(SqlClient db, ProjectId project, ProviderIdentity identity) {
        return Sql.run(db, FIND_USER, project, identity.provider().name(), identity.issuer(), identity.subject())
                .map(rows -> Rows.first(rows, row -> new UserId(row.getUUID("user_id"))));
    }

    private static final String UNLINK_OTHER_ISSUERS = """
            DELETE FROM identities WHERE project_id = $1 AND user_id = $2 AND provider = $3 AND issuer <> $4
            """;

    /**
     * Removes an identity that has been of no use since the provider was pointed to another issuer; false if there is
     * none.
     */
    Future<Boolean> unlinkOtherIssuers(SqlClient db, ProjectId project, UserId user, ProviderIdentity identity) {
        return Sql.run(
                        db,
                        UNLINK_OTHER_ISSUERS,
                        project,
                        user,
                        identity.provider().name(),
                        identity.issuer())
                .map(rows -> rows.rowCount() > 0);
    }

    private static final String UNLINK_OTHER_SUBJECT = """
            DELETE FROM identities
            WHERE project_id = $1 AND user_id = $2 AND provider = $3 AND issuer = $4 AND subject <> $5
            """;

    /** Removes another identity of the user at the same provider; false if there is none. */
    Future<Boolean> unlinkOtherSubject(SqlClient db, ProjectId project, UserId user, ProviderIdentity identity) {
        return Sql.run(
                        db,
                        UNLINK_OTHER_SUBJECT,
                        project,
                        user,
                        identity.provider().name(),
                        identity.issuer(),
                        identity.subject())
                .map(rows -> rows.rowCount() > 0);
    }

    private static final String LINK = """
            INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at, sealed_tokens)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT DO NOTHING
            """;

    /** False if a user has this identity already, or the user has another identity at this provider. */
    Future<Boolean> link(
            SqlClient db,
            ProjectId project,
            ProviderIdentity identity,
            UserId user,
            @Nullable Buffer sealedTokens,
            Instant now) {
        return Sql.run(
                        db,
                        LINK,
                        project,
                        identity.provider().name(),
                        identity.issuer(),
                        identity.subject(),
                        user,
                        now,
                        sealedTokens)
                .map(rows -> rows.rowCount() == 1);
    }

    private static final String REPLACE_TOKENS = """
            UPDATE identities SET sealed_tokens = $5
            WHERE project_id = $1 AND provider = $2 AND issuer = $3 AND subject = $4
              AND ($5::bytea IS NOT NULL OR sealed_tokens IS NOT NULL)
            """;

    /** Replaces the stored tokens; null deletes them. */
    Future<Void> replaceTokens(
            SqlClient db, ProjectId project, ProviderIdentity identity, @Nullable Buffer sealedTokens) {
        return Sql.run(
                        db,
                        REPLACE_TOKENS,
                        project,
                        identity.provider().name(),
                        identity.issuer(),
                        identity.subject(),
                        sealedTokens)
                .mapEmpty();
    }

    /** The sealed tokens of a linked identity; null if none are stored. */
    public record StoredTokens(String subject, @Nullable Buffer sealedTokens) {}

    private static final String FIND_TOKENS = """
            SELECT subject, sealed_tokens FROM identities WHERE project_id = $1 AND user_id = $2 AND provider = $3
            """;

    /** Empty if the user has not linked the provider. */
    public Future<Optional<StoredTokens>> findTokens(SqlClient db, ProjectId project, UserId user, Provider provider) {
        return Sql.run(db, FIND_TOKENS, project, user, provider.name())
                .map(rows -> Rows.first(
                        rows, row -> new StoredTokens(row.getString("subject"), row.getBuffer("sealed_tokens"))));
    }

    private static final String OF_USER = """
            SELECT provider, created_at FROM identities
            WHERE project_id = $1 AND user_id = $2
            ORDER BY created_at, provider
            """;

    /** Ordered by when they were linked. */
    public Future<List<Link>> ofUser(SqlClient db, ProjectId project, UserId user) {
        return Sql.run(db, OF_USER, project, user)
                .map(rows ->
                        Rows.all(rows, row -> new Link(row.getString("provider"), Rows.instant(row, "created_at"))));
    }

    private static final String UNLINK = """
            DELETE FROM identities WHERE project_id = $1 AND user_id = $2 AND provider = $3
            """;

    /** Also deletes the stored tokens; false if the provider was not linked. */
    public Future<Boolean> unlink(SqlClient db, ProjectId project, UserId user, Provider provider) {
        return Sql.run(db, UNLINK, project, user, provider.name()).map(rows -> rows.rowCount() == 1);
    }

    private static final String UNLINK_ALL = """
            DELETE FROM identities WHERE project_id = $1 AND user_id = $2 RETURNING provider
            """;

    /** Returns the names of the unlinked providers. */
    public Future<List<String>> unlinkAll(SqlClient db, ProjectId project, UserId user) {
        return Sql.run(db, UNLINK_ALL, project, user).map(rows -> Rows.all(rows, row -> row.getString("provider")));
    }
}
