package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which address a session is said to come from. */
@ExtendWith(WithServer.class)
class TrustedProxyIT {
    private final TestServer direct;
    private final TestDatabase database;

    TrustedProxyIT(TestServer direct, TestDatabase database) {
        this.direct = direct;
        this.database = database;
    }

    @Test
    void aTrustedProxySetsTheAddressAndTheCountry() {
        var settings = Map.of(
                "VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1/32,::1/128",
                "VESTIBULE_HTTP_COUNTRY_HEADER", "CF-IPCountry");
        try (var behindProxy = TestServer.start(database, settings)) {
            var project = behindProxy.newProject();
            signUp(project)
                    .header("X-Forwarded-For", "198.51.100.9, 203.0.113.1")
                    .header("CF-IPCountry", "de")
                    .expect(201);
            assertThat(column(behindProxy, project, "ip_address")).isEqualTo("203.0.113.1");
            assertThat(column(behindProxy, project, "country")).isEqualTo("DE");
        }
    }

    @Test
    void aClientCannotOverruleTheHeaderThatTheProxyWrites() {
        var settings = Map.of(
                "VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1/32,::1/128",
                "VESTIBULE_HTTP_FORWARDED_HEADER", "forwarded");
        try (var behindProxy = TestServer.start(database, settings)) {
            var project = behindProxy.newProject();
            signUp(project)
                    .header("X-Forwarded-For", "192.0.2.66")
                    .header("Forwarded", "for=\"192.0.2.66, for=203.0.113.1;proto=https")
                    .expect(201);
            assertThat(column(behindProxy, project, "ip_address")).isEqualTo("203.0.113.1");
        }
    }

    @Test
    void anUntrustedPeerCannotSetItsAddress() {
        var project = direct.newProject();
        signUp(project)
                .header("X-Forwarded-For", "203.0.113.1")
                .header("Forwarded", "for=203.0.113.1")
                .header("CF-IPCountry", "DE")
                .expect(201);
        assertThat(column(direct, project, "ip_address")).isEqualTo("127.0.0.1");
        assertThat(column(direct, project, "country")).isEqualTo("null");
    }

    private static Call signUp(TestProject project) {
        return project.api()
                .post("/v1/auth/signup")
                .key(project.publishableKey())
                .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD));
    }

    private static String column(TestServer server, TestProject project, String column) {
        return server.sql()
                .texts("SELECT " + column + " FROM sessions WHERE project_id = ?::uuid", project.id())
                .get(0);
    }
}
