package dev.vestibule.json;

import dev.vestibule.error.InvalidValueException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Pattern;

/** ISO 8601 in UTC with milliseconds, such as {@code 2026-01-15T10:30:00.000Z}. */
public final class Timestamps {
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** ISO 8601; the offset may also be just hours, as PostgreSQL writes it. */
    private static final DateTimeFormatter ISO_8601 = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .optionalStart()
            .appendOffset("+HH:MM:ss", "Z")
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HHmm", "Z")
            .optionalEnd()
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private static final Pattern NUMBER = Pattern.compile("\\d{1,15}(\\.\\d{1,9})?");

    /**
     * A smaller number is taken as seconds, which reaches the year 5138; a larger one as milliseconds, which begins in
     * 1973.
     */
    private static final BigDecimal FIRST_MILLISECOND = BigDecimal.valueOf(100_000_000_000L);

    /** The end of the year 9999. */
    private static final BigDecimal LAST_MILLISECOND = BigDecimal.valueOf(253_402_300_799_999L);

    private static final Instant LAST = Instant.ofEpochMilli(LAST_MILLISECOND.longValueExact());

    /** Digits after the decimal point; cutting off a billion of them would take minutes. */
    private static final int MAX_DIGITS = 20;

    private Timestamps() {}

    /**
     * Reads an ISO 8601 date and time with an offset, PostgreSQL's form of it, or the seconds or milliseconds since
     * 1970, truncated to milliseconds; it must not be before 1970 or after the year 9999.
     */
    public static Instant parse(String text) {
        if (NUMBER.matcher(text).matches()) {
            return ofEpoch(new BigDecimal(text));
        }
        try {
            var instant = ISO_8601.parse(text.replaceFirst(" ", "T"), OffsetDateTime::from)
                    .toInstant()
                    .truncatedTo(ChronoUnit.MILLIS);
            if (!instant.isBefore(Instant.EPOCH) && !instant.isAfter(LAST)) {
                return instant;
            }
        } catch (DateTimeException notATimestamp) {
            // rejected below
        }
        throw invalid();
    }

    /** Reads seconds since 1970 or, as many systems count, milliseconds; the two differ by their size. */
    static Instant ofEpoch(BigDecimal time) {
        if (time.signum() < 0 || time.scale() > MAX_DIGITS || time.compareTo(LAST_MILLISECOND) > 0) {
            throw invalid();
        }
        var millis = time.compareTo(FIRST_MILLISECOND) < 0 ? time.movePointRight(3) : time;
        return Instant.ofEpochMilli(millis.setScale(0, RoundingMode.DOWN).longValueExact());
    }

    static InvalidValueException invalid() {
        return new InvalidValueException("must be a time since 1970, such as 2026-01-15T10:30:00.000Z,"
                + " 2026-01-15 10:30:00+00, or the seconds or milliseconds since 1970");
    }

    public static String format(Instant instant) {
        return MILLIS.format(instant);
    }
}
