package dev.vestibule.branding;

import com.fasterxml.jackson.annotation.JsonInclude;
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
                "#4f46e5",
                "#7c3aed",
                "#ffffff",
                "#111827",
                "#0b1020",
                "#f9fafb",
                12,
                true,
                true,
                null,
                null,
                null);
    }
}
