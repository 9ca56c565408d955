package dev.vestibule.verifier;

/** The token is not valid, or no longer: answer 401. */
public class InvalidTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidTokenException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether the token is valid cannot be known now: answer 503. */
    public static final class Unavailable extends InvalidTokenException {
        private static final long serialVersionUID = 1L;

        Unavailable(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
