package dev.vestibule.journal;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The types of events, and which detail of a fact their data has in addition to what they are about. */
public enum EventKind {
    USER_CREATED("user.created"),
    USER_UPDATED("user.updated"),
    USER_DELETED("user.deleted"),
    USER_BANNED("user.banned", "reason"),
    USER_UNBANNED("user.unbanned"),
    SESSION_CREATED("session.created"),
    /** The user ended it, it expired, or a newer session of the same user replaced it. */
    SESSION_ENDED("session.ended", "reason"),
    /** Ended against the user's will, or for their protection. */
    SESSION_REVOKED("session.revoked", "reason"),
    PROVIDER_LINKED("provider.linked", "provider"),
    PROVIDER_UNLINKED("provider.unlinked", "provider"),
    WALLET_LINKED("wallet.linked", "wallet"),
    WALLET_UNLINKED("wallet.unlinked", "wallet"),
    FACTOR_ADDED("factor.added", "factor"),
    FACTOR_REMOVED("factor.removed", "factor"),
    GRANT_CREATED("grant.created"),
    /** A code or refresh token of it was used twice, or its client has given it back. */
    GRANT_ENDED("grant.ended", "reason"),
    ORGANIZATION_CREATED("organization.created"),
    ORGANIZATION_UPDATED("organization.updated"),
    ORGANIZATION_DELETED("organization.deleted"),
    ORGANIZATION_MEMBER_ADDED("organization.member.added"),
    ORGANIZATION_MEMBER_REMOVED("organization.member.removed"),
    ORGANIZATION_MEMBER_ROLE_CHANGED("organization.member.role_changed"),
    ORGANIZATION_INVITATION_CREATED("organization.invitation.created"),
    ORGANIZATION_INVITATION_ACCEPTED("organization.invitation.accepted");

    /** Subscribes an endpoint to all types, future ones included. */
    public static final String ALL = "*";

    private static final String NAMES =
            Arrays.stream(values()).map(EventKind::text).collect(Collectors.joining(", "));

    private final String text;
    private final @Nullable String detail;

    EventKind(String text) {
        this(text, null);
    }

    EventKind(String text, @Nullable String detail) {
        this.text = text;
        this.detail = detail;
    }

    /** The name in the API, the database and the payload. */
    @JsonValue
    public String text() {
        return text;
    }

    @Nullable
    String detail() {
        return detail;
    }

    /** Empty if no kind has this name. */
    public static Optional<EventKind> find(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text.equals(text)).findFirst();
    }

    /** A field rule for subscriptions: the name of a type, or {@code *}. */
    public static String subscribable(String text) {
        if (!text.equals(ALL) && find(text).isEmpty()) {
            throw new InvalidValueException("must be * or one of " + NAMES);
        }
        return text;
    }
}
