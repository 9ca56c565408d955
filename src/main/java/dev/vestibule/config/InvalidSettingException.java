package dev.vestibule.config;

/** A value that a type refuses for a reason of its own; the message repeats nothing of the value. */
final class InvalidSettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    InvalidSettingException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
