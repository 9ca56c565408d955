package dev.vestibule.config;

/** A value is wrong in a way that needs its own explanation; the message never repeats the value. */
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
