package dev.vestibule.project;

import dev.vestibule.database.Rows;
import dev.vestibule.json.Change;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.WebUrl;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of the table {@code projects} that are about factors. A new setting is a column here, a component of {@link
 * FactorSettings} and of {@link Update}, and a line in {@link FactorSettingsResponse} and in the API description.
 */
final class FactorSettingsStore {
    private static final int MAX_ORIGINS = 100;

    static final String COLUMNS =
            "password_enabled, totp_enabled, mfa_required_since, passwordless_enabled, sms_enabled,"
                    + " passwordless_sign_up, magic_link_url, passkeys_enabled, passkey_rp_id, passkey_origins";

    static FactorSettings settings(Row row) {
        return new FactorSettings(
                row.getBoolean("password_enabled"),
                row.getBoolean("totp_enabled"),
                Rows.optionalInstant(row, "mfa_required_since"),
                row.getBoolean("passwordless_enabled"),
                row.getBoolean("sms_enabled"),
                row.getBoolean("passwordless_sign_up"),
                row.getString("magic_link_url"),
                new PasskeySettings(
                        row.getBoolean("passkeys_enabled"),
                        row.getString("passkey_rp_id"),
                        List.of(row.getArrayOfStrings("passkey_origins"))));
    }

    /** The change of each setting, if any. */
    record Update(
            Change<Boolean> password,
            Change<Boolean> totp,
            Change<MfaRequirement> requireMfa,
            Change<Boolean> passwordless,
            Change<Boolean> sms,
            Change<Boolean> passwordlessSignUp,
            Change<String> magicLinkUrl,
            Change<Boolean> passkeys,
            Change<String> passkeyRpId,
            Change<List<String>> passkeyOrigins) {
        static Update read(Fields project) {
            var factors = project.object("factors");
            return new Update(
                    factors.replacement("password", FieldType.bool()),
                    factors.replacement("totp", FieldType.bool()),
                    project.replacement("requireMfa", MfaRequirement::of),
                    factors.replacement("passwordless", FieldType.bool()),
                    factors.replacement("sms", FieldType.bool()),
                    project.replacement("passwordlessSignUp", FieldType.bool()),
                    project.change("magicLinkUrl", WebUrl::absolute),
                    factors.replacement("passkeys", FieldType.bool()),
                    project.change("passkeyRpId", ProjectFields::rpId),
                    project.replacement(
                            "passkeyOrigins", FieldType.strings(MAX_ORIGINS, ProjectFields::passkeyOrigin)));
        }

        boolean isMade() {
            return Stream.of(
                            password,
                            totp,
                            requireMfa,
                            passwordless,
                            sms,
                            passwordlessSignUp,
                            magicLinkUrl,
                            passkeys,
                            passkeyRpId,
                            passkeyOrigins)
                    .anyMatch(Change::isMade);
        }
    }

    private static final String UPDATE = """
            UPDATE projects
            SET password_enabled = coalesce($2, password_enabled),
                totp_enabled = coalesce($3, totp_enabled),
                mfa_required_since = CASE $4::text
                    WHEN 'off' THEN NULL
                    WHEN 'required' THEN coalesce(mfa_required_since, $5)
                    ELSE mfa_required_since END,
                passwordless_enabled = coalesce($6, passwordless_enabled),
                passwordless_sign_up = coalesce($7, passwordless_sign_up),
                magic_link_url = CASE WHEN $8 THEN $9 ELSE magic_link_url END,
                sms_enabled = coalesce($10, sms_enabled),
                passkeys_enabled = coalesce($11, passkeys_enabled),
                passkey_rp_id = CASE WHEN $12 THEN $13 ELSE passkey_rp_id END,
                passkey_origins = coalesce($14::text[], passkey_origins)
            WHERE id = $1 AND deleted_at IS NULL
            """;

    /**
     * Before the other settings, whose statement returns the project as it is then. Requiring second factors again does not
     * begin a new grace.
     */
    Future<Void> update(SqlClient transaction, ProjectId project, Update update, Instant now) {
        var requirement = update.requireMfa().value();
        var origins = update.passkeyOrigins().value();
        return update.isMade()
                ? transaction
                        .preparedQuery(UPDATE)
                        .execute(Tuple.from(new @Nullable Object[] {
                            project.value(),
                            update.password().value(),
                            update.totp().value(),
                            requirement == null ? null : requirement.text(),
                            Rows.timestamp(now),
                            update.passwordless().value(),
                            update.passwordlessSignUp().value(),
                            update.magicLinkUrl().isMade(),
                            update.magicLinkUrl().value(),
                            update.sms().value(),
                            update.passkeys().value(),
                            update.passkeyRpId().isMade(),
                            update.passkeyRpId().value(),
                            origins == null ? null : origins.toArray(String[]::new)
                        }))
                        .mapEmpty()
                : Future.succeededFuture();
    }
}
