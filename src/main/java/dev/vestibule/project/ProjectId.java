package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Id;
import dev.vestibule.json.Uuids;
import java.util.Optional;
import java.util.UUID;

/** A project's identifier, a UUIDv7 (RFC 9562). */
public record ProjectId(@JsonValue UUID value) implements Id {
    /** The built-in project whose users are the dashboard users. */
    public static final ProjectId SYSTEM = new ProjectId(UUID.fromString("00000000-0000-7000-8000-000000000000"));

    public static ProjectId next() {
        return new ProjectId(UuidCreator.getTimeOrderedEpoch());
    }

    /** Empty if the text is not a UUID. */
    public static Optional<ProjectId> parse(String text) {
        return Uuids.parse(text).map(ProjectId::new);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
