package dev.vestibule.error;

/** Carries an {@link ApiError} through a failed future. It has no stack trace, because such an error is a normal response. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ApiError error;

    ApiException(ApiError error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    public ApiError error() {
        return error;
    }
}
