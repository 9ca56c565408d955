package dev.vestibule.project;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rows that deleted projects leave behind, without their keys, members and webhook endpoints; and all rows of
 * projects in a database that they have left for another one.
 */
public final class DeletedProjectStore {
    /** Sorts before every other id. */
    static final UUID MIN_ID = new UUID(0, 0);

    /** A project that is no longer in this database: it was deleted, or has moved to another one. */
    record Gone(ProjectId id, boolean hasMoved) {}

    private static final String GONE = """
            (SELECT id, false AS has_moved FROM projects WHERE deleted_at IS NOT NULL ORDER BY deleted_at, id LIMIT $1)
            UNION ALL
            (SELECT id, true FROM projects
             WHERE has_left_rows AND shard IS NOT NULL AND NOT arrives AND leaves_until IS NULL AND deleted_at IS NULL
             ORDER BY id
             LIMIT $1)
            """;

    /** The projects that still have rows here; of the deleted ones, those deleted first come first. */
    Future<List<Gone>> gone(SqlClient db, int limit) {
        return Sql.run(db, GONE, limit)
                .map(rows ->
                        Rows.all(rows, row -> new Gone(new ProjectId(row.getUUID("id")), row.getBoolean("has_moved"))));
    }

    private static final String LOCK_IF_LEFT = """
            SELECT FROM projects
            WHERE id = $1 AND has_left_rows AND shard IS NOT NULL AND NOT arrives AND leaves_until IS NULL
            FOR SHARE
            """;

    /**
     * Whether a project is still elsewhere and has left rows here, which then stays so until the transaction ends. It
     * may have come back since it was found, and what is here now would be all that there is.
     */
    Future<Boolean> lockIfLeft(SqlClient transaction, ProjectId project) {
        return Sql.run(transaction, LOCK_IF_LEFT, project).map(rows -> rows.size() == 1);
    }

    /** A table and the columns, in addition to the project, that find its rows. */
    record Table(String name, String key) {}

    /**
     * The tables that refer to users. One statement removes their rows with the users, since the foreign key's cascade
     * would do it one user at a time.
     */
    static final List<Table> OF_USERS = List.of(
            new Table("sessions", "user_id"),
            new Table("user_search", "id"),
            new Table("identities", "user_id"),
            new Table("sign_in_networks", "user_id"),
            new Table("email_changes", "user_id"),
            new Table("codes", "user_id"),
            new Table("messages", "user_id"),
            new Table("notice_quotas", "user_id"),
            new Table("totp_factors", "user_id"),
            new Table("mfa_challenges", "user_id"),
            new Table("passkeys", "user_id"),
            new Table("passkey_users", "user_id"),
            new Table("passkey_challenges", "user_id"),
            new Table("wallets", "user_id"),
            new Table("user_keys", "user_id"),
            new Table("oauth_states", "user_id"),
            new Table("oauth_grants", "user_id"),
            new Table("oauth_consents", "user_id"),
            new Table("organization_members", "user_id"),
            new Table("organization_removals", "user_id"),
            new Table("directory_users", "user_id"),
            new Table("directory_group_members", "user_id"));

    /**
     * The tables that can be large, do not belong to a user, and have no statement of their own. Their rows are removed
     * in the order of the primary key.
     */
    static final List<Table> IN_BATCHES = List.of(
            new Table("sign_in_failures", "email_hash"),
            new Table("codes", "subject_hash, purpose"),
            new Table("budgets", "kind, scope, key_hash"),
            new Table("used_once", "kind, value_hash"),
            new Table("enrolment_starts", "key_hash"),
            new Table("messages", "id"),
            new Table("oauth_states", "state_hash"),
            new Table("hosted_codes", "code_hash"),
            new Table("browser_sessions", "cookie_hash"),
            new Table("oauth_requests", "request_hash"),
            new Table("oauth_device_requests", "device_hash"),
            new Table("revocations", "transaction_id, id"),
            new Table("oauth_grants", "id"),
            new Table("oauth_clients", "id"),
            new Table("passkey_challenges", "challenge_hash"),
            new Table("wallet_messages", "message_hash"),
            new Table("organization_invitations", "id"),
            new Table("organization_domains", "id"),
            new Table("directory_groups", "directory_id, id"),
            new Table("directory_tokens", "id"),
            new Table("directories", "id"),
            new Table("organization_setup_links", "organization_id"),
            new Table("organizations", "id"));

    private static final String INVITATIONS = "invitations";

    /** The small tables, whose rows are removed with the project's own row. */
    static final List<Table> WITH_PROJECT = Stream.of(
                    "brandings",
                    "message_texts",
                    "identity_providers",
                    "captcha_secrets",
                    "webhook_delivery_counts",
                    "dearest_imports",
                    INVITATIONS,
                    "audit_refusals",
                    "jwt_templates",
                    "oauth_endings",
                    "oauth_resources",
                    "project_statistics",
                    "counts")
            .map(name -> new Table(name, ""))
            .toList();

    private static String each(List<Table> tables, String part, String between) {
        return tables.stream()
                .map(table -> part.formatted(table.name(), table.key(), moving(table.name())))
                .collect(Collectors.joining(between));
    }

    /**
     * Which rows of a table move with their project. Home keeps what sends its invitations to projects, and limits
     * that.
     */
    public static String moving(String table) {
        return switch (table) {
            case "codes" -> "purpose <> 'invitation'";
            case "messages" -> "kind <> 'invitation'";
            default -> "true";
        };
    }

    private static final String OF_THESE_USERS = """
            from_%1$s AS (
                DELETE FROM %1$s WHERE project_id = $1 AND %2$s = ANY (ARRAY(SELECT id FROM batch)))""";

    /**
     * Uses arrays instead of joins: the planner does not know the limit, guesses a tenth of all users, and would read
     * whole tables for a join.
     */
    private static final String REMOVE_USERS = """
            WITH batch AS (
                SELECT id FROM users
                WHERE project_id = $1 AND id > $2
                ORDER BY id
                LIMIT $3
                FOR UPDATE SKIP LOCKED),
            %s,
            removed AS (
                DELETE FROM users WHERE project_id = $1 AND id = ANY (ARRAY(SELECT id FROM batch)))
            SELECT id FROM batch ORDER BY id DESC LIMIT 1
            """.formatted(each(OF_USERS, OF_THESE_USERS, ",\n"));

    /** Removes up to {@code limit} users after the given one, and their data; returns the last one removed. */
    Future<Optional<UUID>> removeUsers(SqlClient db, ProjectId project, UUID after, int limit) {
        return Sql.run(db, REMOVE_USERS, project, after, limit).map(rows -> Rows.first(rows, row -> row.getUUID("id")));
    }

    private static final String SOME_ROWS = """
            from_%1$s AS (
                DELETE FROM %1$s WHERE project_id = $1 AND ctid = ANY (ARRAY(
                    SELECT ctid FROM %1$s WHERE project_id = $1 AND ($3 OR %3$s)
                    ORDER BY %2$s
                    LIMIT $2
                    FOR UPDATE SKIP LOCKED))
                RETURNING 1)""";

    private static final String NUMBER_OF_THEM = """
            (SELECT count(*) FROM from_%1$s)""";

    private static final String NUMBERS = each(IN_BATCHES, NUMBER_OF_THEM, ", ");

    private static final String REMOVE_SOME = """
            WITH %s
            SELECT greatest(%s) AS most
            """.formatted(each(IN_BATCHES, SOME_ROWS, ",\n"), NUMBERS);

    /**
     * Removes up to {@code limit} rows of each table of {@link #IN_BATCHES}, of all or of those that move; returns the
     * largest number removed from one table.
     */
    Future<Long> removeSome(SqlClient db, ProjectId project, int limit, boolean all) {
        return Sql.run(db, REMOVE_SOME, project, limit, all).map(rows -> Rows.single(rows, row -> row.getLong("most")));
    }

    private static final String REMOVE_EVENTS = """
            WITH batch AS (
                SELECT id FROM webhook_events
                WHERE project_id = $1 AND id > $2
                ORDER BY id
                LIMIT $3
                FOR UPDATE SKIP LOCKED),
            removed AS (
                DELETE FROM webhook_events WHERE project_id = $1 AND id = ANY (ARRAY(SELECT id FROM batch)))
            SELECT id FROM batch ORDER BY id DESC LIMIT 1
            """;

    /** Removes up to {@code limit} events after the given one; returns the last one removed. */
    Future<Optional<UUID>> removeEvents(SqlClient db, ProjectId project, UUID after, int limit) {
        return Sql.run(db, REMOVE_EVENTS, project, after, limit)
                .map(rows -> Rows.first(rows, row -> row.getUUID("id")));
    }

    private static final String REMOVE_DELIVERIES = """
            WITH batch AS (
                SELECT webhook_id, event_id, ctid FROM webhook_deliveries
                WHERE project_id = $1 AND (webhook_id, event_id) > ($2, $3)
                ORDER BY webhook_id, event_id
                LIMIT $4
                FOR UPDATE SKIP LOCKED),
            removed AS (
                DELETE FROM webhook_deliveries WHERE project_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM batch)))
            SELECT webhook_id, event_id FROM batch ORDER BY webhook_id DESC, event_id DESC LIMIT 1
            """;

    /** The primary key of a delivery without the project. */
    record DeliveryKey(UUID webhook, UUID event) {
        static final DeliveryKey MIN = new DeliveryKey(MIN_ID, MIN_ID);
    }

    /** Removes up to {@code limit} deliveries after the given one; returns the last one removed. */
    Future<Optional<DeliveryKey>> removeDeliveries(SqlClient db, ProjectId project, DeliveryKey after, int limit) {
        return Sql.run(db, REMOVE_DELIVERIES, project, after.webhook(), after.event(), limit)
                .map(rows ->
                        Rows.first(rows, row -> new DeliveryKey(row.getUUID("webhook_id"), row.getUUID("event_id"))));
    }

    /** Starts from the end of the last batch, in the order of the primary key: the earlier rows are already gone. */
    private static final String REMOVE_AUDIT_LOG = """
            WITH batch AS MATERIALIZED (
                SELECT created_at, id FROM audit_log
                WHERE project_id = $1 AND (created_at, id) > ($2, $3)
                ORDER BY created_at, id
                LIMIT $4),
            removed AS (
                DELETE FROM audit_log
                WHERE project_id = $1 AND (created_at, id) > ($2, $3)
                  AND (created_at, id) <= (SELECT created_at, id FROM batch ORDER BY created_at DESC, id DESC LIMIT 1))
            SELECT created_at, id FROM batch ORDER BY created_at DESC, id DESC LIMIT 1
            """;

    /** The primary key of an entry of the audit log without the project. */
    record EntryKey(Instant createdAt, UUID id) {
        static final EntryKey MIN = new EntryKey(Instant.EPOCH, MIN_ID);
    }

    /** Removes up to {@code limit} entries after the given one; returns the last one removed. */
    Future<Optional<EntryKey>> removeAuditLog(SqlClient db, ProjectId project, EntryKey after, int limit) {
        return Sql.run(db, REMOVE_AUDIT_LOG, project, after.createdAt(), after.id(), limit)
                .map(rows -> Rows.first(rows, row -> new EntryKey(Rows.instant(row, "created_at"), row.getUUID("id"))));
    }

    /** Orders by the index: a search for any row would read the rows of all other projects if there is none. */
    private static final String IS_EMPTY = """
            AND (SELECT project_id FROM %1$s WHERE project_id = $1 AND ($2 OR %3$s) ORDER BY %2$s LIMIT 1) IS NULL""";

    private static final List<Table> MAY_BE_LEFT = Stream.concat(
                    IN_BATCHES.stream(),
                    Stream.of(
                            new Table("users", "id"),
                            new Table("webhook_events", "id"),
                            new Table("webhook_deliveries", "webhook_id, event_id"),
                            new Table("audit_log", "created_at, id")))
            .toList();

    private static final String LOCK_IF_EMPTY = """
            SELECT id FROM projects
            WHERE id = $1
              AND (deleted_at IS NOT NULL
                   OR has_left_rows AND shard IS NOT NULL AND NOT arrives AND leaves_until IS NULL)
            %s
            FOR UPDATE SKIP LOCKED
            """.formatted(each(MAY_BE_LEFT, IS_EMPTY, "\n"));

    /**
     * Locks the project against further writes; false if it has rows left, any or of those that move, or another
     * transaction holds it.
     */
    Future<Boolean> lockIfEmpty(SqlClient transaction, ProjectId project, boolean all) {
        return Sql.run(transaction, LOCK_IF_EMPTY, project, all).map(rows -> rows.size() == 1);
    }

    private static final String ALL_ROWS = """
            from_%1$s AS (DELETE FROM %1$s WHERE project_id = $1)""";

    private static final String REMOVE_PROJECT = """
            WITH %s
            DELETE FROM projects WHERE id = $1
            """.formatted(each(WITH_PROJECT, ALL_ROWS, ",\n"));

    /** Removes an empty project, and the few rows that hold its branding, providers and counts. */
    Future<Void> removeProject(SqlClient transaction, ProjectId project) {
        return Sql.run(transaction, REMOVE_PROJECT, project).mapEmpty();
    }

    private static final String KEEP_STUB = """
            WITH %s
            UPDATE projects SET has_left_rows = false WHERE id = $1
            """.formatted(each(
            WITH_PROJECT.stream()
                    .filter(table -> !table.name().equals(INVITATIONS))
                    .toList(),
            ALL_ROWS,
            ",\n"));

    /** As {@link #removeProject}, but keeps what home knows of every project, its members and its invitations. */
    Future<Void> keepStub(SqlClient transaction, ProjectId project) {
        return Sql.run(transaction, KEEP_STUB, project).mapEmpty();
    }
}
