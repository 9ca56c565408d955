package dev.vestibule.user.organization;

import com.fasterxml.jackson.annotation.JsonValue;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Id;
import java.util.UUID;

/** An organization's identifier within its project, a UUIDv7 (RFC 9562). */
public record OrganizationId(@JsonValue UUID value) implements Id {
    static OrganizationId next() {
        return new OrganizationId(UuidCreator.getTimeOrderedEpoch());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
