package dev.vestibule.project;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The passkey settings of a project.
 *
 * @param rpId the domain that passkeys are bound to; null for the host of the first allowed origin
 * @param origins where passkeys can be used, in addition to the allowed origins
 */
public record PasskeySettings(
        @ProjectSetting(column = "passkeys_enabled", field = "factors.passkeys")
        boolean enabled,

        @ProjectSetting(column = "passkey_rp_id", field = "passkeyRpId", rule = TextRule.RP_ID) @Nullable
        String rpId,

        @ProjectSetting(column = "passkey_origins", field = "passkeyOrigins", rule = TextRule.PASSKEY_ORIGIN, max = 100)
        List<String> origins) {
    public PasskeySettings {
        origins = List.copyOf(origins);
    }
}
