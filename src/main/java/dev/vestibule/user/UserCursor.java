package dev.vestibule.user;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.project.ProjectId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A position in a list of users: the next page begins after it, however many users come before. Its text includes a
 * digest of the project and the search, so that it is refused for any other list.
 */
record UserCursor(Instant listedAt, UserId id) {
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final int PLACE_BYTES = Long.BYTES * 3;
    private static final int DIGEST_BYTES = 8;

    /** PostgreSQL knows later times too, but no user comes from there. */
    private static final long MAX_MICROS = micros(Instant.parse("9999-12-31T00:00:00Z"));

    String text(ProjectId project, String term) {
        var place = ByteBuffer.allocate(PLACE_BYTES)
                .putLong(micros(listedAt))
                .putLong(id.value().getMostSignificantBits())
                .putLong(id.value().getLeastSignificantBits())
                .array();
        var all = ByteBuffer.allocate(PLACE_BYTES + DIGEST_BYTES).put(place).put(digest(project, term, place));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all.array());
    }

    /** Reads a cursor that was created for the same project and search. */
    static UserCursor read(String text, ProjectId project, String term) {
        if (!SHAPE.matcher(text).matches()) {
            throw invalid();
        }
        var all = Base64.getUrlDecoder().decode(text);
        var place = Arrays.copyOf(all, PLACE_BYTES);
        if (!Arrays.equals(all, PLACE_BYTES, all.length, digest(project, term, place), 0, DIGEST_BYTES)) {
            throw invalid();
        }
        var fields = ByteBuffer.wrap(place);
        var micros = fields.getLong();
        if (micros < 0 || micros > MAX_MICROS) {
            throw invalid();
        }
        var listedAt = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        return new UserCursor(listedAt, new UserId(new UUID(fields.getLong(), fields.getLong())));
    }

    private static long micros(Instant time) {
        return TimeUnit.SECONDS.toMicros(time.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(time.getNano());
    }

    private static byte[] digest(ProjectId project, String term, byte[] place) {
        var list = Sha256.of(project + " " + term);
        var all = ByteBuffer.allocate(place.length + list.length).put(place).put(list);
        return Arrays.copyOf(Sha256.of(all.array()), DIGEST_BYTES);
    }

    private static InvalidValueException invalid() {
        return new InvalidValueException("must be the nextCursor of an earlier page of the same list and search");
    }
}
