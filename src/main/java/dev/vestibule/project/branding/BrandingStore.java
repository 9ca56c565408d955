package dev.vestibule.project.branding;

import dev.vestibule.database.Rows;
import dev.vestibule.json.Change;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.Objects;
import java.util.Optional;

/** The brandings that projects have set; a null column means the default. */
public final class BrandingStore {
    private static final String FIND = """
            SELECT projects.name AS project_name, brand_name, primary_color_start, primary_color_end, light_bg,
                   light_text, dark_bg, dark_text, border_radius, show_email_password, show_divider, terms_url,
                   privacy_url, logo_data_url
            FROM projects LEFT JOIN brandings ON brandings.project_id = projects.id
            WHERE projects.id = $1 AND projects.deleted_at IS NULL
            """;

    /** The branding with defaults filled in; empty if there is no such project, or it has been deleted. */
    Future<Optional<Branding>> find(SqlClient db, ProjectId project) {
        return db.preparedQuery(FIND)
                .execute(Tuple.of(project.value()))
                .map(rows -> Rows.first(rows, BrandingStore::branding));
    }

    private static final String NAME = """
            SELECT brand_name FROM brandings WHERE project_id = $1
            """;

    /** What the project calls itself to its users. */
    public Future<String> name(SqlClient db, Project project) {
        return db.preparedQuery(NAME)
                .execute(Tuple.of(project.id().value()))
                .map(rows -> Rows.first(
                                rows, row -> Objects.requireNonNullElse(row.getString("brand_name"), project.name()))
                        .orElse(project.name()));
    }

    private static final String UPDATE = """
            INSERT INTO brandings AS kept (project_id, brand_name, primary_color_start, primary_color_end, light_bg,
                light_text, dark_bg, dark_text, border_radius, show_email_password, show_divider, terms_url,
                privacy_url, logo_data_url)
            SELECT id, $3::text, $5::text, $7::text, $9::text, $11::text, $13::text, $15::text,
                   $17::double precision, $19::boolean, $21::boolean, $23::text, $25::text, $27::text
            FROM projects WHERE id = $1 AND deleted_at IS NULL
            ON CONFLICT (project_id) DO UPDATE
            SET brand_name = CASE WHEN $2 THEN excluded.brand_name ELSE kept.brand_name END,
                primary_color_start = CASE WHEN $4 THEN excluded.primary_color_start ELSE kept.primary_color_start END,
                primary_color_end = CASE WHEN $6 THEN excluded.primary_color_end ELSE kept.primary_color_end END,
                light_bg = CASE WHEN $8 THEN excluded.light_bg ELSE kept.light_bg END,
                light_text = CASE WHEN $10 THEN excluded.light_text ELSE kept.light_text END,
                dark_bg = CASE WHEN $12 THEN excluded.dark_bg ELSE kept.dark_bg END,
                dark_text = CASE WHEN $14 THEN excluded.dark_text ELSE kept.dark_text END,
                border_radius = CASE WHEN $16 THEN excluded.border_radius ELSE kept.border_radius END,
                show_email_password = CASE WHEN $18 THEN excluded.show_email_password ELSE kept.show_email_password END,
                show_divider = CASE WHEN $20 THEN excluded.show_divider ELSE kept.show_divider END,
                terms_url = CASE WHEN $22 THEN excluded.terms_url ELSE kept.terms_url END,
                privacy_url = CASE WHEN $24 THEN excluded.privacy_url ELSE kept.privacy_url END,
                logo_data_url = CASE WHEN $26 THEN excluded.logo_data_url ELSE kept.logo_data_url END
            """;

    /** The change of each field, if any; null resets it to the default. */
    record Update(
            Change<String> brandName,
            Change<String> primaryColorStart,
            Change<String> primaryColorEnd,
            Change<String> lightBg,
            Change<String> lightText,
            Change<String> darkBg,
            Change<String> darkText,
            Change<Double> borderRadius,
            Change<Boolean> showEmailPassword,
            Change<Boolean> showDivider,
            Change<String> termsUrl,
            Change<String> privacyUrl,
            Change<String> logoDataUrl) {

        private Tuple parameters(ProjectId project) {
            var tuple = Tuple.of(project.value());
            for (var change : new Change<?>[] {
                brandName,
                primaryColorStart,
                primaryColorEnd,
                lightBg,
                lightText,
                darkBg,
                darkText,
                borderRadius,
                showEmailPassword,
                showDivider,
                termsUrl,
                privacyUrl,
                logoDataUrl
            }) {
                tuple.addValue(change.isMade()).addValue(change.value());
            }
            return tuple;
        }
    }

    /** Does nothing if there is no such project, or it has been deleted. */
    Future<Void> update(SqlClient db, ProjectId project, Update update) {
        return db.preparedQuery(UPDATE).execute(update.parameters(project)).mapEmpty();
    }

    private static Branding branding(Row row) {
        var defaults = Branding.defaults(row.getString("project_name"));
        return new Branding(
                Objects.requireNonNullElse(row.getString("brand_name"), defaults.brandName()),
                Objects.requireNonNullElse(row.getString("primary_color_start"), defaults.primaryColorStart()),
                Objects.requireNonNullElse(row.getString("primary_color_end"), defaults.primaryColorEnd()),
                Objects.requireNonNullElse(row.getString("light_bg"), defaults.lightBg()),
                Objects.requireNonNullElse(row.getString("light_text"), defaults.lightText()),
                Objects.requireNonNullElse(row.getString("dark_bg"), defaults.darkBg()),
                Objects.requireNonNullElse(row.getString("dark_text"), defaults.darkText()),
                number(Objects.requireNonNullElse(row.getDouble("border_radius"), defaults.borderRadius())),
                Objects.requireNonNullElse(row.getBoolean("show_email_password"), defaults.showEmailPassword()),
                Objects.requireNonNullElse(row.getBoolean("show_divider"), defaults.showDivider()),
                row.getString("terms_url"),
                row.getString("privacy_url"),
                row.getString("logo_data_url"));
    }

    /** Writes whole pixels as integers: 8, not 8.0. */
    private static Number number(Number radius) {
        var pixels = radius.doubleValue();
        return pixels == Math.rint(pixels) ? (Number) (int) pixels : (Number) pixels;
    }
}
