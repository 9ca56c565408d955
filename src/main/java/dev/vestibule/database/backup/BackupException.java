package dev.vestibule.database.backup;

import org.jspecify.annotations.Nullable;

/** A backup cannot be written or restored; the message tells the operator why. */
public final class BackupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BackupException(String message) {
        super(message);
    }

    BackupException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
