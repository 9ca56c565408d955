package dev.vestibule.crypto;

/** A value was sealed under a master secret that this server was not given. */
public final class UnknownMasterSecretException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    UnknownMasterSecretException() {
        super("a value was sealed under another master secret; give that one as secret, or in previousSecrets");
    }
}
