package dev.vestibule.token;

import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.ProjectKeys;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.math.BigInteger;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens whose content the server did not write, some of them signed with the project's real key. */
@ExtendWith(WithServer.class)
class AccessTokenClaimsIT {
    private final TestServer server;
    private final TestProject project;
    private final Jwt genuine;
    private final PrivateKey projectsKey;

    AccessTokenClaimsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.genuine = Jwt.parse(project.signUp().accessToken());
        this.projectsKey = ProjectKeys.privateKey(server, project.id());
    }

    private void refused(String token) {
        server.api().get("/v1/auth/token/verify").bearer(token).expect(401);
        project.me(token).expect(401);
    }

    /** Even under the right key. */
    private void refusedWith(String claim, Object value) {
        refused(genuine.claim(claim, value).signedWith(projectsKey));
    }

    /** Otherwise every refusal below might have another reason. */
    @Test
    void aTokenSignedAgainWithTheProjectsKeyIsValid() {
        project.me(genuine.signedWith(projectsKey)).expect(200);
    }

    @Test
    void nothingOfASignedTokenCanBeChanged() {
        var other = Jwt.parse(project.signUp().accessToken());
        for (var claim : List.of("sub", "sid", "iat", "exp")) {
            refused(genuine.claim(claim, "changed").text());
        }
        refused(genuine.claim("sub", other.claims().path("sub")).text());
        refused(genuine.claim("sid", other.claims().path("sid")).text());
        refused(genuine.claim("exp", genuine.claims().path("exp").asLong() + 1).text());
        refused(genuine.claim("role", "admin").text());
        refused(genuine.header("typ", "at+jwt").text());
        refused(genuine.header("x", 1).text());
        refused(new Jwt(genuine.header(), other.claims(), genuine.signature()).text());
    }

    @Test
    void aTokenIsExpiredASecondAfterItsEnd() {
        var now = Instant.now().getEpochSecond();

        refusedWith("exp", now - 1);
        refusedWith("exp", 0);
        refusedWith("exp", -1);
        project.me(genuine.claim("exp", now + 60).signedWith(projectsKey)).expect(200);
    }

    @Test
    void anExpiryThatIsNotAWholeNumberOfSecondsIsRefused() {
        var later = Instant.now().getEpochSecond() + 600;

        refusedWith("exp", Long.toString(later));
        refusedWith("exp", true);
        refusedWith("exp", List.of(later));
        refusedWith("exp", Map.of());
        refusedWith("exp", 1e300);
        refusedWith("exp", Long.MAX_VALUE);
        refusedWith("exp", BigInteger.TWO.pow(64).add(BigInteger.valueOf(later)));
        refusedWith("iat", "now");
        refusedWith("iat", BigInteger.TWO.pow(64));
    }

    @Test
    void aTokenIsInvalidBeforeItsTime() {
        refusedWith("nbf", Instant.now().getEpochSecond() + 600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"iss", "aud", "sub", "projectId", "sid", "type", "iat", "exp"})
    void aTokenThatLacksAClaimIsRefused(String claim) {
        refused(genuine.claim(claim, null).signedWith(projectsKey));
    }

    @ParameterizedTest
    @ValueSource(strings = {"iss", "aud", "sub", "projectId", "sid", "type"})
    void aClaimThatIsNotAStringIsRefused(String claim) {
        var right = genuine.claims().path(claim).asText();

        refusedWith(claim, List.of(right));
        refusedWith(claim, Map.of(claim, right));
        refusedWith(claim, 1);
        refusedWith(claim, "");
    }

    @Test
    void aTokenOfAnotherProjectsIssuerIsRefused() {
        refusedWith("iss", "https://auth.example.com");
        refusedWith("iss", genuine.claims().path("iss").asText() + "/");
        refusedWith(
                "iss",
                "https://auth.example.com/v1/projects/" + server.newProject().id());
    }

    @Test
    void aTokenForAnotherAudienceIsRefused() {
        refusedWith("aud", server.newProject().id());
        refusedWith("aud", UUID.randomUUID().toString());
        refusedWith("aud", "nonsense");
        refusedWith("projectId", server.newProject().id());
    }

    @Test
    void aTokenOfAnotherTypeIsRefused() {
        refusedWith("type", "refresh");
        refusedWith("type", "Access");
        refusedWith("type", "id");
    }

    @Test
    void aTokenOfNoSessionOrOfAnotherUsersIsRejected() {
        var other = Jwt.parse(project.signUp().accessToken());

        refusedWith("sid", UUID.randomUUID().toString());
        refusedWith("sid", other.claims().path("sid"));
        refusedWith("sub", other.claims().path("sub"));
        refusedWith("sub", UUID.randomUUID().toString());
    }

    @Test
    void aTokenOfADeletedSessionIsRefused() {
        server.sql()
                .update(
                        "DELETE FROM sessions WHERE id = ?::uuid",
                        genuine.claims().path("sid").asText());

        refused(genuine.text());
        refused(genuine.signedWith(projectsKey));
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "AA", "AAAA", "=", ".", ".A", "!", ",", "%00", "%20", "/", "."})
    void aTokenWithAPrefixOrSuffixIsInvalid(String more) {
        refused(genuine.text() + more);
        refused(more + genuine.text());
    }

    @Test
    void aTokenMustHaveThreeParts() {
        for (var token : List.of(
                ".",
                "..",
                "...",
                "a",
                "a.b",
                "a.b.c",
                "a.b.c.d.e",
                genuine.signed(),
                genuine.signed() + ".",
                "." + genuine.text(),
                genuine.text().replace(".", ".."),
                genuine.text().replace('.', ' '),
                genuine.text().substring(genuine.text().indexOf('.')),
                genuine.text() + "." + genuine.text(),
                "e30.e30.",
                "bnVsbA.bnVsbA.bnVsbA",
                "W10.W10.W10")) {
            refused(token);
        }
    }

    @Test
    void aVeryLongTokenIsRefused() {
        refused(genuine.claim("fill", "x".repeat(5000)).text());
        refused(genuine.text("A".repeat(7000)));
        refused("a".repeat(7000));
        refused("a.".repeat(3500));
        project.me("x".repeat(20_000)).expect(431);
    }
}
