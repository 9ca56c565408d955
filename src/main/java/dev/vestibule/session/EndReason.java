package dev.vestibule.session;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.journal.EventKind;

/** Why a session ended, which decides the kind of its event. */
public enum EndReason {
    SIGNED_OUT("signed_out", EventKind.SESSION_ENDED),
    EXPIRED("expired", EventKind.SESSION_ENDED),
    /** A newer session of the user took its place. */
    EVICTED("evicted", EventKind.SESSION_ENDED),
    /** Ended by the management API. */
    REVOKED("revoked", EventKind.SESSION_REVOKED),
    BANNED("banned", EventKind.SESSION_REVOKED),
    DELETED("deleted", EventKind.SESSION_REVOKED),
    /** The directory of an organization has switched off an account of its domain, or one that it has made. */
    DEPROVISIONED("deprovisioned", EventKind.SESSION_REVOKED),
    /** Since the user signed in, the domain of their email requires an organization's connection. */
    SSO_REQUIRED("sso_required", EventKind.SESSION_REVOKED),
    PASSWORD_CHANGED("password_changed", EventKind.SESSION_REVOKED),
    /** Somebody used a refresh token that had already been replaced, so it was copied. */
    TOKEN_REUSED("token_reused", EventKind.SESSION_REVOKED),
    /** The account has another email, or has its former one again. */
    EMAIL_CHANGED("email_changed", EventKind.SESSION_REVOKED),
    /** A person has proved that the email is theirs for the first time: these sessions may belong to someone else. */
    EMAIL_CLAIMED("email_claimed", EventKind.SESSION_REVOKED),
    /** An organization's provider has created the person again, or has given their email to somebody else. */
    IDENTITY_REPLACED("identity_replaced", EventKind.SESSION_REVOKED),
    /** The dashboard user who acted as the user no longer has the right to, or their own sessions were ended. */
    IMPERSONATOR_LEFT("impersonator_left", EventKind.SESSION_REVOKED),
    /**
     * The user has set up a second factor in another session; this one may belong to someone who knew only the
     * password.
     */
    FACTOR_ADDED("factor_added", EventKind.SESSION_REVOKED);

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

    /**
     * Whether the user's API keys and setup links end too: the person who made them may not be the one who may use the
     * account now.
     */
    boolean endsKeys() {
        return changesHands() || this == BANNED || this == DEPROVISIONED || this == PASSWORD_CHANGED;
    }

    /** Whether another person may have been the account's user before. */
    boolean changesHands() {
        return this == EMAIL_CHANGED || this == EMAIL_CLAIMED || this == IDENTITY_REPLACED;
    }

    public EventKind kind() {
        return kind;
    }
}
