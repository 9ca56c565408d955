package dev.vestibule.journal;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What an event is about. */
public record Target(@Nullable String type, @Nullable UUID id) {

    /** For events that are not about anything with an id. */
    public static final Target NONE = new Target(null, null);

    public static Target user(UUID id) {
        return new Target("user", id);
    }

    public static Target session(UUID id) {
        return new Target("session", id);
    }

    public static Target project(UUID id) {
        return new Target("project", id);
    }

    public static Target apiKey(UUID id) {
        return new Target("api_key", id);
    }

    public static Target webhook(UUID id) {
        return new Target("webhook", id);
    }

    public static Target jwtTemplate(UUID id) {
        return new Target("jwt_template", id);
    }

    public static Target oauthClient(UUID id) {
        return new Target("oauth_client", id);
    }

    public static Target oauthApi(UUID id) {
        return new Target("oauth_api", id);
    }

    public static Target organization(UUID id) {
        return new Target("organization", id);
    }

    public static Target member(UUID id) {
        return new Target("member", id);
    }
}
