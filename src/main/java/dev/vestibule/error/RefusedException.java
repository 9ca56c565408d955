package dev.vestibule.error;

/** Carries a {@link Refusal} through a failed future; it has no stack trace, since a refusal is an ordinary answer. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    RefusedException(Refusal refusal) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }
}
