package dev.vestibule.page.hosted;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Days in the form of a language, for templates. */
public final class Dates {
    private final DateTimeFormatter form;

    Dates(String language) {
        this.form = DateTimeFormatter.ofLocalizedDate(FormatStyle.MEDIUM)
                .withLocale(Locale.forLanguageTag(language))
                .withZone(ZoneOffset.UTC);
    }

    /** Empty if it has never been. */
    public String of(@Nullable String moment) {
        return moment == null ? "" : form.format(Instant.parse(moment));
    }
}
