package dev.vestibule.json;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** ISO 8601 in UTC with exactly three digits of a second, such as {@code 2026-01-15T10:30:00.000Z}. */
public final class Timestamps {
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Timestamps() {}

    public static String format(Instant instant) {
        return MILLIS.format(instant);
    }
}
