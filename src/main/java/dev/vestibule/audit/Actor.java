package dev.vestibule.audit;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.project.ProjectId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who does something, and from where.
 *
 * @param id null where nobody has proved who they are, and for the system
 * @param actingAs the user in whose name a dashboard user does it
 */
public record Actor(
        Type type,
        @Nullable UUID id,
        @Nullable String ipAddress,
        @Nullable String userAgent,
        @Nullable UUID actingAs) {
    public Actor(Type type, @Nullable UUID id, @Nullable String ipAddress, @Nullable String userAgent) {
        this(type, id, ipAddress, userAgent, null);
    }

    /** The server itself or its operator: maintenance, settings, commands. */
    public static final Actor SYSTEM = new Actor(Type.SYSTEM, null, null, null);

    /** What kind of an id it is. */
    public enum Type {
        USER("user"),
        /** A dashboard user. */
        ADMIN("admin"),
        API_KEY("api_key"),
        SYSTEM("system");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        /** The name in the API and in the database. */
        @JsonValue
        public String text() {
            return text;
        }
    }

    /** The user of a project that these come from; dashboard users are those of the built-in project. */
    public static Actor person(
            ProjectId project, @Nullable UUID id, @Nullable String ipAddress, @Nullable String userAgent) {
        return new Actor(project.equals(ProjectId.SYSTEM) ? Type.ADMIN : Type.USER, id, ipAddress, userAgent);
    }

    /** Who acts as the user from this connection; this one if nobody does. */
    public Actor actedBy(@Nullable UUID impersonator) {
        return impersonator == null ? this : new Actor(Type.ADMIN, impersonator, ipAddress, userAgent, id);
    }

    /** This connection, after it has proved whose it is. */
    public Actor as(UUID provedId) {
        return new Actor(type, provedId, ipAddress, userAgent);
    }
}
