package dev.vestibule.mail;

/** The address cannot receive mail, now or later. */
final class UndeliverableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UndeliverableException(String message) {
        super(message, null, false, false);
    }
}
