package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class MasterSecretIT {
    private final TestDatabase database;

    MasterSecretIT(TestDatabase database) {
        this.database = database;
    }

    @Test
    void aMasterSecretThatDoesNotFitTheDataStopsTheStart() {
        String databaseUrl;
        try (var first = TestServer.start(database, Map.of())) {
            databaseUrl = first.databaseUrl();
        }
        var another = Map.of("VESTIBULE_SECRET", "a master secret that sealed nothing in this database");

        assertThatThrownBy(() -> TestServer.startOn(databaseUrl, another, Clock.tickMillis(ZoneOffset.UTC)))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("previousSecrets");
    }
}
