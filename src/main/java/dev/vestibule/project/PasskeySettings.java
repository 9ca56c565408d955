package dev.vestibule.project;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a project has set about passkeys.
 *
 * @param rpId the domain that they are bound to; null for the host of the first allowed origin
 * @param origins from which they may be used, beside the allowed origins
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
