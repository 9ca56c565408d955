package dev.vestibule.project.transfer;

/** A project cannot be exported or imported; the message tells the operator why, and what to do about it. */
public final class TransferException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TransferException(String message) {
        super(message);
    }

    TransferException(String message, Throwable cause) {
        super(message, cause);
    }
}
