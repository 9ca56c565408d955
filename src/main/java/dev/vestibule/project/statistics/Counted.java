package dev.vestibule.project.statistics;

/** The events that the statistics count. */
public enum Counted {
    /** Sign ups by users themselves, with any method; not users whom the application's server or a member created. */
    SIGN_UPS(0),
    /** A new session, except for the first one after a sign up with a password. */
    SIGN_INS(1),
    /** A wrong password, code, link or passkey, or an account that is not allowed to sign in. */
    FAILED_SIGN_INS(2),
    WEBHOOKS_DELIVERED(3),
    /** A failed attempt; a delivery can have several. */
    WEBHOOKS_FAILED(4);

    static final int KINDS = values().length;

    private final int place;

    Counted(int place) {
        this.place = place;
    }

    /** The index of its count in the array of all counts. */
    int place() {
        return place;
    }
}
