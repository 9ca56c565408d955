package dev.vestibule.user.organization.directory;

import dev.vestibule.database.Rows;
import dev.vestibule.database.SharedStatement;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ScannableKey;
import dev.vestibule.user.organization.Organization;
import dev.vestibule.user.organization.OrganizationId;
import dev.vestibule.user.organization.directory.Directory.Token;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The directories of organizations and their tokens, each as the hash of its text. */
final class DirectoryStore {
    private static final String COLUMNS = """
            directories.id, directories.organization_id, directories.name, directories.enabled,
            directories.group_roles::text AS group_roles, directories.created_at, directories.updated_at""";

    private static final String INSERT = """
            INSERT INTO directories (project_id, id, organization_id, name, enabled, group_roles, created_at, updated_at)
            SELECT $1, $2, $3, $4, $5, $6::jsonb, $7, $7
            WHERE (SELECT count(*) FROM directories WHERE project_id = $1 AND organization_id = $3) < $8
            RETURNING %s
            """.formatted(COLUMNS);

    /** Empty if the organization has the maximum. */
    Future<Optional<Directory>> insert(
            SqlClient transaction, Organization organization, Directory directory, int maximum) {
        return Sql.run(
                        transaction,
                        INSERT,
                        organization.projectId(),
                        directory.id(),
                        organization.id(),
                        directory.name(),
                        directory.enabled(),
                        json(directory.groupRoles()),
                        directory.createdAt(),
                        maximum)
                .map(rows -> Rows.first(rows, DirectoryStore::directory));
    }

    private static JsonObject json(Map<String, String> groupRoles) {
        return new JsonObject(new LinkedHashMap<>(groupRoles));
    }

    private static final String LIST = """
            SELECT %s FROM directories WHERE project_id = $1 AND organization_id = $2 ORDER BY created_at, id
            """.formatted(COLUMNS);

    /** Oldest first, without their tokens. */
    Future<List<Directory>> list(SqlClient db, Organization organization) {
        return Sql.run(db, LIST, organization.projectId(), organization.id())
                .map(rows -> Rows.all(rows, DirectoryStore::directory));
    }

    private static final String FIND = """
            SELECT %s FROM directories WHERE project_id = $1 AND organization_id = $2 AND id = $3
            """.formatted(COLUMNS);

    Future<Optional<Directory>> find(SqlClient db, Organization organization, UUID id) {
        return Sql.run(db, FIND, organization.projectId(), organization.id(), id)
                .map(rows -> Rows.first(rows, DirectoryStore::directory));
    }

    private static final String UPDATE = """
            UPDATE directories SET name = $4, enabled = $5, group_roles = $6::jsonb, updated_at = $7
            WHERE project_id = $1 AND organization_id = $2 AND id = $3
            RETURNING %s
            """.formatted(COLUMNS);

    Future<Optional<Directory>> update(
            SqlClient transaction, Organization organization, Directory changed, Instant now) {
        return Sql.run(
                        transaction,
                        UPDATE,
                        organization.projectId(),
                        organization.id(),
                        changed.id(),
                        changed.name(),
                        changed.enabled(),
                        json(changed.groupRoles()),
                        now)
                .map(rows -> Rows.first(rows, DirectoryStore::directory));
    }

    private static final String DELETE = """
            DELETE FROM directories WHERE project_id = $1 AND organization_id = $2 AND id = $3
            RETURNING %s
            """.formatted(COLUMNS);

    /** Deletes it with all that it knows of users and groups. */
    Future<Optional<Directory>> delete(SqlClient transaction, Organization organization, UUID id) {
        return Sql.run(transaction, DELETE, organization.projectId(), organization.id(), id)
                .map(rows -> Rows.first(rows, DirectoryStore::directory));
    }

    private static final String TOKEN_COLUMNS =
            "directory_tokens.id, directory_tokens.ending, directory_tokens.created_at, directory_tokens.last_used_at";

    private static final String ADD_TOKEN = """
            INSERT INTO directory_tokens (project_id, id, directory_id, token_hash, ending, created_at)
            SELECT $1, $2, $3, $4, $5, $6
            WHERE (SELECT count(*) FROM directory_tokens WHERE project_id = $1 AND directory_id = $3) < $7
            RETURNING %s
            """.formatted(TOKEN_COLUMNS);

    /** Empty if the directory has the maximum. The transaction holds the organization's lock. */
    Future<Optional<Token>> addToken(
            SqlClient transaction, UUID directory, UUID id, ScannableKey token, Instant now, int maximum) {
        return Sql.run(
                        transaction,
                        ADD_TOKEN,
                        token.project(),
                        id,
                        directory,
                        token.hash(),
                        token.ending(),
                        now,
                        maximum)
                .map(rows -> Rows.first(rows, DirectoryStore::token));
    }

    private static final String TOKENS = """
            SELECT directory_id, %s FROM directory_tokens
            WHERE project_id = $1 AND directory_id = ANY ($2::uuid[])
            ORDER BY created_at, id
            """.formatted(TOKEN_COLUMNS);

    private static final String COUNTS = """
            SELECT directories.id,
                (SELECT count(*) FROM directory_users
                 WHERE directory_users.project_id = $1 AND directory_users.directory_id = directories.id) AS users,
                (SELECT count(*) FROM directory_groups
                 WHERE directory_groups.project_id = $1 AND directory_groups.directory_id = directories.id) AS groups
            FROM directories WHERE directories.project_id = $1 AND directories.id = ANY ($2::uuid[])
            """;

    private record Owned(UUID directory, Token token) {}

    private record Counts(UUID directory, long users, long groups) {}

    /** The directories with their tokens, and how much they have provisioned. */
    Future<List<Directory>> complete(SqlClient db, ProjectId project, List<Directory> directories) {
        var ids = Rows.column(directories, Directory::id, UUID[]::new);
        return Sql.run(db, TOKENS, project, ids)
                .map(rows -> Rows.all(rows, row -> new Owned(row.getUUID("directory_id"), token(row))))
                .compose(tokens -> Sql.run(db, COUNTS, project, ids)
                        .map(rows -> Rows.all(
                                rows,
                                row -> new Counts(row.getUUID("id"), row.getLong("users"), row.getLong("groups"))))
                        .map(counts -> directories.stream()
                                .map(directory -> complete(directory, tokens, counts))
                                .toList()));
    }

    /** A directory that was deleted a moment ago has no counts. */
    private static Directory complete(Directory directory, List<Owned> tokens, List<Counts> all) {
        var valid = tokens.stream()
                .filter(one -> one.directory().equals(directory.id()))
                .map(Owned::token)
                .toList();
        return all.stream()
                .filter(one -> one.directory().equals(directory.id()))
                .findFirst()
                .map(counts -> directory.with(valid, counts.users(), counts.groups()))
                .orElseGet(() -> directory.with(valid, 0, 0));
    }

    private static final String REMOVE_TOKEN = """
            DELETE FROM directory_tokens WHERE project_id = $1 AND directory_id = $2 AND id = $3
            """;

    /** False if the directory has no such token. */
    Future<Boolean> removeToken(SqlClient transaction, ProjectId project, UUID directory, UUID id) {
        return Sql.run(transaction, REMOVE_TOKEN, project, directory, id).map(rows -> rows.rowCount() == 1);
    }

    /** Asks for the directory whose token has this hash. */
    record Check(ProjectId project, Buffer hash) implements SharedStatement.Question {
        @Override
        public Buffer row() {
            return hash;
        }
    }

    private static final String FIND_BY_TOKENS = """
            SELECT asked.position, token.token_id, token.last_used_at, %s
            FROM unnest($1::uuid[], $2::bytea[]) WITH ORDINALITY AS asked (project_id, token_hash, position)
            CROSS JOIN LATERAL (
                SELECT id AS token_id, directory_id, last_used_at FROM directory_tokens
                WHERE directory_tokens.project_id = asked.project_id AND directory_tokens.token_hash = asked.token_hash
                LIMIT 1) AS token
            CROSS JOIN LATERAL (
                SELECT * FROM directories
                WHERE directories.project_id = asked.project_id AND directories.id = token.directory_id
                LIMIT 1) AS directories
            """.formatted(COLUMNS);

    /** In the order of the checks; empty where there is no such token. */
    Future<List<Optional<PresentedToken>>> findByTokens(SqlClient db, List<Check> checks) {
        return Sql.run(
                        db,
                        FIND_BY_TOKENS,
                        Rows.column(checks, check -> check.project().value(), UUID[]::new),
                        Rows.column(checks, Check::hash, Buffer[]::new))
                .map(rows -> Rows.inOrder(
                        rows,
                        checks.size(),
                        row -> new PresentedToken(
                                row.getUUID("token_id"),
                                Objects.requireNonNullElse(Rows.optionalInstant(row, "last_used_at"), Instant.EPOCH),
                                directory(row))));
    }

    private static final String FIND_BY_TOKEN = """
            SELECT %s
            FROM directory_tokens JOIN directories
              ON directories.project_id = directory_tokens.project_id AND directories.id = directory_tokens.directory_id
            WHERE directory_tokens.project_id = $1 AND directory_tokens.id = $2
            """.formatted(COLUMNS);

    /** Empty if the token is gone. */
    Future<Optional<Directory>> findByToken(SqlClient db, ProjectId project, UUID token) {
        return Sql.run(db, FIND_BY_TOKEN, project, token).map(rows -> Rows.first(rows, DirectoryStore::directory));
    }

    private static final String USE = """
            UPDATE directory_tokens SET last_used_at = $3
            WHERE project_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $3)
            """;

    /** Notes the hour, which is enough to see which of two tokens is still in use. */
    Future<Void> use(SqlClient db, ProjectId project, UUID token, Instant now) {
        return Sql.run(db, USE, project, token, now.truncatedTo(ChronoUnit.HOURS))
                .mapEmpty();
    }

    private static Token token(Row row) {
        return new Token(
                row.getUUID("id"),
                row.getString("ending"),
                Rows.instant(row, "created_at"),
                Rows.optionalInstant(row, "last_used_at"));
    }

    private static Directory directory(Row row) {
        var roles = new LinkedHashMap<String, String>();
        new JsonObject(row.getString("group_roles")).forEach(one -> roles.put(one.getKey(), (String) one.getValue()));
        return new Directory(
                Objects.requireNonNull(row.getUUID("id")),
                new OrganizationId(row.getUUID("organization_id")),
                row.getString("name"),
                row.getBoolean("enabled"),
                roles,
                List.of(),
                0,
                0,
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }
}
