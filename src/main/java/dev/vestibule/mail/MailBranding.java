package dev.vestibule.mail;

import dev.vestibule.project.branding.CssColors;
import dev.vestibule.project.branding.DefaultBranding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The part of a project's branding that mails show, with the same defaults as its login pages. */
record MailBranding(
        String name,
        String primaryStart,
        String primaryEnd,
        String lightBg,
        String lightText,
        String darkBg,
        String darkText,
        int borderRadius,
        Optional<LogoAttachment> logo) {
    static MailBranding of(
            String name,
            @Nullable String primaryStart,
            @Nullable String primaryEnd,
            @Nullable String lightBg,
            @Nullable String lightText,
            @Nullable String darkBg,
            @Nullable String darkText,
            @Nullable Integer borderRadius,
            @Nullable String logoDataUrl) {
        return new MailBranding(
                SafeText.name(name),
                CssColors.opaque(primaryStart, DefaultBranding.PRIMARY_START),
                CssColors.opaque(primaryEnd, DefaultBranding.PRIMARY_END),
                CssColors.opaque(lightBg, DefaultBranding.LIGHT_BACKGROUND),
                CssColors.opaque(lightText, DefaultBranding.LIGHT_TEXT),
                CssColors.opaque(darkBg, DefaultBranding.DARK_BACKGROUND),
                CssColors.opaque(darkText, DefaultBranding.DARK_TEXT),
                borderRadius == null ? DefaultBranding.BORDER_RADIUS : borderRadius,
                Optional.ofNullable(logoDataUrl).flatMap(LogoAttachment::of));
    }

    /** For mails to people who do not know the project: its name, without its colours and its logo. */
    MailBranding nameOnly() {
        return of(name, null, null, null, null, null, null, null, null);
    }

    /** The text colour of the name, which is shown on the start colour of the gradient. */
    String textOnPrimary() {
        return CssColors.readableOn(primaryStart);
    }
}
