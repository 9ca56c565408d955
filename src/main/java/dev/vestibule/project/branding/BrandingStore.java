package dev.vestibule.project.branding;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.json.Change;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The brandings that projects have set; a null column means the default. */
public final class BrandingStore {
    /** The client libraries have a button for each of these; their page fails on any other name. */
    private static final Set<String> KNOWN_TO_CLIENTS =
            Set.of("google", "apple", "kakao", "naver", "facebook", "github", "discord", "x", "line", "microsoft");

    /** The columns that members set. */
    private static final String COLUMNS =
            "brand_name, primary_color_start, primary_color_end, light_bg, light_text, dark_bg,"
                    + " dark_text, border_radius, show_email_password, show_divider, terms_url, privacy_url, logo_data_url,"
                    + " provider_order, hidden_providers, custom_css, show_secured_by";

    private static final String FIND = """
            SELECT projects.name AS project_name, projects.locale, projects.passwordless_enabled, projects.wallets_enabled,
                   projects.passkeys_enabled
                       AND (projects.allowed_origins <> '{}' OR projects.passkey_origins <> '{}') AS has_passkeys,
                   coalesce(projects.magic_link_url, projects.callback_url) IS NOT NULL AS has_magic_links,
                   CASE WHEN projects.captcha_provider = 'turnstile' AND projects.captcha_demand <> 'never'
                       THEN projects.captcha_site_key END AS turnstile_site_key, %s,
                   ARRAY(SELECT provider FROM identity_providers WHERE project_id = projects.id AND enabled
                           AND organization_id IS NULL
                         ORDER BY provider) AS enabled_providers
            FROM projects LEFT JOIN brandings ON brandings.project_id = projects.id
            WHERE projects.id = $1 AND projects.deleted_at IS NULL
            """.formatted(COLUMNS);

    /** The branding with defaults filled in; empty if there is no such project, or it has been deleted. */
    public Future<Optional<Branding>> find(SqlClient db, ProjectId project) {
        return Sql.run(db, FIND, project).map(rows -> Rows.first(rows, BrandingStore::branding));
    }

    private static final String NAME = """
            SELECT brand_name FROM brandings WHERE project_id = $1
            """;

    /** The name that the project shows to its users. */
    public Future<String> name(SqlClient db, Project project) {
        return Sql.run(db, NAME, project.id())
                .map(rows -> Rows.first(
                                rows, row -> Objects.requireNonNullElse(row.getString("brand_name"), project.name()))
                        .orElse(project.name()));
    }

    /** Fields that a change does not name keep their values. */
    private static final String UPDATE = """
            INSERT INTO brandings AS kept (project_id, %1$s)
            SELECT projects.id, %1$s
            FROM projects CROSS JOIN jsonb_populate_record(NULL::brandings, $2::jsonb)
            WHERE projects.id = $1 AND deleted_at IS NULL
            ON CONFLICT (project_id) DO UPDATE
            SET (%1$s) = (SELECT %1$s FROM jsonb_populate_record(kept, $2::jsonb))
            """.formatted(COLUMNS);

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

        private JsonObject columns() {
            var columns = new JsonObject();
            put(columns, "brand_name", brandName);
            put(columns, "primary_color_start", primaryColorStart);
            put(columns, "primary_color_end", primaryColorEnd);
            put(columns, "light_bg", lightBg);
            put(columns, "light_text", lightText);
            put(columns, "dark_bg", darkBg);
            put(columns, "dark_text", darkText);
            put(columns, "border_radius", borderRadius);
            put(columns, "show_email_password", showEmailPassword);
            put(columns, "show_divider", showDivider);
            put(columns, "terms_url", termsUrl);
            put(columns, "privacy_url", privacyUrl);
            put(columns, "logo_data_url", logoDataUrl);
            put(columns, "provider_order", providerOrder);
            put(columns, "hidden_providers", hiddenProviders);
            put(columns, "custom_css", customCss);
            put(columns, "show_secured_by", showSecuredBy);
            return columns;
        }

        private static void put(JsonObject columns, String column, Change<?> change) {
            if (change.isMade()) {
                columns.put(column, change.value());
            }
        }
    }

    /** Does nothing if there is no such project, or it has been deleted. */
    Future<Void> update(SqlClient db, ProjectId project, Update update) {
        return Sql.run(db, UPDATE, project, update.columns()).mapEmpty();
    }

    private static Branding branding(Row row) {
        var name = row.getString("brand_name");
        var locale = row.getString("locale");
        var siteKey = row.getString("turnstile_site_key");
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
                row.getBoolean("wallets_enabled"),
                siteKey != null,
                siteKey == null ? "" : siteKey);
    }

    private static String color(Row row, String column, String defaultValue) {
        return Objects.requireNonNullElse(row.getString(column), defaultValue);
    }

    /** The providers that the project hides, and the enabled ones that clients do not know and fail on. */
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
