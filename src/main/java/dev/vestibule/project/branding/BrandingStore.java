package dev.vestibule.project.branding;

import dev.vestibule.database.Rows;
import dev.vestibule.json.Change;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.branding.Branding.Unavailable;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The brandings that projects have set; a null column means the default. */
public final class BrandingStore {
    /** The client libraries have a button for each of these; their page fails at any other name. */
    private static final Set<String> KNOWN_TO_CLIENTS =
            Set.of("google", "apple", "kakao", "naver", "facebook", "github", "discord", "x", "line", "microsoft");

    private static final String FIND = """
            SELECT projects.name AS project_name, projects.locale, projects.passwordless_enabled, projects.passkeys_enabled
                       AND (projects.allowed_origins <> '{}' OR projects.passkey_origins <> '{}') AS has_passkeys,
                   coalesce(projects.magic_link_url, projects.callback_url) IS NOT NULL AS has_magic_links, brand_name, primary_color_start, primary_color_end, light_bg,
                   light_text, dark_bg, dark_text, border_radius, show_email_password, show_divider, terms_url,
                   privacy_url, logo_data_url, provider_order, hidden_providers, custom_css, show_secured_by,
                   ARRAY(SELECT provider FROM identity_providers WHERE project_id = projects.id AND enabled
                         ORDER BY provider) AS enabled_providers
            FROM projects LEFT JOIN brandings ON brandings.project_id = projects.id
            WHERE projects.id = $1 AND projects.deleted_at IS NULL
            """;

    /** The branding with defaults filled in; empty if there is no such project, or it has been deleted. */
    public Future<Optional<Branding>> find(SqlClient db, ProjectId project) {
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
                privacy_url, logo_data_url, provider_order, hidden_providers, custom_css, show_secured_by)
            SELECT id, $3::text, $5::text, $7::text, $9::text, $11::text, $13::text, $15::text,
                   $17::integer, $19::boolean, $21::boolean, $23::text, $25::text, $27::text,
                   $29::text[], $31::text[], $33::text, $35::boolean
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
                logo_data_url = CASE WHEN $26 THEN excluded.logo_data_url ELSE kept.logo_data_url END,
                provider_order = CASE WHEN $28 THEN excluded.provider_order ELSE kept.provider_order END,
                hidden_providers = CASE WHEN $30 THEN excluded.hidden_providers ELSE kept.hidden_providers END,
                custom_css = CASE WHEN $32 THEN excluded.custom_css ELSE kept.custom_css END,
                show_secured_by = CASE WHEN $34 THEN excluded.show_secured_by ELSE kept.show_secured_by END
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
            Change<Integer> borderRadius,
            Change<Boolean> showEmailPassword,
            Change<Boolean> showDivider,
            Change<String> termsUrl,
            Change<String> privacyUrl,
            Change<String> logoDataUrl,
            Change<List<String>> providerOrder,
            Change<List<String>> hiddenProviders,
            Change<String> customCss,
            Change<Boolean> showSecuredBy) {

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
                logoDataUrl,
                providerOrder,
                hiddenProviders,
                customCss,
                showSecuredBy
            }) {
                tuple.addValue(change.isMade())
                        .addValue(
                                change.value() instanceof List<?> texts
                                        ? texts.toArray(String[]::new)
                                        : change.value());
            }
            return tuple;
        }
    }

    /** Does nothing if there is no such project, or it has been deleted. */
    Future<Void> update(SqlClient db, ProjectId project, Update update) {
        return db.preparedQuery(UPDATE).execute(update.parameters(project)).mapEmpty();
    }

    private static Branding branding(Row row) {
        var name = row.getString("brand_name");
        var locale = row.getString("locale");
        return new Branding(
                name == null ? BrandingFields.shownName(row.getString("project_name")) : name,
                color(row, "primary_color_start", DefaultBranding.PRIMARY_START),
                color(row, "primary_color_end", DefaultBranding.PRIMARY_END),
                color(row, "light_bg", DefaultBranding.LIGHT_BACKGROUND),
                color(row, "light_text", DefaultBranding.LIGHT_TEXT),
                color(row, "dark_bg", DefaultBranding.DARK_BACKGROUND),
                color(row, "dark_text", DefaultBranding.DARK_TEXT),
                Objects.requireNonNullElse(row.getInteger("border_radius"), DefaultBranding.BORDER_RADIUS),
                Objects.requireNonNullElse(row.getBoolean("show_email_password"), true),
                Objects.requireNonNullElse(row.getBoolean("show_divider"), true),
                row.getString("terms_url"),
                row.getString("privacy_url"),
                row.getString("logo_data_url"),
                texts(row, "provider_order"),
                hiddenProviders(row),
                texts(row, "hidden_providers"),
                Objects.requireNonNullElse(row.getString("custom_css"), ""),
                locale == null ? Language.EN.text() : locale,
                Objects.requireNonNullElse(row.getBoolean("show_secured_by"), false),
                row.getBoolean("passwordless_enabled"),
                row.getBoolean("has_magic_links") ? "both" : "email_otp",
                row.getBoolean("has_passkeys"),
                Unavailable.ALL);
    }

    private static String color(Row row, String column, String byDefault) {
        return Objects.requireNonNullElse(row.getString(column), byDefault);
    }

    /** Those that the project hides, and the enabled ones that break clients, which know a few names only. */
    private static List<String> hiddenProviders(Row row) {
        return Stream.concat(
                        texts(row, "hidden_providers").stream(),
                        texts(row, "enabled_providers").stream()
                                .filter(provider -> !KNOWN_TO_CLIENTS.contains(provider)))
                .distinct()
                .toList();
    }

    private static List<String> texts(Row row, String column) {
        var texts = row.getArrayOfStrings(column);
        return texts == null ? List.of() : List.of(texts);
    }
}
