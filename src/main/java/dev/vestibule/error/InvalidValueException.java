package dev.vestibule.error;

/** A value breaks the rule of its field; the message completes "this field …" and never repeats the value. */
public final class InvalidValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvalidValueException(String message) {
        super(message, null, false, false);
    }
}
