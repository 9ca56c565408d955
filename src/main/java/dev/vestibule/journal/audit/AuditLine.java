package dev.vestibule.journal.audit;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An entry as the API returns it. */
record AuditLine(
        UUID id,
        UUID projectId,
        String actorType,
        @Nullable UUID actorId,
        String event,
        @Nullable String targetType,
        @Nullable UUID targetId,
        @JsonRawValue @Nullable String metadata,
        @Nullable String ipAddress,
        @Nullable String userAgent,
        Instant createdAt) {
    AuditCursor place() {
        return new AuditCursor(createdAt, id);
    }
}
