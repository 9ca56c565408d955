package dev.vestibule.session;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.event.EventKind;

/** Why a session is over, and so which kind of event tells of it. */
public enum EndReason {
    SIGNED_OUT("signed_out", EventKind.SESSION_ENDED),
    EXPIRED("expired", EventKind.SESSION_ENDED),
    /** A newer session of the user took its place. */
    EVICTED("evicted", EventKind.SESSION_ENDED),
    /** By management. */
    REVOKED("revoked", EventKind.SESSION_REVOKED),
    BANNED("banned", EventKind.SESSION_REVOKED),
    DELETED("deleted", EventKind.SESSION_REVOKED),
    PASSWORD_CHANGED("password_changed", EventKind.SESSION_REVOKED),
    /** A refresh token was presented that had been replaced before: it is in two hands. */
    TOKEN_REUSED("token_reused", EventKind.SESSION_REVOKED),
    /** Somebody else has shown that the account's email is theirs. */
    EMAIL_CLAIMED("email_claimed", EventKind.SESSION_REVOKED);

    private final String text;
    private final EventKind kind;

    EndReason(String text, EventKind kind) {
        this.text = text;
        this.kind = kind;
    }

    @JsonValue
    public String text() {
        return text;
    }

    public EventKind kind() {
        return kind;
    }
}
