package dev.vestibule.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the Retry-After header (RFC 9110, 10.2.3): seconds, or a date. */
final class RetryAfter {
    private static final Duration MAX = Duration.ofHours(24);
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,18}");

    private RetryAfter() {}

    /** Empty if it is neither, or in the past. At most a day. */
    static Optional<Duration> parse(@Nullable String header, Instant now) {
        if (header == null) {
            return Optional.empty();
        }
        var text = header.strip();
        return (SECONDS.matcher(text).matches()
                        ? Optional.of(Duration.ofSeconds(Math.min(Long.parseLong(text), MAX.toSeconds())))
                        : date(text).map(date -> Duration.between(now, date)))
                .filter(pause -> !pause.isNegative() && !pause.isZero())
                .map(pause -> pause.compareTo(MAX) > 0 ? MAX : pause);
    }

    private static Optional<Instant> date(String text) {
        try {
            return Optional.of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeParseException invalid) {
            return Optional.empty();
        }
    }
}
