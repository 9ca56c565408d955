package dev.vestibule.oauth.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A catalogue that the operator has changed. */
@ExtendWith(WithServer.class)
class OwnCatalogueIT {
    private static final Map<String, Object> CLIENT = Map.of("clientId", "id", "clientSecret", "s", "enabled", true);

    private final TestDatabase database;
    private final Path file;

    OwnCatalogueIT(TestDatabase database, @TempDir Path folder) {
        this.database = database;
        this.file = folder.resolve("providers.yaml");
    }

    private static String listed(TestProject project) {
        return project.get("/v1/auth/providers")
                .expect(200)
                .json()
                .path("providers")
                .toString();
    }

    @Test
    void aProviderThatTheOperatorAddsIsLikeAnyOther() throws IOException {
        Files.writeString(file, "our-login: {like: oidc, issuer: 'https://login.example.com', settings: null}");
        var environment = Map.of("VESTIBULE_OAUTH_CATALOGUE_FILE", file.toString());
        try (var server = TestServer.start(database, environment)) {
            var project = server.newProject();

            project.asOwner("PUT", "/providers/our-login").json(CLIENT).expect(200);
            project.asOwner("PUT", "/providers/google").json(CLIENT).expect(200);
            project.manage("POST", "/v1/dashboard/users")
                    .json(Map.of("email", "ann@example.com", "identities", new Object[] {
                        Map.of("provider", "our-login", "subject", "7")
                    }))
                    .expect(201);

            assertThat(listed(project)).isEqualTo("[\"google\",\"our-login\"]");
        }
    }

    @Test
    void aProviderRemovedFromTheCatalogueIsNotOfferedAndCanBeDeleted() throws IOException {
        try (var before = TestServer.start(database, Map.of())) {
            var project = before.newProject();
            project.asOwner("PUT", "/providers/kakao").json(CLIENT).expect(200);
            Files.writeString(file, "kakao: null");
            var environment = Map.of("VESTIBULE_OAUTH_CATALOGUE_FILE", file.toString());
            try (var after = TestServer.startOn(before.databaseUrl(), environment, Clock.tickMillis(ZoneOffset.UTC))) {
                var there = project.at(after);

                assertThat(listed(there)).isEqualTo("[]");
                there.asOwner("PUT", "/providers/kakao").json(CLIENT).expect(404);
                assertThat(there.asOwner("GET", "/providers").expect(200).text("total"))
                        .isEqualTo("1");
                there.asOwner("DELETE", "/providers/kakao").expect(200);
            }
        }
    }
}
