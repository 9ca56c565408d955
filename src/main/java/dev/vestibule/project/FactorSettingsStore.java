package dev.vestibule.project;

import dev.vestibule.json.Change;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.stream.Stream;

/**
 * The columns of the table {@code projects} that are about factors. A new setting is a column here, a component of {@link
 * FactorSettings} and of {@link Update}, and a line in {@link FactorSettingsResponse} and in the API description.
 */
final class FactorSettingsStore {
    static final String COLUMNS = "password_enabled, totp_enabled";

    static FactorSettings settings(Row row) {
        return new FactorSettings(row.getBoolean("password_enabled"), row.getBoolean("totp_enabled"));
    }

    /** The change of each setting, if any. */
    record Update(Change<Boolean> password, Change<Boolean> totp) {
        static Update read(Fields project) {
            var factors = project.object("factors");
            return new Update(
                    factors.replacement("password", FieldType.bool()), factors.replacement("totp", FieldType.bool()));
        }

        boolean isMade() {
            return Stream.of(password, totp).anyMatch(Change::isMade);
        }
    }

    private static final String UPDATE = """
            UPDATE projects
            SET password_enabled = coalesce($2, password_enabled),
                totp_enabled = coalesce($3, totp_enabled)
            WHERE id = $1 AND deleted_at IS NULL
            """;

    /** Before the other settings, whose statement returns the project as it is then. */
    Future<Void> update(SqlClient transaction, ProjectId project, Update update) {
        return update.isMade()
                ? transaction
                        .preparedQuery(UPDATE)
                        .execute(Tuple.of(
                                project.value(),
                                update.password().value(),
                                update.totp().value()))
                        .mapEmpty()
                : Future.succeededFuture();
    }
}
