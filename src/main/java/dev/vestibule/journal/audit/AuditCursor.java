package dev.vestibule.journal.audit;

import dev.vestibule.error.InvalidValueException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A position in the log: the next page has the entries before it. Any list can continue from any position. */
record AuditCursor(Instant createdAt, UUID id) {
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9_-]{32}");
    private static final UUID FIRST_ID = new UUID(0, 0);
    private static final Instant END = Instant.parse("9999-12-31T00:00:00Z");

    /** The position after all entries up to this time. */
    static AuditCursor at(Instant time) {
        return new AuditCursor(time.isBefore(END) ? time : END, FIRST_ID);
    }

    static AuditCursor end() {
        return at(END);
    }

    /** The earlier one of the two. */
    AuditCursor orEarlier(AuditCursor other) {
        return other.createdAt.isBefore(createdAt) ? other : this;
    }

    String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(ByteBuffer.allocate(Long.BYTES * 3)
                        .putLong(micros(createdAt))
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array());
    }

    static AuditCursor read(String text) {
        if (!SHAPE.matcher(text).matches()) {
            throw invalid();
        }
        var fields = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
        var micros = fields.getLong();
        if (micros < 0 || micros > micros(END)) {
            throw invalid();
        }
        return new AuditCursor(
                Instant.EPOCH.plus(micros, ChronoUnit.MICROS), new UUID(fields.getLong(), fields.getLong()));
    }

    /** In microseconds, the precision of PostgreSQL. */
    private static long micros(Instant time) {
        return TimeUnit.SECONDS.toMicros(time.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(time.getNano());
    }

    private static InvalidValueException invalid() {
        return new InvalidValueException("must be the nextCursor of an earlier page");
    }
}
