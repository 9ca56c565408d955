package dev.vestibule.access.captcha;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.database.SealedTable;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SealedSecrets;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The secret keys of projects' accounts with captcha providers, sealed under the master secret. */
public final class SiteSecretStore {
    static final SealedTable SEALED = SealedTable.of("captcha_secrets", List.of(), List.of("sealed_secret"));

    private final Sealer sealer;

    SiteSecretStore(Sealer sealer) {
        this.sealer = sealer;
    }

    private static final String PUT = """
            INSERT INTO captcha_secrets (project_id, sealed_secret)
            SELECT id, $2::bytea FROM projects WHERE id = $1 AND deleted_at IS NULL
            ON CONFLICT (project_id) DO UPDATE SET sealed_secret = excluded.sealed_secret
            """;

    Future<Void> put(SqlClient db, ProjectId project, String secret) {
        var sealed = sealer.seal(secret.getBytes(StandardCharsets.UTF_8), context(project));
        return Sql.run(db, PUT, project, Buffer.buffer(sealed)).mapEmpty();
    }

    private static final String FIND = """
            SELECT sealed_secret FROM captcha_secrets WHERE project_id = $1
            """;

    Future<Optional<String>> find(SqlClient db, ProjectId project) {
        return Sql.run(db, FIND, project)
                .map(rows -> Rows.first(rows, row -> row.getBuffer("sealed_secret"))
                        .map(secret ->
                                new String(sealer.open(secret.getBytes(), context(project)), StandardCharsets.UTF_8)));
    }

    private static final String EXISTS = """
            SELECT FROM captcha_secrets WHERE project_id = $1
            """;

    /** Whether the project has set a secret. */
    public static Future<Boolean> exists(SqlClient db, ProjectId project) {
        return Sql.run(db, EXISTS, project).map(rows -> rows.size() > 0);
    }

    SealedSecrets sealedSecrets() {
        return new SealedSecrets("captcha providers", SEALED, true, sealer, (project, none) -> context(project));
    }

    /** Binds a sealed secret to its project. */
    private static byte[] context(ProjectId project) {
        return ("captcha secret " + project).getBytes(StandardCharsets.UTF_8);
    }
}
