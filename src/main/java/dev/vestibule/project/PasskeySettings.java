package dev.vestibule.project;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a project has set about passkeys.
 *
 * @param rpId the domain that they are bound to; null for the host of the first allowed origin
 * @param origins from which they may be used, beside the allowed origins
 */
public record PasskeySettings(boolean enabled, @Nullable String rpId, List<String> origins) {
    public PasskeySettings {
        origins = List.copyOf(origins);
    }
}
