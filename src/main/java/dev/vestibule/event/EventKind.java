package dev.vestibule.event;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What an event can tell of. */
public enum EventKind {
    USER_CREATED("user.created"),
    USER_UPDATED("user.updated"),
    USER_DELETED("user.deleted"),
    USER_BANNED("user.banned"),
    USER_UNBANNED("user.unbanned"),
    SESSION_CREATED("session.created"),
    /** By the user, by its time, or by a newer session of the same user. */
    SESSION_ENDED("session.ended"),
    /** Against the user's will, or for their protection. */
    SESSION_REVOKED("session.revoked"),
    PROVIDER_LINKED("provider.linked"),
    PROVIDER_UNLINKED("provider.unlinked");

    /** What an endpoint names that wants all kinds, also those to come. */
    public static final String ALL = "*";

    private static final String NAMES =
            Arrays.stream(values()).map(EventKind::text).collect(Collectors.joining(", "));

    private final String text;

    EventKind(String text) {
        this.text = text;
    }

    /** The name that the API, the database and the receivers know it by. */
    @JsonValue
    public String text() {
        return text;
    }

    /** Empty where no kind has this name. */
    public static Optional<EventKind> find(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text.equals(text)).findFirst();
    }

    /** A field rule for what an endpoint may ask for: the name of a kind, or all. */
    public static String subscribable(String text) {
        if (!text.equals(ALL) && find(text).isEmpty()) {
            throw new InvalidValueException("must be * or one of " + NAMES);
        }
        return text;
    }
}
