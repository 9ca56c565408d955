package dev.vestibule.user;

import com.fasterxml.jackson.annotation.JsonValue;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Id;
import java.time.Instant;
import java.util.UUID;

/** A user's identifier within its project, a UUIDv7 (RFC 9562). */
public record UserId(@JsonValue UUID value) implements Id {
    public static UserId next() {
        return new UserId(UuidCreator.getTimeOrderedEpoch());
    }

    /** An id that sorts among those created at that time. */
    public static UserId at(Instant time) {
        return new UserId(UuidCreator.getTimeOrderedEpoch(time));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
