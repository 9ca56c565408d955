package dev.vestibule.authentication.passkey;

/** A check of what an authenticator or its client sent has failed; {@link PasskeyErrors} tells the client. */
final class RefusedPasskeyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why, as far as anybody can do something about it. */
    enum Reason {
        /** Wrong or unreadable. */
        WRONG,
        /** The page or app does not belong to the project. */
        FOREIGN_ORIGIN,
        /** The page is in a frame of another origin. */
        FRAMED,
        /** It is for another domain than the project's. */
        FOREIGN_DOMAIN,
        /** A kind or size of key that the server does not accept. */
        UNKNOWN_KEY,
        /** Its counter went backwards, so there are two copies of the key. */
        CLONED
    }

    private final Reason reason;

    RefusedPasskeyException(Reason reason) {
        super(reason.name(), null, false, false);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }
}
