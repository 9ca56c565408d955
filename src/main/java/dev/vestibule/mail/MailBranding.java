package dev.vestibule.mail;

import dev.vestibule.mail.Mail.LogoAttachment;
import dev.vestibule.project.branding.CssColors;
import dev.vestibule.project.branding.DefaultBranding;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a mail shows of its project: the branding, with the same defaults as that of login pages, and the texts that the
 * project has written for this mail, by part.
 */
record MailBranding(
        String name,
        String primaryStart,
        String primaryEnd,
        String lightBg,
        String lightText,
        String darkBg,
        String darkText,
        int borderRadius,
        Optional<LogoAttachment> logo,
        Map<String, String> texts) {
    /** The colours of a project; null where it has chosen none. */
    record Colours(
            @Nullable String primaryStart,
            @Nullable String primaryEnd,
            @Nullable String lightBg,
            @Nullable String lightText,
            @Nullable String darkBg,
            @Nullable String darkText) {
        static final Colours DEFAULT = new Colours(null, null, null, null, null, null);
    }

    static MailBranding of(
            String name,
            Colours colours,
            @Nullable Integer borderRadius,
            @Nullable String logoDataUrl,
            Map<String, String> texts) {
        return new MailBranding(
                SafeText.name(name),
                CssColors.opaque(colours.primaryStart(), DefaultBranding.PRIMARY_START),
                CssColors.opaque(colours.primaryEnd(), DefaultBranding.PRIMARY_END),
                CssColors.opaque(colours.lightBg(), DefaultBranding.LIGHT_BACKGROUND),
                CssColors.opaque(colours.lightText(), DefaultBranding.LIGHT_TEXT),
                CssColors.opaque(colours.darkBg(), DefaultBranding.DARK_BACKGROUND),
                CssColors.opaque(colours.darkText(), DefaultBranding.DARK_TEXT),
                borderRadius == null ? DefaultBranding.BORDER_RADIUS : borderRadius,
                Optional.ofNullable(logoDataUrl).flatMap(LogoAttachment::of),
                texts);
    }

    /** With the defaults of a project that has chosen nothing but a name. */
    static MailBranding plain(String name) {
        return of(name, Colours.DEFAULT, null, null, Map.of());
    }

    /** For mails to people who do not know the project: its name, without its colours, logo and texts. */
    MailBranding nameOnly() {
        return plain(name);
    }

    /** The text colour of the name, which is shown on the start colour of the gradient. */
    String textOnPrimary() {
        return CssColors.readableOn(primaryStart);
    }
}
