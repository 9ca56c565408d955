package dev.vestibule.project.member;

import dev.vestibule.database.Rows;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;

/** The members of a project: memberships, and whose they are. */
public final class MemberStore {
    private static final String LIST = """
            SELECT users.id, users.email, users.display_name, memberships.role, memberships.created_at
            FROM memberships JOIN users ON users.project_id = $2 AND users.id = memberships.user_id
            WHERE memberships.project_id = $1
            ORDER BY memberships.created_at DESC, users.id DESC
            LIMIT $3 OFFSET $4
            """;

    /** The newest members first. */
    public Future<List<Member>> list(SqlClient db, ProjectId project, Page page) {
        return db.preparedQuery(LIST)
                .execute(Tuple.of(project.value(), ProjectId.SYSTEM.value(), page.limit(), page.offset()))
                .map(rows -> Rows.all(rows, MemberStore::member));
    }

    private static final String COUNT = """
            SELECT count(*) AS total
            FROM memberships JOIN users ON users.project_id = $2 AND users.id = memberships.user_id
            WHERE memberships.project_id = $1
            """;

    public Future<Long> count(SqlClient db, ProjectId project) {
        return db.preparedQuery(COUNT)
                .execute(Tuple.of(project.value(), ProjectId.SYSTEM.value()))
                .map(rows -> rows.iterator().next().getLong("total"));
    }

    private static final String FIND = """
            SELECT users.id, users.email, users.display_name, memberships.role, memberships.created_at
            FROM memberships JOIN users ON users.project_id = $2 AND users.id = memberships.user_id
            WHERE memberships.project_id = $1 AND memberships.user_id = $3
            """;

    /** Empty where the dashboard user is no member. */
    public Future<Optional<Member>> find(SqlClient db, ProjectId project, UserId member) {
        return db.preparedQuery(FIND)
                .execute(Tuple.of(project.value(), ProjectId.SYSTEM.value(), member.value()))
                .map(rows -> Rows.first(rows, MemberStore::member));
    }

    private static Member member(Row row) {
        return new Member(
                new UserId(row.getUUID("id")),
                row.getString("email"),
                row.getString("display_name"),
                Role.of(row.getString("role")),
                Rows.instant(row, "created_at"));
    }
}
