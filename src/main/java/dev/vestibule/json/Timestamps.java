package dev.vestibule.json;

import dev.vestibule.error.InvalidValueException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** ISO 8601 in UTC with exactly three digits of a second, such as {@code 2026-01-15T10:30:00.000Z}. */
public final class Timestamps {
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Timestamps() {}

    /** A moment in ISO 8601 with its offset from UTC, to the millisecond; not before 1970. */
    public static Instant parse(String text) {
        try {
            var instant = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS);
            if (!instant.isBefore(Instant.EPOCH)) {
                return instant;
            }
        } catch (DateTimeParseException notOne) {
            // refused below
        }
        throw new InvalidValueException("must be a moment from 1970 on, such as 2026-01-15T10:30:00.000Z");
    }

    public static String format(Instant instant) {
        return MILLIS.format(instant);
    }
}
