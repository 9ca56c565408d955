package dev.vestibule.session;

import com.fasterxml.jackson.annotation.JsonValue;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Id;
import java.util.UUID;

/** A session's identifier within its project, a UUIDv7 (RFC 9562). */
public record SessionId(@JsonValue UUID value) implements Id {
    public static SessionId next() {
        return new SessionId(UuidCreator.getTimeOrderedEpoch());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
