package dev.vestibule.project;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Shard;
import dev.vestibule.database.Sql;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of projects that a move has copied and that are not known to be here. */
final class ArrivedProjectStore {
    private static final String ARRIVING = """
            SELECT id, shard, xmin::text AS version FROM projects
            WHERE (leaves_until IS NOT NULL OR arrives OR has_left_rows) AND arrives
            """;

    /**
     * A project that may have arrived.
     *
     * @param version of its row: another attempt to move the project writes another one
     */
    record Arriving(ProjectId project, Shard from, String version) {}

    /** All of this database; mostly none. */
    Future<List<Arriving>> arriving(SqlClient db) {
        return Sql.run(db, ARRIVING)
                .map(rows -> Rows.all(
                        rows,
                        row -> new Arriving(
                                new ProjectId(row.getUUID("id")),
                                new Shard(row.getString("shard")),
                                row.getString("version"))));
    }

    /** Locks the row, so that a switch that is being committed is waited for. */
    private static final String ORIGIN = """
            SELECT shard, arrives, deleted_at IS NOT NULL AS is_deleted,
                   coalesce(leaves_until > clock_timestamp() - interval '1 hour', false) AS was_held_lately
            FROM projects WHERE id = $1
            FOR SHARE
            """;

    /**
     * What the database says from which a project arrives.
     *
     * @param wasHeldLately whether a move holds it, or did in the last hour, so that it may be repeated
     */
    record Origin(@Nullable Shard shard, boolean arrives, boolean isDeleted, boolean wasHeldLately) {
        /** Whether the project has left it for this database. */
        boolean hasLeftFor(Shard here) {
            return !arrives && here.equals(shard);
        }

        /** Whether nobody will go on with the move, so that the copy is of no use. */
        boolean hasGivenUp(Shard here) {
            return isDeleted || (!arrives && !Objects.equals(here, shard) && !wasHeldLately);
        }
    }

    /** Empty if that database knows of no such project. */
    Future<Optional<Origin>> origin(SqlClient db, ProjectId project) {
        return Sql.run(db, ORIGIN, project)
                .map(rows -> Rows.first(rows, row -> {
                    var shard = row.getString("shard");
                    return new Origin(
                            shard == null ? null : new Shard(shard),
                            row.getBoolean("arrives"),
                            row.getBoolean("is_deleted"),
                            row.getBoolean("was_held_lately"));
                }));
    }

    private static final String ARRIVE = """
            WITH arrived AS (
                UPDATE projects SET shard = NULL, arrives = false
                WHERE id = $1 AND arrives AND xmin::text = $2
                RETURNING id)
            INSERT INTO project_changes (project_id, transaction_id) SELECT id, pg_current_xact_id() FROM arrived
            """;

    /** The project is here from now on, and all nodes are told. */
    Future<Void> arrive(SqlClient db, Arriving project) {
        return Sql.run(db, ARRIVE, project.project(), project.version()).mapEmpty();
    }

    private static final String GIVE_UP = """
            UPDATE projects SET arrives = false, has_left_rows = true, slug = CASE WHEN $3 THEN slug ELSE id::text END
            WHERE id = $1 AND arrives AND xmin::text = $2
            """;

    /** The copy is removed like what a move leaves; only at home, the slug is kept. */
    Future<Void> giveUp(SqlClient db, Arriving project, boolean isHome) {
        return Sql.run(db, GIVE_UP, project.project(), project.version(), isHome)
                .mapEmpty();
    }

    private static final String POINT = """
            WITH pointing AS (
                UPDATE projects SET shard = $2, arrives = false, has_left_rows = has_left_rows OR arrives
                WHERE id = $1 AND shard IS NOT NULL AND NOT (arrives AND shard = $2)
                RETURNING id)
            INSERT INTO project_changes (project_id, transaction_id) SELECT id, pg_current_xact_id() FROM pointing
            """;

    /**
     * Says at home where the project is. The copy of a move to home that was given up is removed; that of one which
     * comes from there by now stays.
     */
    Future<Void> point(SqlClient home, ProjectId project, Shard to) {
        return Sql.run(home, POINT, project, to.name()).mapEmpty();
    }
}
