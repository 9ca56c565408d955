package dev.vestibule.authentication.passkey;

/** What an authenticator or its client sent does not hold; {@link PasskeyErrors} says it to the client. */
final class RefusedPasskeyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why, as far as anybody can do something about it. */
    enum Reason {
        /** Wrong, or nothing that could be read. */
        WRONG,
        /** The page or app is none of the project's. */
        FOREIGN_ORIGIN,
        /** The page is in a frame of another origin. */
        FRAMED,
        /** Of another domain than the project's. */
        FOREIGN_DOMAIN,
        /** A kind of key, or a size of one, that the server does not take. */
        UNKNOWN_KEY,
        /** It counts backwards: there are two of it. */
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
