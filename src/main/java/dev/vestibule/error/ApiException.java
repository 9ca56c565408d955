package dev.vestibule.error;

/** Carries a {@link ApiError} through a failed future; it has no stack trace, since a refusal is an ordinary answer. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ApiError refusal;

    ApiException(ApiError refusal) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
    }

    public ApiError refusal() {
        return refusal;
    }
}
