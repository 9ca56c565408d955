package dev.vestibule.database.backup;

import dev.vestibule.database.embedded.Address;
import dev.vestibule.database.embedded.Transfer;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Moves the embedded database to a new major version of PostgreSQL by a backup and a restore. */
public record EmbeddedTransfer(Consumer<String> progress) implements Transfer {
    @Override
    public void save(Address from, Path file) {
        Backup.write(Login.of(from), file, progress);
    }

    @Override
    public void load(Path file, Address into) {
        try (var backup = BackupFile.open(file, progress)) {
            Restore.load(backup, Login.of(into), progress);
        }
    }
}
