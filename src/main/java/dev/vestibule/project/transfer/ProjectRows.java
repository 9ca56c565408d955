package dev.vestibule.project.transfer;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.project.DeletedProjectStore;
import dev.vestibule.project.ProjectId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** Reads and writes the rows of one project in bulk, on one JDBC connection. */
final class ProjectRows {
    private static final int BUFFER_BYTES = 1 << 16;

    /** Each table refers only to those before it. */
    static final List<String> TABLES = List.of(
            "projects",
            "brandings",
            "message_texts",
            "api_keys",
            "signing_keys",
            "jwt_templates",
            "oauth_endings",
            "oauth_resources",
            "oauth_clients",
            "oauth_client_secrets",
            "captcha_secrets",
            "webhooks",
            "dearest_imports",
            "users",
            "totp_factors",
            "passkey_users",
            "passkeys",
            "wallets",
            "identities",
            "sessions",
            "oauth_consents",
            "organizations",
            "user_keys",
            "identity_providers",
            "organization_members",
            "organization_removals",
            "organization_invitations",
            "organization_domains",
            "directories",
            "directory_tokens",
            "directory_users",
            "directory_groups",
            "directory_group_members");

    /**
     * What only another database of the same server gets besides, again each after those that it refers to: what is in
     * progress, counted or logged. An export leaves it behind.
     */
    static final List<String> IN_MOTION = List.of(
            "organization_setup_links",
            "codes",
            "email_changes",
            "messages",
            "notice_quotas",
            "mfa_challenges",
            "passkey_challenges",
            "wallet_messages",
            "oauth_states",
            "hosted_codes",
            "browser_sessions",
            "oauth_requests",
            "oauth_device_requests",
            "oauth_grants",
            "revocations",
            "provider_trials",
            "sign_in_failures",
            "sign_in_failures_by_network",
            "sign_in_networks",
            "budgets",
            "enrolment_starts",
            "used_once",
            "audit_refusals",
            "project_statistics",
            "webhook_events",
            "webhook_delivery_counts", // before the deliveries, whose removal counts
            "webhook_deliveries",
            "audit_log");

    /** The tables of both lists whose rows move with that of the project. */
    static List<String> moving() {
        return Stream.concat(TABLES.stream().filter(table -> !table.equals("projects")), IN_MOTION.stream())
                .toList();
    }

    /** Triggers fill them with the users and the sessions. */
    static final List<String> FILLED_BY_TRIGGERS = List.of("counts", "user_search");

    private final Connection connection;
    private final Statements statements;

    ProjectRows(Connection connection) {
        this.connection = connection;
        this.statements = new Statements(connection);
    }

    private static final String NO_TIME_LIMIT = """
            SELECT set_config('statement_timeout', '0', false),
                   set_config('idle_in_transaction_session_timeout', '0', false)
            """;

    /** For statements that copy millions of rows. */
    void liftTimeLimits() throws SQLException {
        try (var statement = connection.prepareStatement(NO_TIME_LIMIT)) {
            statement.execute();
        }
    }

    /** The names that people know a project by. */
    record ProjectNames(UUID id, String name, String slug) {}

    private static final String FIND = """
            SELECT id, name, slug FROM projects WHERE id = ? AND deleted_at IS NULL AND shard IS NULL
            """;

    /** Empty if there is no such project in this database. */
    Optional<ProjectNames> find(UUID project) throws SQLException {
        return statements.first(
                FIND,
                row -> new ProjectNames(row.getObject(1, UUID.class), row.getString(2), row.getString(3)),
                project);
    }

    private static final String TAKEN = """
            SELECT CASE WHEN id = ? THEN 'id' ELSE 'slug' END
            FROM projects WHERE id = ? OR (slug = ? AND deleted_at IS NULL)
            UNION ALL
            SELECT 'earlier slug' FROM retired_slugs WHERE project_id = ? AND slug = ? AND leads_to <> ?
            LIMIT 1
            """;

    /**
     * Which of the two another project already has, or had, in the case of a slug that still leads to it; a deleted
     * project keeps its id until its rows are gone.
     */
    Optional<String> taken(UUID project, String slug) throws SQLException {
        return statements.first(
                TAKEN, row -> row.getString(1), project, project, slug, ProjectId.SYSTEM.value(), slug, project);
    }

    private static final String MIGRATIONS = """
            SELECT string_agg(version || ':' || checksum, ' ' ORDER BY installed_rank)
            FROM schema_history WHERE version IS NOT NULL AND success
            """;

    /** The schema version; equal for equal schemas. */
    String migrations() throws SQLException {
        return statements.first(MIGRATIONS, row -> row.getString(1)).orElseThrow();
    }

    private static final String COLUMNS = """
            SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
            WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
            """;

    List<String> columns(String table) throws SQLException {
        return statements
                .first(COLUMNS, row -> List.of((String[]) row.getArray(1).getArray()), table)
                .orElseThrow();
    }

    private static final String SEALED_WITH = """
            SELECT array_agg(DISTINCT substring(%s FROM 1 FOR %d)) FROM %s WHERE project_id = ?
            """;

    /** The first bytes of the sealed values in a column, which identify their master secret. */
    List<byte[]> prefixes(String table, String column, UUID project) throws SQLException {
        var sql = SEALED_WITH.formatted(column, Sealer.PREFIX_BYTES, table);
        var found = statements.first(sql, row -> row.getArray(1), project);
        return found.isEmpty()
                ? List.of()
                : Stream.of((byte[][]) found.get().getArray())
                        .filter(Objects::nonNull)
                        .toList();
    }

    /**
     * Leaves out sessions of impersonators: only this server knows them, and another one could not end their sessions
     * when they lose their role.
     */
    private static final String OWN_SESSIONS = " AND impersonator_id IS NULL";

    /** COPY takes no parameters; the text contains only a UUID and names from the catalogue. */
    private static final String COPY_OUT = """
            COPY (SELECT %s FROM %s WHERE %s = '%s'%s) TO STDOUT
            """;

    /** Returns the number of written rows. */
    long copyOut(String table, List<String> columns, UUID project, OutputStream out) throws SQLException, IOException {
        var key = table.equals("projects") ? "id" : "project_id";
        var which = table.equals("sessions") ? OWN_SESSIONS : "";
        return copies().copyOut(COPY_OUT.formatted(list(columns), table, key, project, which), out);
    }

    /** With the transaction that copies: the numbers of the other database mean nothing there. */
    private static final String COPY_OUT_REVOCATIONS = """
            COPY (SELECT project_id, id, max(expires_at) FROM revocations WHERE project_id = '%s'
                  GROUP BY project_id, id) TO STDOUT
            """;

    private static String ofMoving(String table) {
        return " AND " + DeletedProjectStore.moving(table);
    }

    /** Copies the rows of a table of {@link #TABLES} or {@link #IN_MOTION}, without keeping them in memory. */
    void copyTo(ProjectRows target, String table, UUID project) throws SQLException, IOException {
        var isOfRevocations = table.equals("revocations");
        var columns = isOfRevocations ? List.of("project_id", "id", "expires_at") : columns(table);
        var rows = isOfRevocations
                ? COPY_OUT_REVOCATIONS.formatted(project)
                : COPY_OUT.formatted(list(columns), table, "project_id", project, ofMoving(table));
        var out = new PipedOutputStream();
        var reading = new FutureTask<>(() -> {
            try (out) {
                return copies().copyOut(rows, out);
            }
        });
        try (var in = new PipedInputStream(out, BUFFER_BYTES)) {
            new Thread(reading, "read-" + table).start();
            target.copyIn(table, columns, in);
        }
        requireRead(reading, table);
    }

    /** Where the reader fails, the writer sees an early end, and no error. */
    private static void requireRead(FutureTask<Long> reading, String table) throws SQLException {
        try {
            reading.get();
        } catch (ExecutionException failure) {
            throw new SQLException("The rows of " + table + " cannot be read", failure.getCause());
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw new SQLException("The rows of " + table + " were not read to their end", interruption);
        }
    }

    private static final String REMOVE = """
            DELETE FROM %s WHERE project_id = ?%s
            """;

    /** Removes all rows of a project but its own, and those of its members and their invitations, which are at home. */
    void removeAll(UUID project) throws SQLException {
        var tables = new ArrayList<>(FILLED_BY_TRIGGERS); // removals count, so the counts go last
        tables.addAll(moving());
        for (int i = tables.size() - 1; i >= 0; i--) {
            statements.update(REMOVE.formatted(tables.get(i), ofMoving(tables.get(i))), project);
        }
    }

    private static final String COPY_IN = """
            COPY %s (%s) FROM STDIN
            """;

    long copyIn(String table, List<String> columns, InputStream rows) throws SQLException, IOException {
        return copies().copyIn(COPY_IN.formatted(table, list(columns)), rows, BUFFER_BYTES);
    }

    static String list(List<String> names) {
        return names.stream()
                .map(name -> '"' + name.replace("\"", "\"\"") + '"')
                .collect(Collectors.joining(", "));
    }

    private CopyManager copies() throws SQLException {
        return new CopyManager(connection.unwrap(BaseConnection.class));
    }

    private static final String MAKE_OWNER = """
            INSERT INTO memberships (project_id, user_id, role, created_at)
            SELECT ?, id, 'owner', ? FROM users WHERE project_id = ? AND email = ?
            """;

    /** False if no dashboard user has the email. */
    boolean makeOwner(UUID project, String email, Instant now) throws SQLException {
        return statements.update(MAKE_OWNER, project, now.atOffset(ZoneOffset.UTC), ProjectId.SYSTEM.value(), email)
                == 1;
    }

    private static final String NOTIFY = """
            INSERT INTO project_changes (project_id, transaction_id) VALUES (?, pg_current_xact_id())
            """;

    /** Notifies all nodes, so that none still assumes that the project does not exist. */
    void notifyNodes(UUID project) throws SQLException {
        statements.update(NOTIFY, project);
    }

    private static final String ANALYZE = """
            ANALYZE (SKIP_LOCKED) %s
            """;

    /** Plans for small tables would be slow until autovacuum runs. */
    void analyze(List<String> tables) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(ANALYZE.formatted(list(tables)));
        }
    }
}
