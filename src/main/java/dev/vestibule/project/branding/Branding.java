package dev.vestibule.project.branding;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** The look of a project's login pages: CSS colours, and the border radius in pixels. */
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

    /** The look of a project that has not set its own. */
    static Branding defaults(String projectName) {
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
