package dev.vestibule.audit;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.util.Arrays;

/** What can be found in the audit log: {@code auth.} is done by users, {@code admin.} to them, the rest to projects. */
public enum AuditEvent {
    SIGN_UP("auth.signup"),
    SIGN_IN("auth.signin"),
    SIGN_IN_FAILED("auth.signin.failed"),
    SIGN_OUT("auth.signout"),
    SESSION_REVOKED("auth.session.revoked"),
    SESSIONS_REVOKED("auth.sessions.revoked"),
    EMAIL_CHANGE_REQUESTED("auth.email.change_requested"),
    EMAIL_CHANGED("auth.email.changed"),
    EMAIL_CHANGE_UNDONE("auth.email.undone"),
    ACCOUNT_DELETED("auth.account.deleted"),

    USER_BANNED("admin.user.banned"),
    USER_UNBANNED("admin.user.unbanned"),
    USER_UNLOCKED("admin.user.unlocked"),
    USER_DELETED("admin.user.deleted"),
    USER_SESSION_REVOKED("admin.session.revoked"),
    USER_SESSIONS_REVOKED("admin.user.sessions_revoked"),

    PROJECT_UPDATED("project.updated"),
    PROJECT_DELETED("project.deleted"),
    KEY_CREATED("project.key.created"),
    KEY_REVOKED("project.key.revoked"),

    ENTRIES_DROPPED("audit.entries_dropped");

    private final String text;

    AuditEvent(String text) {
        this.text = text;
    }

    /** The name in the API and in the database. */
    @JsonValue
    public String text() {
        return text;
    }

    /** A field rule: the name of an event. */
    static String named(String text) {
        if (Arrays.stream(values()).noneMatch(event -> event.text.equals(text))) {
            throw new InvalidValueException("must be the name of an event, such as auth.signin or admin.user.banned");
        }
        return text;
    }
}
