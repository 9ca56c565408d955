package dev.vestibule.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.ProjectKeys;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rotates a project's signing keys manually, as a precaution or because one has leaked. */
@ExtendWith(WithServer.class)
class RotateSigningKeysIT {
    private static final Duration LEAD = Duration.ofMinutes(10);

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private final TestProject project;

    RotateSigningKeysIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_TOKENS_MAX_SIGNING_KEYS", "3"), clock);
        project = server.newProject();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Call rotate(TestProject at) {
        return at.asOwner("POST", "/signing-keys/rotate");
    }

    private static Call revoke(TestProject at) {
        return rotate(at).json(Map.of("revoke", true));
    }

    @Test
    void everyTokenUnderARevokedKeyIsRefusedAtOnce() {
        var issuedHere = project.signUp();
        var genuine = Jwt.parse(issuedHere.accessToken());
        var leaked = ProjectKeys.privateKey(server, project.id());
        var forged = genuine.claim("exp", clock.instant().getEpochSecond() + 80_000);
        project.me(issuedHere.accessToken()).expect(200);
        project.verify(forged.signedWith(leaked)).expect(200);

        var answer = revoke(project).expect(200);

        project.me(issuedHere.accessToken()).expect(401);
        project.verify(issuedHere.accessToken()).expect(401);
        project.signOut(issuedHere.accessToken()).expect(401);
        project.me(forged.signedWith(leaked)).expect(401);
        project.me(forged.claim("jti", "never seen").signedWith(leaked)).expect(401);
        project.me(forged.header("kid", answer.text("keyId")).signedWith(leaked))
                .expect(401);
        project.me(forged.header("kid", null).signedWith(leaked)).expect(401);
        assertThat(revokedIds(answer)).containsExactly(kid(issuedHere));
        assertThat(published(project)).containsExactly(answer.text("keyId"));
    }

    @Test
    void aMisspeltRevokeIsRefusedInsteadOfRevokingNothing() {
        var before = published(project);

        var refused = rotate(project).json(Map.of("revok", true)).expect(422);

        assertThat(refused.text("message")).isEqualTo("revok is not known; did you mean revoke?");
        assertThat(refused.failingFields()).containsExactly("revok");
        assertThat(published(project)).isEqualTo(before);
    }

    @Test
    void sessionsSurviveTheRevocationOfAKey() {
        var inA = project.signUp("ann@example.com");
        var inB = project.signInInVariantB("ann@example.com");

        var answer = revoke(project).expect(200);

        for (var refreshed : List.of(
                project.refresh(inA.refreshToken()).expect(200),
                project.refreshAccessToken(inB.refreshToken()).expect(200),
                project.signIn("ann@example.com"))) {
            assertThat(kid(refreshed)).isEqualTo(answer.text("keyId"));
            project.me(refreshed.accessToken()).expect(200);
        }
        assertThat(Instant.parse(answer.text("signsFrom"))).isEqualTo(clock.instant());
    }

    @Test
    void anotherNodeRefusesARevokedKeyWithinAMoment() {
        try (var other = TestServer.startOn(server.databaseUrl(), Map.of(), clock)) {
            var there = project.at(other);
            var issuedThere = there.signUp("ann@example.com");
            there.me(issuedThere.accessToken()).expect(200);
            var answer = revoke(project).expect(200);
            var revoked = System.nanoTime();
            for (var asked = revoked;
                    there.me(issuedThere.accessToken()).send().status() != 401;
                    asked = System.nanoTime()) {
                assertThat(Duration.ofNanos(asked - revoked))
                        .as("what is asked later is refused")
                        .isLessThan(Duration.ofSeconds(1));
            }
            assertThat(kid(there.signIn("ann@example.com"))).isEqualTo(answer.text("keyId"));
            assertThat(published(there)).containsExactly(answer.text("keyId"));
        }
    }

    /** Like a node whose connection for heartbeats is blocked while the rest of the database responds. */
    @Test
    void aNodeWithoutChangeNotificationsAsksTheDatabase() {
        var proxy = DatabaseProxy.before(server.databaseUrl());
        try (proxy;
                var deaf = TestServer.startOn(proxy.url(), Map.of(), clock)) {
            var there = project.at(deaf);
            var signedUp = there.signUp();
            there.me(signedUp.accessToken()).expect(200);
            proxy.holdHeartbeats();
            Eventually.until(
                    "the node knows that it is deaf",
                    () -> proxy.during(() -> there.me(signedUp.accessToken()).expect(200))
                                    .size()
                            > 1);

            revoke(project).expect(200);

            there.me(signedUp.accessToken()).expect(401);
            proxy.restore();
        }
    }

    @Test
    void aRoutineKeyIsPublishedBeforeItSigns() {
        var before = project.signUp("ann@example.com");
        clock.advance(Duration.ofSeconds(1));
        var answer = rotate(project).expect(200);

        assertThat(answer.json().fieldNames()).toIterable().containsExactly("keyId", "signsFrom", "revoked");
        assertThat(revokedIds(answer)).isEmpty();
        assertThat(Instant.parse(answer.text("signsFrom")))
                .isEqualTo(clock.instant().plus(LEAD));
        assertThat(published(project)).containsExactly(answer.text("keyId"), kid(before));
        clock.advance(LEAD.minusMillis(1));
        assertThat(kid(project.signIn("ann@example.com"))).isEqualTo(kid(before));
        clock.advance(Duration.ofSeconds(1));
        assertThat(kid(project.signIn("ann@example.com"))).isEqualTo(answer.text("keyId"));
        project.me(before.accessToken()).expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"revoke\":false}"})
    void withoutRevokeNoTokenBreaks(String body) {
        var signedUp = project.signUp();

        rotate(project).text(body).expect(200);

        project.me(signedUp.accessToken()).expect(200);
    }

    @Test
    void noKeyIsAddedWhileOneWaitsToSign() {
        var first = rotate(project).expect(200);

        assertThat(rotate(project).expect(200).json()).isEqualTo(first.json());
        assertThat(published(project)).hasSize(2);
    }

    @Test
    void concurrentRotationsAddOneKey() {
        var answers = Parallel.send(8, number -> rotate(project));

        assertThat(answers).extracting(Response::status).containsOnly(200);
        assertThat(answers)
                .extracting(answer -> answer.text("keyId"))
                .containsOnly(answers.get(0).text("keyId"));
        assertThat(published(project)).hasSize(2);
    }

    @Test
    void concurrentRevocationsLeaveOneKeyThatWorks() {
        var signedUp = project.signUp();

        var answers = Parallel.send(8, number -> revoke(project));

        assertThat(answers).extracting(Response::status).containsOnly(200);
        assertThat(published(project)).hasSize(1);
        var refreshed = project.refresh(signedUp.refreshToken()).expect(200);
        assertThat(published(project)).containsExactly(kid(refreshed));
        project.me(refreshed.accessToken()).expect(200);
    }

    @Test
    void aRevocationRemovesTheKeyThatWaitsToSignToo() {
        var waiting = rotate(project).expect(200);
        var signedUp = project.signUp();

        var answer = revoke(project).expect(200);

        assertThat(revokedIds(answer)).containsExactlyInAnyOrder(waiting.text("keyId"), kid(signedUp));
        assertThat(published(project)).containsExactly(answer.text("keyId"));
    }

    @Test
    void theNumberOfKeysIsLimitedAndARevocationIsAlwaysPossible() {
        for (int i = 0; i < 2; i++) {
            rotate(project).expect(200);
            clock.advance(LEAD.plusMillis(1));
        }
        var there = signedInAgain();
        rotate(there).expect(409);
        assertThat(published(project)).hasSize(3);

        revoke(there).expect(200);

        assertThat(published(project)).hasSize(1);
        rotate(there).expect(200);
    }

    @Test
    void theRsaKeyOfIdTokensIsRotatedAndRevokedWithTheOther() {
        var email = TestServer.newEmail();
        project.signUp(email);
        var client = OauthBrowser.register(project, "spa", Map.of()).text("clientId");
        var first = idTokenKey(client, email);
        clock.advance(LEAD.plusMillis(1));
        rotate(signedInAgain()).expect(200);
        assertThat(published(project)).hasSize(4);
        assertThat(idTokenKey(client, email)).isEqualTo(first);

        clock.advance(LEAD.plusMillis(1));
        var second = idTokenKey(client, email);
        assertThat(second).isNotEqualTo(first);
        assertThat(published(project)).contains(first, second);

        assertThat(revokedIds(revoke(signedInAgain()).expect(200))).contains(first, second);
        var third = idTokenKey(client, email);
        assertThat(published(project)).contains(third).doesNotContain(first, second);
    }

    private String idTokenKey(String client, String email) {
        var code = new OauthBrowser(project).code(client, email, Map.of("scope", "openid"));
        var token = OauthBrowser.redeem(project, client, code, 200).text("id_token");
        return Jwt.parse(token).header().path("kid").asText();
    }

    @Test
    void keysOfOtherProjectsStay() {
        var other = server.newProject();
        var signedUp = other.signUp();

        revoke(project).expect(200);

        other.me(signedUp.accessToken()).expect(200);
        assertThat(published(other)).containsExactly(kid(signedUp));
        project.asOwner("GET", "").expect(200);
    }

    @Test
    void onlyAnOwnerCanRotate() {
        var path = "/signing-keys/rotate";
        var body = Map.of("revoke", true);
        var before = published(project);

        project.as(server.newMember(project, "viewer"), "POST", path).json(body).expect(403);
        project.as(server.newDashboardUser(), "POST", path).json(body).expect(404);
        project.as(project.signUp().accessToken(), "POST", path).json(body).expect(403);
        var full = "/v1/dashboard/projects/" + project.id() + path;
        server.api().post(full).json(body).expect(401);
        server.api().post(full).key(project.secretKey()).json(body).expect(403);
        for (var unknown : List.of(UUID.randomUUID(), "00000000-0000-7000-8000-000000000000", "no-id")) {
            server.api()
                    .post("/v1/dashboard/projects/" + unknown + path)
                    .bearer(project.owner())
                    .json(body)
                    .expect(404);
        }

        assertThat(published(project)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "1", "\"true\"", "\"\\u0000\"", "[true]", "{}"})
    void revokeMustBeTrueOrFalse(String value) {
        var before = published(project);

        assertThat(rotate(project)
                        .text("{\"revoke\":" + value + "}")
                        .expect(422)
                        .failingFields())
                .containsExactly("revoke");

        assertThat(published(project)).isEqualTo(before);
    }

    @Test
    void aBodyThatIsNotAnObjectIsRefused() {
        for (var body : List.of("[]", "true", "{", "\"revoke\"")) {
            rotate(project).text(body).expect(400);
        }
    }

    /** The project with an owner whose access token has not expired at the test's time. */
    private TestProject signedInAgain() {
        return new TestProject(
                project.api(),
                project.id(),
                project.publishableKey(),
                project.secretKey(),
                server.newMember(project, "owner"));
    }

    private static List<String> published(TestProject at) {
        var keys = at.api()
                .get("/v1/projects/" + at.id() + "/.well-known/jwks.json")
                .expect(200)
                .json()
                .path("keys");
        return texts(keys, key -> key.path("kid").asText());
    }

    private static List<String> revokedIds(Response rotated) {
        return texts(rotated.json().path("revoked"), JsonNode::asText);
    }

    private static List<String> texts(JsonNode array, Function<JsonNode, String> text) {
        return StreamSupport.stream(array.spliterator(), false).map(text).collect(Collectors.toList());
    }

    private static String kid(Response tokens) {
        return Jwt.parse(tokens.accessToken()).header().path("kid").asText();
    }
}
