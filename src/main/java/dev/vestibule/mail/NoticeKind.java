package dev.vestibule.mail;

import java.util.Locale;

/** What can happen to an account of which its owner is told by mail. */
public enum NoticeKind {
    PASSWORD_CHANGED,
    PASSWORD_RESET,
    EMAIL_CHANGE_REQUESTED,
    /** To the old address, with a token that takes the change back, as those of new ways in have. So none may be left out. */
    EMAIL_CHANGED,
    PROVIDER_LINKED,
    PROVIDER_UNLINKED,
    NEW_SIGN_IN,
    ACCOUNT_LOCKED,
    FACTOR_ADDED,
    FACTOR_REMOVED,
    BACKUP_CODES_REPLACED,
    PASSKEY_ADDED,
    PASSKEY_REMOVED,
    /** Its key is in use twice, and it has been refused. */
    PASSKEY_CLONED,
    PHONE_VERIFIED;

    /** Whether it comes with a token that undoes what it tells of. */
    boolean isUndoable() {
        return switch (this) {
            case EMAIL_CHANGED, FACTOR_ADDED, PASSKEY_ADDED, PROVIDER_LINKED, PHONE_VERIFIED -> true;
            default -> false;
        };
    }

    /** Whether an account gets at most one an hour. */
    boolean isLimited() {
        return !isUndoable();
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static NoticeKind of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** The first part of the keys of its phrases. */
    String phrases() {
        return "notice." + text();
    }
}
