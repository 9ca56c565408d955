package dev.vestibule.database.embedded;

/** Another process runs a server on the data folder. */
public final class FolderInUseException extends EmbeddedServerException {
    private static final long serialVersionUID = 1L;

    FolderInUseException(String message) {
        super(message);
    }
}
