package dev.vestibule.database;

import org.flywaydb.core.api.MigrationVersion;

/** A later release has migrated the database; the message names that version and the latest one that this jar knows. */
public final class NewerSchemaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NewerSchemaException(MigrationVersion found, MigrationVersion known) {
        super("its schema is at version " + found
                + ", which a newer Vestibule has made, and this one knows versions up to " + known
                + ". Start the newer one, or restore the backup from before the upgrade");
    }
}
