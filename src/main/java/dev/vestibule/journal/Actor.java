package dev.vestibule.journal;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.project.ProjectId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who did something, and from where.
 *
 * @param id null if nobody has proved who they are, and for the system
 * @param actingAs the user that a dashboard user is impersonating
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

    /** What the id identifies. */
    public enum Type {
        USER("user"),
        /** A dashboard user. */
        ADMIN("admin"),
        API_KEY("api_key"),
        /** The directory of an organization. */
        DIRECTORY("directory"),
        /** Somebody with the setup link of an organization; the id is the organization's. */
        SETUP_LINK("setup_link"),
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

    /** A user of the project; users of the built-in project are dashboard users. */
    public static Actor person(
            ProjectId project, @Nullable UUID id, @Nullable String ipAddress, @Nullable String userAgent) {
        return new Actor(project.equals(ProjectId.SYSTEM) ? Type.ADMIN : Type.USER, id, ipAddress, userAgent);
    }

    /** The dashboard user who impersonates this user from the same connection; this actor if nobody does. */
    public Actor impersonatedBy(@Nullable UUID impersonator) {
        return impersonator == null ? this : new Actor(Type.ADMIN, impersonator, ipAddress, userAgent, id);
    }

    /** This actor after it has proved who it is. */
    public Actor as(UUID provedId) {
        return new Actor(type, provedId, ipAddress, userAgent);
    }
}
