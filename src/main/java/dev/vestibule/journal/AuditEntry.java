package dev.vestibule.journal;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of the audit log.
 *
 * @param metadata the text of a JSON object
 */
public record AuditEntry(
        ProjectId project,
        Instant createdAt,
        UUID id,
        Actor actor,
        Fact fact,
        Target target,
        @Nullable String metadata) {
    private static final int MAX_METADATA = 4096; // characters

    /** Metadata says what the ids do not: field names and reasons, never a secret, a password, a code or an email. */
    public static AuditEntry of(
            ProjectId project, Actor actor, Fact fact, Target target, Map<String, ?> metadata, Instant now) {
        return new AuditEntry(
                project,
                now,
                UuidCreator.getTimeOrderedEpoch(),
                actor,
                fact,
                target,
                bounded(withActingAs(actor, metadata)));
    }

    private static Map<String, ?> withActingAs(Actor actor, Map<String, ?> metadata) {
        if (actor.actingAs() == null) {
            return metadata;
        }
        var whole = new LinkedHashMap<String, Object>(metadata);
        whole.put("actingAs", actor.actingAs());
        return whole;
    }

    private static @Nullable String bounded(Map<String, ?> metadata) {
        if (metadata.isEmpty()) {
            return null;
        }
        var text = Json.encode(metadata).toString();
        return text.length() > MAX_METADATA ? "{\"tooLong\":true}" : text;
    }
}
