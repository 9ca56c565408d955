package dev.vestibule.user;

import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.sqlclient.Row;

/** The columns of a user, and the mapping of a row to {@link User}. */
public final class UserRows {
    /** For a statement that selects from {@code users}. */
    public static final String COLUMNS = """
            users.id, users.project_id, users.email, users.display_name, users.avatar_url, users.phone,
            users.email_verified, users.phone_verified, users.is_banned, users.public_metadata,
            users.sign_in_count, users.last_sign_in_at, users.created_at, users.updated_at""";

    private UserRows() {}

    public static User user(Row row) {
        var metadata = row.getJsonObject("public_metadata");
        return new User(
                new UserId(row.getUUID("id")),
                new ProjectId(row.getUUID("project_id")),
                row.getString("email"),
                row.getString("display_name"),
                row.getString("avatar_url"),
                row.getString("phone"),
                row.getBoolean("email_verified"),
                row.getBoolean("phone_verified"),
                row.getBoolean("is_banned"),
                metadata == null ? null : metadata.getMap(),
                row.getInteger("sign_in_count"),
                Rows.optionalInstant(row, "last_sign_in_at"),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }
}
