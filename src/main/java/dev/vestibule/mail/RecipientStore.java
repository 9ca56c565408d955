package dev.vestibule.mail;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.mail.MailBranding.Colours;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the user with an address, and what a mail needs of the project, in one query. */
final class RecipientStore {
    /** The user with the address at the time of sending, and the branding and the reset page of the project. */
    record Recipient(
            UserId id,
            @Nullable String displayName,
            boolean emailVerified,
            boolean isBanned,
            MailBranding brand,
            @Nullable String passwordResetUrl) {}

    private static final String BRANDING = "projects.name, brandings.brand_name, brandings.primary_color_start,"
            + " brandings.primary_color_end, brandings.light_bg, brandings.light_text, brandings.dark_bg,"
            + " brandings.dark_text, brandings.border_radius, brandings.logo_data_url, message_texts.texts";

    private static final String FIND = """
            SELECT users.id, users.display_name, users.email_verified, users.is_banned, projects.password_reset_url, %s
            FROM projects
            JOIN users ON users.project_id = projects.id AND users.email = $2
            LEFT JOIN brandings ON brandings.project_id = projects.id
            LEFT JOIN message_texts ON message_texts.project_id = projects.id
                AND message_texts.message = $3 AND message_texts.language = $4
            WHERE projects.id = $1 AND projects.deleted_at IS NULL
            """.formatted(BRANDING);

    /** Empty if no user has the address, or the project has been deleted. */
    Future<Optional<Recipient>> find(SqlClient db, OutboxMessage queued) {
        return Sql.run(
                        db,
                        FIND,
                        queued.project(),
                        queued.recipient(),
                        queued.phrases(),
                        queued.language().text())
                .map(rows -> Rows.first(rows, RecipientStore::recipient));
    }

    private static Recipient recipient(Row row) {
        return new Recipient(
                new UserId(row.getUUID("id")),
                row.getString("display_name"),
                row.getBoolean("email_verified"),
                row.getBoolean("is_banned"),
                branding(row),
                row.getString("password_reset_url"));
    }

    private static final String FIND_BRANDING = """
            SELECT %s
            FROM projects LEFT JOIN brandings ON brandings.project_id = projects.id
            LEFT JOIN message_texts ON message_texts.project_id = projects.id
                AND message_texts.message = $2 AND message_texts.language = $3
            WHERE projects.id = $1 AND projects.deleted_at IS NULL
            """.formatted(BRANDING);

    /** For a mail to a person who need not be a user; empty if the project has been deleted. */
    Future<Optional<MailBranding>> findBranding(SqlClient db, OutboxMessage queued) {
        return Sql.run(
                        db,
                        FIND_BRANDING,
                        queued.project(),
                        queued.phrases(),
                        queued.language().text())
                .map(rows -> Rows.first(rows, RecipientStore::branding));
    }

    private static MailBranding branding(Row row) {
        return MailBranding.of(
                Objects.requireNonNullElse(row.getString("brand_name"), row.getString("name")),
                new Colours(
                        row.getString("primary_color_start"),
                        row.getString("primary_color_end"),
                        row.getString("light_bg"),
                        row.getString("light_text"),
                        row.getString("dark_bg"),
                        row.getString("dark_text")),
                row.getInteger("border_radius"),
                row.getString("logo_data_url"),
                MessageTextStore.texts(row, "texts"));
    }
}
