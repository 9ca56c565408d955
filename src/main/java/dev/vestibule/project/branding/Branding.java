package dev.vestibule.project.branding;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.project.StandardLook;
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
                StandardLook.PRIMARY_START,
                StandardLook.PRIMARY_END,
                StandardLook.LIGHT_BACKGROUND,
                StandardLook.LIGHT_TEXT,
                StandardLook.DARK_BACKGROUND,
                StandardLook.DARK_TEXT,
                StandardLook.BORDER_RADIUS,
                true,
                true,
                null,
                null,
                null);
    }
}
