package dev.vestibule.crypto;

/** A value was sealed with a master secret that this server was not given. */
public final class UnknownMasterSecretException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    UnknownMasterSecretException() {
        super("a value was sealed with another master secret; set it as secret, or add it to previousSecrets");
    }
}
