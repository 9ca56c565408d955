package dev.vestibule.project.member;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The open invitations, which nobody has accepted yet. */
final class InvitationStore {
    static final OldRows EXPIRED = OldRows.by("invitations", "expires_at");

    /** A repeated invitation keeps its id, and its last token is invalid at once. */
    private static final String PUT = """
            INSERT INTO invitations (project_id, id, email, role, created_at, expires_at, invited_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (project_id, email) DO UPDATE SET role = $4, token_hash = NULL, expires_at = $6, invited_by = $7
            RETURNING id, email, role, created_at, expires_at
            """;

    Future<Member> put(SqlClient transaction, Invitation invitation, UserId inviter, Instant now, Instant expiresAt) {
        return Sql.run(
                        transaction,
                        PUT,
                        invitation.project(),
                        invitation.id(),
                        invitation.email(),
                        invitation.role().text(),
                        now,
                        expiresAt,
                        inviter)
                .map(rows -> Rows.single(rows, row -> MemberStore.invited(row, now)));
    }

    private static final String COUNT_OTHERS = """
            SELECT count(*) AS others FROM invitations WHERE project_id = $1 AND email <> $2
            """;

    /** How many invitations to other addresses the project has. */
    Future<Long> countOthers(SqlClient db, ProjectId project, String email) {
        return Sql.run(db, COUNT_OTHERS, project, email).map(rows -> Rows.single(rows, row -> row.getLong("others")));
    }

    private static final String SET_TOKEN = """
            UPDATE invitations SET token_hash = $3, expires_at = $4 WHERE project_id = $1 AND email = $2 RETURNING id
            """;

    /** Returns the invitation's id; empty if the address is no longer invited. */
    Future<Optional<UUID>> setToken(
            SqlClient db, ProjectId project, String email, Buffer tokenHash, Instant expiresAt) {
        return Sql.run(db, SET_TOKEN, project, email, tokenHash, expiresAt)
                .map(rows -> Rows.first(rows, row -> row.getUUID("id")));
    }

    private static final String FIND = """
            SELECT email, role, token_hash, expires_at FROM invitations WHERE project_id = $1 AND id = $2
            """;

    /** An invitation, and the hash that its token must match. */
    record Sent(Invitation invitation, @Nullable Buffer tokenHash, Instant expiresAt) {}

    Future<Optional<Sent>> find(SqlClient db, ProjectId project, UUID id) {
        return Sql.run(db, FIND, project, id)
                .map(rows -> Rows.first(
                        rows,
                        row -> new Sent(
                                new Invitation(project, id, row.getString("email"), Role.of(row.getString("role"))),
                                row.getBuffer("token_hash"),
                                Rows.instant(row, "expires_at"))));
    }

    private static final String CHANGE_ROLE = """
            UPDATE invitations SET role = $3, invited_by = $4 WHERE project_id = $1 AND id = $2
            RETURNING id, email, role, created_at, expires_at
            """;

    /**
     * Empty if there is no such invitation. From now on it is the invitation of who has changed it, and ends with their
     * own right to invite.
     */
    Future<Optional<Member>> changeRole(SqlClient db, ProjectId project, UUID id, Role role, UserId by, Instant now) {
        return Sql.run(db, CHANGE_ROLE, project, id, role.text(), by)
                .map(rows -> Rows.first(rows, row -> MemberStore.invited(row, now)));
    }

    private static final String REMOVE_OF = """
            DELETE FROM invitations WHERE project_id = $1 AND invited_by = $2
            """;

    /** Withdraws what a member has sent who was removed or demoted, and could come back by an address of their own. */
    Future<Void> removeOf(SqlClient transaction, ProjectId project, UserId inviter) {
        return Sql.run(transaction, REMOVE_OF, project, inviter).mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM invitations WHERE project_id = $1 AND id = $2
            """;

    /** False if there is no such invitation. */
    Future<Boolean> remove(SqlClient db, ProjectId project, UUID id) {
        return Sql.run(db, REMOVE, project, id).map(rows -> rows.rowCount() == 1);
    }
}
