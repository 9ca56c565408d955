package dev.vestibule.mail;

import dev.vestibule.project.DefaultBranding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a mail shows of the project's branding; what the project left open has the look of the login interface. */
record Brand(
        String name,
        String primaryStart,
        String primaryEnd,
        String lightBg,
        String lightText,
        String darkBg,
        String darkText,
        double borderRadius,
        Optional<Logo> logo) {
    static Brand of(
            String name,
            @Nullable String primaryStart,
            @Nullable String primaryEnd,
            @Nullable String lightBg,
            @Nullable String lightText,
            @Nullable String darkBg,
            @Nullable String darkText,
            @Nullable Double borderRadius,
            @Nullable String logoDataUrl) {
        return new Brand(
                Names.oneLine(name),
                Colors.solid(primaryStart, DefaultBranding.PRIMARY_START),
                Colors.solid(primaryEnd, DefaultBranding.PRIMARY_END),
                Colors.solid(lightBg, DefaultBranding.LIGHT_BACKGROUND),
                Colors.solid(lightText, DefaultBranding.LIGHT_TEXT),
                Colors.solid(darkBg, DefaultBranding.DARK_BACKGROUND),
                Colors.solid(darkText, DefaultBranding.DARK_TEXT),
                borderRadius == null ? DefaultBranding.BORDER_RADIUS : borderRadius,
                Optional.ofNullable(logoDataUrl).flatMap(Logo::of));
    }

    /** The colour of the name, which stands where the primary colours begin. */
    String onPrimary() {
        return Colors.legibleOn(primaryStart);
    }
}
