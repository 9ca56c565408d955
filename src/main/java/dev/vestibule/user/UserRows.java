package dev.vestibule.user;

import dev.vestibule.database.Rows;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectId;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of a user, and the mapping of a row to {@link User}. */
public final class UserRows {
    /** For a statement that selects from {@code users}. */
    public static final String COLUMNS = """
            users.id, users.project_id, users.email, users.display_name, users.avatar_url, users.phone,
            users.external_id, users.email_verified, users.phone_verified, users.is_banned,
            users.second_factors, users.public_metadata::text,
            users.sign_in_count, users.last_sign_in_at, users.created_at, users.updated_at,
            users.enrolment_from""";

    /** With the columns that only {@link ManagedUser} shows. */
    public static final String MANAGED_COLUMNS = COLUMNS + ", users.private_metadata::text";

    /** With the password hash that a sign in compares. */
    public static final String ACCOUNT_COLUMNS = COLUMNS + ", users.password_hash";

    private UserRows() {}

    public static ManagedUser managed(Row row) {
        return new ManagedUser(user(row), object(row, "private_metadata"));
    }

    public static Account account(Row row) {
        return new Account(user(row), row.getString("password_hash"));
    }

    public static User user(Row row) {
        return new User(
                new UserId(row.getUUID("id")),
                new ProjectId(row.getUUID("project_id")),
                row.getString("email"),
                row.getString("display_name"),
                row.getString("avatar_url"),
                row.getString("phone"),
                row.getString("external_id"),
                row.getBoolean("email_verified"),
                row.getBoolean("phone_verified"),
                row.getBoolean("is_banned"),
                new SecondFactors(List.of(row.getArrayOfStrings("second_factors"))),
                object(row, "public_metadata"),
                row.getInteger("sign_in_count"),
                Rows.optionalInstant(row, "last_sign_in_at"),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"),
                Rows.optionalInstant(row, "enrolment_from"));
    }

    private static @Nullable Map<String, Object> object(Row row, String column) {
        var text = row.getString(column); // as text: the client would round the numbers of a JSON value
        return text == null ? null : Json.storedObject(text);
    }
}
