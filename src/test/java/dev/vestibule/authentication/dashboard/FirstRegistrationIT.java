package dev.vestibule.authentication.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.RawExchange;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who can create the first account on a server. */
@ExtendWith(WithServer.class)
class FirstRegistrationIT {
    private static final Map<String, String> FIRST = Map.of("VESTIBULE_DASHBOARD_REGISTRATION", "first");
    private static final String FORWARDED = "X-Forwarded-For";

    private final TestDatabase database;

    FirstRegistrationIT(TestDatabase database) {
        this.database = database;
    }

    private static ApiClient.Call register(ApiClient api, Object... setupCode) {
        var fields =
                new HashMap<String, Object>(Map.of("email", "first@example.com", "password", "a dashboard password"));
        if (setupCode.length > 0) {
            fields.put("setupCode", setupCode[0]);
        }
        return api.post("/v1/dashboard/auth/register").json(fields);
    }

    @Test
    void onTheSameMachineItNeedsNoCode() {
        try (var server = TestServer.start(database, FIRST)) {
            register(server.api()).expect(201);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Forwarded: for=127.0.0.1",
                "X-Forwarded-For: 127.0.0.1",
                "x-forwarded-for:",
                "X-Forwarded-Proto: https",
                "X-Forwarded-Host: localhost",
                "X-Real-IP: 127.0.0.1",
                "Via: 1.1 proxy",
                "CF-Connecting-IP: 127.0.0.1"
            })
    void aForwardedRequestIsNotLocal(String header) {
        try (var server = TestServer.start(database, FIRST)) {
            assertThat(raw(server, "HTTP/1.1", "localhost", header + "\r\n")).isEqualTo(403);
            assertThat(server.sql().count("SELECT count(*) FROM users")).isZero();
        }
    }

    /** nginx with its defaults, which adds no header and speaks HTTP/1.0, and proxies that keep the host. */
    @Test
    void aProxyThatAddsNoHeaderIsRecognisedByItsHttpVersionOrTheHost() {
        try (var server = TestServer.start(database, FIRST)) {
            assertThat(raw(server, "HTTP/1.0", "127.0.0.1:8080", "")).isEqualTo(403);
            assertThat(raw(server, "HTTP/1.1", "auth.example.com", "")).isEqualTo(403);
            assertThat(raw(server, "HTTP/1.1", "203.0.113.7", "")).isEqualTo(403);
            assertThat(server.sql().count("SELECT count(*) FROM users")).isZero();
        }
    }

    private static int raw(TestServer server, String version, String host, String headers) {
        var body = "{\"email\":\"first@example.com\",\"password\":\"a dashboard password\"}";
        return RawExchange.send(
                        server.api().base(),
                        "POST /v1/dashboard/auth/register " + version + "\r\nHost: " + host + "\r\n" + headers
                                + "Content-Type: application/json\r\nContent-Length: " + body.length()
                                + "\r\nConnection: close\r\n\r\n" + body)
                .status();
    }

    @Test
    void anotherAddressOfTheMachineNeedsTheCodeToo() throws Exception {
        var address = addressInTheNetwork();
        Assumptions.assumeTrue(address.isPresent(), "this machine has no network");
        try (var server = TestServer.start(database, FIRST)) {
            var fromTheNetwork = new ApiClient(URI.create("http://"
                    + address.get().getHostAddress() + ":" + server.api().base().getPort()));

            register(fromTheNetwork).expect(403);
            register(fromTheNetwork, server.setupCode()).expect(201);
        }
    }

    private static Optional<InetAddress> addressInTheNetwork() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && address.getAddress().length == 4)
                .findFirst();
    }

    @Test
    void aRemoteRegistrationNeedsTheCodeThatTheServerPrints() {
        try (var server = TestServer.start(database, FIRST)) {
            var missing =
                    register(server.api()).header(FORWARDED, "203.0.113.1").expect(403);
            assertThat(missing.text("message")).contains("setupCode", "prints");

            for (var wrong : new String[] {"", "0000-0000-0000-0000", "\u0000", "x".repeat(10_000), "ſſſſ"}) {
                assertThat(register(server.api(), wrong)
                                .header(FORWARDED, "203.0.113.1")
                                .expect(403)
                                .text("message"))
                        .contains("setupCode");
            }
            assertThat(register(server.api(), 42)
                            .header(FORWARDED, "203.0.113.1")
                            .expect(422)
                            .failingFields())
                    .containsExactly("setupCode");

            register(server.api(), server.setupCode())
                    .header(FORWARDED, "203.0.113.1")
                    .expect(201);
        }
    }

    @Test
    void theCodeIsAcceptedAsItIsReadAloud() {
        try (var server = TestServer.start(database, FIRST)) {
            var spoken = server.setupCode()
                    .toLowerCase(Locale.ROOT)
                    .replace("-", " ")
                    .replace('0', 'o')
                    .replace('1', 'l');

            register(server.api(), spoken).header(FORWARDED, "203.0.113.1").expect(201);
        }
    }

    @Test
    void theCodeIsInvalidOnceAnAccountExists() {
        try (var server = TestServer.start(database, FIRST)) {
            var code = server.setupCode();
            register(server.api()).expect(201);

            assertThat(server.api()
                            .post("/v1/dashboard/auth/register")
                            .header(FORWARDED, "203.0.113.1")
                            .json(Map.of(
                                    "email",
                                    "second@example.com",
                                    "password",
                                    "a dashboard password",
                                    "setupCode",
                                    code))
                            .expect(403)
                            .text("message"))
                    .contains("dashboard.registration");
        }
    }

    @Test
    void everyNodePrintsTheSameCodeAndAnotherMasterSecretGivesAnotherCode() {
        var another = new HashMap<>(FIRST);
        another.put("VESTIBULE_SECRET", "another master secret for tests, of 32 bytes or more");
        try (var one = TestServer.start(database, FIRST);
                var other = TestServer.startOn(one.databaseUrl(), FIRST, Clock.systemUTC());
                var elsewhere = TestServer.start(database, another)) {
            assertThat(one.setupCode())
                    .isEqualTo(other.setupCode())
                    .isNotEqualTo(elsewhere.setupCode())
                    .matches("(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}");

            register(other.api(), one.setupCode())
                    .header(FORWARDED, "203.0.113.1")
                    .expect(201);
        }
    }

    @Test
    void guessesCountAgainstTheQuotaOfRegistrations() {
        var settings = new HashMap<>(FIRST);
        settings.put("VESTIBULE_LIMITS_DASHBOARD_REGISTER_PER_MINUTE", "2");
        try (var server = TestServer.start(database, settings)) {
            for (int i = 0; i < 2; i++) {
                register(server.api(), "0000-0000-0000-0000")
                        .header(FORWARDED, "203.0.113.1")
                        .expect(403);
            }
            register(server.api(), server.setupCode())
                    .header(FORWARDED, "203.0.113.1")
                    .expect(429);
        }
    }

    @Test
    void openRegistrationNeedsNoCode() {
        try (var server = TestServer.start(database, Map.of("VESTIBULE_DASHBOARD_REGISTRATION", "open"))) {
            register(server.api()).header(FORWARDED, "203.0.113.1").expect(201);
        }
    }
}
