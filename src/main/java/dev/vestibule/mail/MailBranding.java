package dev.vestibule.mail;

import dev.vestibule.project.DefaultBranding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a mail shows of the project's branding; what the project left open has the look of the login interface. */
record MailBranding(
        String name,
        String primaryStart,
        String primaryEnd,
        String lightBg,
        String lightText,
        String darkBg,
        String darkText,
        double borderRadius,
        Optional<LogoAttachment> logo) {
    static MailBranding of(
            String name,
            @Nullable String primaryStart,
            @Nullable String primaryEnd,
            @Nullable String lightBg,
            @Nullable String lightText,
            @Nullable String darkBg,
            @Nullable String darkText,
            @Nullable Double borderRadius,
            @Nullable String logoDataUrl) {
        return new MailBranding(
                SafeText.singleLine(name),
                CssColors.opaque(primaryStart, DefaultBranding.PRIMARY_START),
                CssColors.opaque(primaryEnd, DefaultBranding.PRIMARY_END),
                CssColors.opaque(lightBg, DefaultBranding.LIGHT_BACKGROUND),
                CssColors.opaque(lightText, DefaultBranding.LIGHT_TEXT),
                CssColors.opaque(darkBg, DefaultBranding.DARK_BACKGROUND),
                CssColors.opaque(darkText, DefaultBranding.DARK_TEXT),
                borderRadius == null ? DefaultBranding.BORDER_RADIUS : borderRadius,
                Optional.ofNullable(logoDataUrl).flatMap(LogoAttachment::of));
    }

    /** The colour of the name, which stands where the primary colours begin. */
    String onPrimary() {
        return CssColors.readableOn(primaryStart);
    }
}
