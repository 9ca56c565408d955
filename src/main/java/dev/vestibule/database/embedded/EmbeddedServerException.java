package dev.vestibule.database.embedded;

import org.jspecify.annotations.Nullable;

/** The embedded PostgreSQL cannot start or run; the message tells the operator why. */
public sealed class EmbeddedServerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EmbeddedServerException(String message) {
        super(message);
    }

    EmbeddedServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Another process runs a server on the data folder. */
    public static final class FolderInUseException extends EmbeddedServerException {
        private static final long serialVersionUID = 1L;

        FolderInUseException(String message) {
            super(message);
        }
    }
}
