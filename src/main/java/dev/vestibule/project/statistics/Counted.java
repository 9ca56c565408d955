package dev.vestibule.project.statistics;

/** What is counted one by one. */
public enum Counted {
    /** By the users themselves, in whatever way; not who is created by the application's server or a member. */
    SIGN_UPS(0),
    /** A session that is opened, but for the first one of a sign up by password. */
    SIGN_INS(1),
    /** A wrong password, code, link or passkey, or an account that may not sign in. */
    FAILED_SIGN_INS(2),
    WEBHOOKS_DELIVERED(3),
    /** An attempt that failed; a delivery has several. */
    WEBHOOKS_FAILED(4);

    static final int KINDS = values().length;

    private final int place;

    Counted(int place) {
        this.place = place;
    }

    /** Where its count stands among all. */
    int place() {
        return place;
    }
}
