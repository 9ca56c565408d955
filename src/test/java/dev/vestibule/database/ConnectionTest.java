package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.config.DatabaseSettings;
import dev.vestibule.config.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionTest {
    private static final String POOLER = "postgresql://app:hunter2@pooler:6432/auth?sslmode=disable";
    private static final String DIRECT = "postgresql://owner:hunter3@db1,db2:5433/users?target_session_attrs=primary";

    private final Path folder;

    ConnectionTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private Connection connection(Map<String, String> more) {
        var environment = new HashMap<>(more);
        environment.put("VESTIBULE_DATABASE_URL", POOLER);
        environment.put("VESTIBULE_SECRET", "a-master-secret-that-is-long-enough");
        DatabaseSettings settings =
                Settings.load(Optional.empty(), environment, folder).database();
        return Connection.to(settings.url().orElseThrow(), settings);
    }

    @Test
    void aFailedMigrationNamesTheDatabaseThatItWasFor() {
        assertThat(connection(Map.of()).migrated()).isEqualTo("pooler:6432/auth");
        assertThat(connection(Map.of("VESTIBULE_DATABASE_DIRECT_URL", DIRECT)).migrated())
                .isEqualTo("db1:5432,db2:5433/users");
    }

    @Test
    void theTargetOfMigrationsIsNamedWithoutUserAndPassword() {
        assertThat(connection(Map.of("VESTIBULE_DATABASE_DIRECT_URL", DIRECT)).migrated())
                .doesNotContain("hunter", "owner", "app");
    }
}
