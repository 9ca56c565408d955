package dev.vestibule.journal;

import java.util.Locale;

/** The kinds of changes to an account that its owner is notified of by mail. */
public enum NoticeKind {
    PASSWORD_CHANGED,
    PASSWORD_RESET,
    EMAIL_CHANGE_REQUESTED,
    /**
     * Goes to the old address, with a token that undoes the change. Notices of new ways into the account have a token
     * too, so none of these may be left out.
     */
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
    /** The passkey was refused because its key is in use twice. */
    PASSKEY_CLONED,
    PHONE_VERIFIED,
    API_KEY_CREATED;

    /** Whether it has a token that undoes the change. */
    public boolean isUndoable() {
        return switch (this) {
            case EMAIL_CHANGED, FACTOR_ADDED, PASSKEY_ADDED, PROVIDER_LINKED, PHONE_VERIFIED, API_KEY_CREATED -> true;
            default -> false;
        };
    }

    /** Whether an account gets at most one an hour. */
    public boolean isLimited() {
        return !isUndoable();
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static NoticeKind of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** The prefix of the keys of its phrases. */
    public String phrases() {
        return "notice." + text();
    }
}
