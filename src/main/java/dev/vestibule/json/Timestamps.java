package dev.vestibule.json;

import dev.vestibule.error.InvalidValueException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** ISO 8601 in UTC with milliseconds, such as {@code 2026-01-15T10:30:00.000Z}. */
public final class Timestamps {
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Timestamps() {}

    /** Reads an ISO 8601 date and time with an offset, truncated to milliseconds; it must not be before 1970. */
    public static Instant parse(String text) {
        try {
            var instant = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS);
            if (!instant.isBefore(Instant.EPOCH)) {
                return instant;
            }
        } catch (DateTimeParseException notATimestamp) {
            // rejected below
        }
        throw new InvalidValueException("must be a time since 1970, such as 2026-01-15T10:30:00.000Z");
    }

    public static String format(Instant instant) {
        return MILLIS.format(instant);
    }
}
