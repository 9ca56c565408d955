package dev.vestibule.database.embedded;

import java.nio.file.Path;

/** Moves everything in one database into another, by way of a file. */
public interface Transfer {
    /** For callers that do not upgrade data. */
    Transfer REFUSED = new Transfer() {
        @Override
        public void save(Address from, Path file) {
            throw new EmbeddedServerException("The data is of an older PostgreSQL: start the server on it once");
        }

        @Override
        public void load(Path file, Address into) {
            throw new IllegalStateException("nothing was saved");
        }
    };

    /** Writes the file, which must not exist yet. */
    void save(Address from, Path file);

    /** Fills the empty database. */
    void load(Path file, Address into);
}
