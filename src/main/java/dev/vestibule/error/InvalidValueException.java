package dev.vestibule.error;

/**
 * A value breaks the rule of its field. The message completes the sentence that the field's name begins ("must have 8
 * to 128 characters") and never repeats the value.
 */
public final class InvalidValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvalidValueException(String message) {
        super(message, null, false, false);
    }
}
