package dev.vestibule.webhook;

import com.fasterxml.jackson.annotation.JsonValue;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Id;
import java.util.UUID;

/** An endpoint's identifier within its project, a UUIDv7 (RFC 9562). */
public record WebhookId(@JsonValue UUID value) implements Id {
    public static WebhookId next() {
        return new WebhookId(UuidCreator.getTimeOrderedEpoch());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
