package dev.vestibule.crypto;

import org.jspecify.annotations.Nullable;

/** The file with the master secret cannot be used; the message says which file, why, and what to do. */
public final class SecretFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SecretFileException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
