package dev.vestibule.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.SealedSecrets;
import java.util.List;
import java.util.regex.Pattern;
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

    private static final Pattern UPDATE = Pattern.compile("UPDATE (\\w+) SET (.*?)\\s+WHERE");
    private static final Pattern COLUMN = Pattern.compile("(\\w+) = \\$\\d");

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
                        .filter(type -> type.isAssignableTo(SealedSecrets.class) && !type.isInterface())
                        .<Class<?>>map(JavaClass::reflect)
                        .flatMap(SealedColumnsIT::replaced);
        assertThat(Stream.concat(sealedAgain, Stream.of(NEVER_SEALED_AGAIN)))
                .containsExactlyInAnyOrderElementsOf(server.sql().texts(SEALED));
    }

    private static Stream<String> replaced(Class<?> store) {
        try {
            var statement = store.getDeclaredField("REPLACE");
            statement.setAccessible(true);
            var update = UPDATE.matcher(String.valueOf(statement.get(null)));
            assertThat(update.lookingAt()).as("the statement of %s", store).isTrue();
            return COLUMN.matcher(update.group(2)).results().map(column -> update.group(1) + " " + column.group(1));
        } catch (ReflectiveOperationException failure) {
            throw new LinkageError(store.getName(), failure);
        }
    }
}
