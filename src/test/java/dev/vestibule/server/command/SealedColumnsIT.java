package dev.vestibule.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.database.SealedTable;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Compares the lists of sealed columns with the catalog. */
@ExtendWith(WithServer.class)
class SealedColumnsIT {
    private static final String SEALED = """
            SELECT table_name || ' ' || column_name FROM information_schema.columns
            WHERE table_schema = 'public' AND column_name LIKE 'sealed\\_%'
            """;

    /** Their number does not grow with the number of users, so that a start can check all of them. */
    private static final String SEALED_FOR_PROJECTS = SEALED + """
            AND table_name NOT IN (
                SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'user_id')
            """;

    /** Rotation replaces them; tokens from before a rotation need the older keys. */
    private static final String NEVER_SEALED_AGAIN = "signing_keys sealed_private_jwk";

    private final TestServer server;

    SealedColumnsIT(TestServer server) {
        this.server = server;
    }

    @Test
    void everySecretOfAProjectIsCheckedBeforeDataOfAnotherServerIsUsed() {
        var tried = SealedColumns.of(new MasterKeys(MasterSecret.fromSetting(TestServer.SECRET), List.of())).stream()
                .map(column -> column.table() + " " + column.column());
        assertThat(tried).containsExactlyInAnyOrderElementsOf(server.sql().texts(SEALED_FOR_PROJECTS));
    }

    @Test
    void everySealedColumnIsSealedAgain() {
        var sealedAgain = new ClassFileImporter()
                .withImportOption(new DoNotIncludeTests()).importPackages("dev.vestibule").stream()
                        .flatMap(type -> type.getFields().stream())
                        .filter(field -> field.getRawType().isEquivalentTo(SealedTable.class)
                                && field.getModifiers().contains(JavaModifier.STATIC))
                        .map(SealedColumnsIT::table)
                        .flatMap(table -> table.columns().stream().map(column -> table.name() + " " + column));
        assertThat(Stream.concat(sealedAgain, Stream.of(NEVER_SEALED_AGAIN)))
                .containsExactlyInAnyOrderElementsOf(server.sql().texts(SEALED));
    }

    private static SealedTable table(JavaField constant) {
        try {
            var field = constant.reflect();
            field.setAccessible(true);
            return (SealedTable) Objects.requireNonNull(field.get(null));
        } catch (IllegalAccessException failure) {
            throw new LinkageError(constant.getFullName(), failure);
        }
    }
}
