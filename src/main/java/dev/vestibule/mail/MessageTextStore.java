package dev.vestibule.mail;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The texts that projects have written: a row for each message and language, with those parts that differ from the
 * server's. They are read with the branding when a message is sent, in the statements of {@link RecipientStore} and of
 * SMS.
 */
public final class MessageTextStore {
    /** The texts of a message in one language, by part. */
    public record Written(String message, String language, Map<String, String> texts) {
        /** The texts of one message and language; empty if it has the server's. */
        public static Map<String, String> texts(List<Written> all, MessageKind kind, Language language) {
            return all.stream()
                    .filter(written -> written.message().equals(kind.key())
                            && written.language().equals(language.text()))
                    .findFirst()
                    .map(Written::texts)
                    .orElse(Map.of());
        }
    }

    private static final String LIST = """
            SELECT message, language, texts FROM message_texts WHERE project_id = $1 ORDER BY message, language
            """;

    /** All texts of a project: at most one row for each message and language. */
    public Future<List<Written>> list(SqlClient db, ProjectId project) {
        return Sql.run(db, LIST, project)
                .map(rows -> Rows.all(
                        rows,
                        row -> new Written(row.getString("message"), row.getString("language"), texts(row, "texts"))));
    }

    private static final String SAVE = """
            INSERT INTO message_texts (project_id, message, language, texts)
            SELECT projects.id, $2::text, $3::text, $4::jsonb
            FROM projects WHERE projects.id = $1 AND deleted_at IS NULL
            ON CONFLICT (project_id, message, language) DO UPDATE SET texts = excluded.texts
            """;

    /** Does nothing if there is no such project, or it has been deleted. */
    Future<Void> save(SqlClient db, ProjectId project, MessageKind kind, Language language, Map<String, String> texts) {
        var json = new JsonObject();
        texts.forEach(json::put);
        return Sql.run(db, SAVE, project, kind.key(), language.text(), json).mapEmpty();
    }

    private static final String DELETE = """
            DELETE FROM message_texts WHERE project_id = $1 AND message = $2 AND language = $3
            """;

    Future<Boolean> delete(SqlClient db, ProjectId project, MessageKind kind, Language language) {
        return Sql.run(db, DELETE, project, kind.key(), language.text()).map(rows -> rows.rowCount() == 1);
    }

    /** The texts in a column of another statement, which is null without any. */
    public static Map<String, String> texts(Row row, String column) {
        @Nullable JsonObject texts = row.getJsonObject(column);
        return texts == null
                ? Map.of()
                : texts.stream().collect(Collectors.toMap(Map.Entry::getKey, text -> String.valueOf(text.getValue())));
    }
}
