package dev.vestibule.project.branding;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.project.DefaultBranding;
import org.jspecify.annotations.Nullable;

/** How a project's login interface looks; colours as in CSS, the radius in pixels. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record Branding(
        String brandName,
        String primaryColorStart,
        String primaryColorEnd,
        String lightBg,
        String lightText,
        String darkBg,
        String darkText,
        Number borderRadius,
        boolean showEmailPassword,
        boolean showDivider,
        @Nullable String termsUrl,
        @Nullable String privacyUrl,
        @Nullable String logoDataUrl) {

    /** What a project looks like that never chose. */
    static Branding ofNew(String projectName) {
        return new Branding(
                projectName,
                DefaultBranding.PRIMARY_START,
                DefaultBranding.PRIMARY_END,
                DefaultBranding.LIGHT_BACKGROUND,
                DefaultBranding.LIGHT_TEXT,
                DefaultBranding.DARK_BACKGROUND,
                DefaultBranding.DARK_TEXT,
                DefaultBranding.BORDER_RADIUS,
                true,
                true,
                null,
                null,
                null);
    }
}
