package dev.vestibule.oauth.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.FakeProvider;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A misspelt issuer is reported when it is entered, and not by the first user who cannot sign in. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IssuerWarningIT {
    private static final String DISCOVERY = "/.well-known/openid-configuration";

    private static final String PRIVATE = "VESTIBULE_OAUTH_ALLOW_PRIVATE_ISSUERS";

    private final TestDatabase database;
    private final TestServer server;
    private final TestProject project;

    IssuerWarningIT(TestDatabase database) {
        this.database = database;
        server = TestServer.start(database, Map.of(PRIVATE, "true"));
        project = server.newProject();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private JsonNode warningsOf(String issuer) {
        return warningsOf(project, issuer);
    }

    private static JsonNode warningsOf(TestProject project, String issuer) {
        var set = project.asOwner("PUT", "/providers/oidc")
                .json(Map.of("clientId", "an id", "clientSecret", "a secret", "enabled", true, "issuer", issuer))
                .expect(200);
        assertThat(set.text("issuer")).isEqualTo(issuer);
        assertThat(project.asOwner("GET", "/providers").expect(200).text("providers/0/issuer"))
                .isEqualTo(issuer);
        return set.json().path("warnings");
    }

    private static JsonObject discoveryDocument(String issuer) {
        return new JsonObject()
                .put("issuer", issuer)
                .put("authorization_endpoint", issuer + "/authorize")
                .put("token_endpoint", issuer + "/token")
                .put("jwks_uri", issuer + "/keys");
    }

    @Test
    void anIssuerThatAnswersGivesNoWarning() {
        try (var provider = new FakeProvider()) {
            var issuer = provider.url().toString();
            provider.answers(DISCOVERY, discoveryDocument(issuer));

            assertThat(warningsOf(issuer)).isEmpty();
            assertThat(provider.asked(DISCOVERY))
                    .allSatisfy(asked -> assertThat(asked.headers().contains("Authorization"))
                            .isFalse());
        }
    }

    @Test
    void anUnreachableIssuerIsStoredWithAWarning() {
        var issuer = "http://127.0.0.1:" + FreePort.find();

        assertThat(warningsOf(issuer))
                .singleElement()
                .satisfies(warning ->
                        assertThat(warning.asText()).contains("does not answer").contains(issuer));
    }

    @Test
    void aSilentIssuerIsWaitedForWithinTheResponseTimeout() {
        try (var provider = new FakeProvider();
                var impatient =
                        TestServer.start(database, Map.of(PRIVATE, "true", "VESTIBULE_OAUTH_TIMEOUT_SECONDS", "1"))) {
            provider.answers(DISCOVERY, request -> {});

            assertThat(warningsOf(impatient.newProject(), provider.url().toString()))
                    .singleElement()
                    .satisfies(warning -> assertThat(warning.asText()).contains("does not answer"));
        }
    }

    @Test
    void aMisspeltIssuerIsReported() {
        try (var provider = new FakeProvider()) {
            var issuer = provider.url().toString();
            provider.answers(DISCOVERY, discoveryDocument(issuer + "/"));
            assertThat(warningsOf(issuer))
                    .singleElement()
                    .satisfies(warning -> assertThat(warning.asText()).contains("no usable response"));

            assertThat(warningsOf(issuer + "/realms/x")).hasSize(1);
        }
    }

    /** The warning contains nothing from the response, or it would show what only this server can reach. */
    @Test
    void aWarningQuotesNothingOfTheResponse() {
        try (var provider = new FakeProvider()) {
            provider.answers(DISCOVERY, 500, "{\"secret\":\"inner-host\"}");

            assertThat(warningsOf(provider.url().toString()).toString()).doesNotContain("inner-host");
        }
    }
}
