package dev.vestibule.mail;

/** The address or number cannot be reached, now or later. */
public final class UndeliverableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UndeliverableException(String message) {
        super(message, null, false, false);
    }
}
