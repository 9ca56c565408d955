package dev.vestibule.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.crypto.SecretFile.SecretFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {
    private final Path file;

    SecretFileTest(@TempDir Path folder) {
        this.file = folder.resolve("not yet there").resolve("secret");
    }

    @Test
    void aSecretIsGeneratedOnceAndThenKept() {
        var made = SecretFile.readOrCreate(file);
        assertThat(made.readings().get(0)).hasSize(32);
        assertThat(SecretFile.readOrCreate(file)).isEqualTo(made);
    }

    @Test
    void everySecretIsDifferent() {
        assertThat(SecretFile.readOrCreate(file)).isNotEqualTo(SecretFile.readOrCreate(file.resolveSibling("other")));
    }

    @Test
    void onlyTheOwnerCanReadTheFile() throws IOException {
        SecretFile.readOrCreate(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void noTemporaryFileIsLeft() throws IOException {
        SecretFile.readOrCreate(file);
        try (var files = Files.list(file.resolveSibling(""))) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aFileLeftByAnInterruptedStartIsNotTakenForTheSecret() throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file.resolveSibling(".secret123"), "AAAA");
        assertThat(SecretFile.readOrCreate(file).readings().get(0)).hasSize(32);
    }

    @Test
    void aFileWithoutASecretStopsTheStartAndStaysUnchanged() throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        for (var content : new String[] {"", "c2hvcnQ=", "not base64 !"}) {
            Files.writeString(file, content);
            assertThatThrownBy(() -> SecretFile.readOrCreate(file))
                    .as(content)
                    .isInstanceOf(SecretFileException.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("32 bytes or more in base64");
            assertThat(Files.readString(file)).isEqualTo(content);
        }
    }
}
