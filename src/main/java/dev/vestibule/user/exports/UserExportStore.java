package dev.vestibule.user.exports;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserRows;
import dev.vestibule.user.exports.ExportedUser.Identity;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Reads users with their identities and, if requested, their password hashes. */
public final class UserExportStore {
    private final Catalogue catalogue;

    public UserExportStore(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    private static final String PAGE = """
            SELECT %s, CASE WHEN $4::boolean THEN users.password_hash END AS hash,
                   linked.providers, linked.issuers, linked.subjects
            FROM users CROSS JOIN LATERAL (
                SELECT array_agg(provider ORDER BY created_at, provider) AS providers,
                       array_agg(issuer ORDER BY created_at, provider) AS issuers,
                       array_agg(subject ORDER BY created_at, provider) AS subjects
                FROM identities WHERE project_id = $1 AND user_id = users.id) AS linked
            WHERE users.project_id = $1 AND users.id > $2
            ORDER BY users.id LIMIT $3
            """.formatted(UserRows.MANAGED_COLUMNS);

    /** The next users after the given id, in the order of the ids. */
    Future<List<ExportedUser>> page(SqlClient db, ProjectId project, UUID after, int limit, boolean withHashes) {
        return Sql.run(db, PAGE, project, after, limit, withHashes).map(rows -> Rows.all(rows, this::exported));
    }

    private ExportedUser exported(Row row) {
        var providers = row.getArrayOfStrings("providers");
        var identities = new ArrayList<Identity>();
        for (int i = 0; providers != null && i < providers.length; i++) {
            identities.add(
                    identity(providers[i], row.getArrayOfStrings("issuers")[i], row.getArrayOfStrings("subjects")[i]));
        }
        return ExportedUser.of(UserRows.managed(row), row.getString("hash"), identities);
    }

    private Identity identity(String provider, String issuer, String subject) {
        var isSameForAll = Provider.find(provider).flatMap(catalogue::issuer).isPresent();
        return new Identity(provider, isSameForAll ? null : issuer, subject);
    }
}
