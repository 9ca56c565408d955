package dev.vestibule.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Database;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rotates the signing keys of the projects of a running server, which uses the same clock. */
@ExtendWith(WithServer.class)
class KeyRotationIT {
    private static final Duration AGE = Duration.ofDays(90);
    private static final Duration LEAD = Duration.ofMinutes(10);
    private static final String AFTER = "https://app.example.com/signed-out";

    private final Vertx vertx = Vertx.vertx();
    private final TestClock clock = new TestClock();
    private final TestServer server;
    private final TestProject project;
    private final Database database;
    private final KeyRotation rotation;

    KeyRotationIT(TestDatabase testDatabase) {
        server = TestServer.start(testDatabase, Map.of(), clock);
        project = server.newProject();
        server.change(project, "refresh_token_ttl_seconds = 31536000, access_token_ttl_seconds = 86400");
        database = TestDatabase.connect(vertx, server.databaseUrl(), 4);
        rotation = rotation(AGE);
    }

    @AfterEach
    void stop() {
        database.close().await();
        vertx.close().await();
        server.close();
    }

    @Test
    void aYoungKeyStays() {
        var before = published();
        clock.advance(AGE.minusMillis(1));
        rotation.run().await();
        assertThat(published()).isEqualTo(before);
    }

    @Test
    void anOldKeyGetsASuccessorThatIsPublishedBeforeItSigns() {
        var old = published().get(0);
        clock.advance(AGE);
        rotation.run().await();
        publishedBecomes(2);

        clock.advance(LEAD.minusMillis(1));
        assertThat(kid(project.signUp())).isEqualTo(old);
        clock.advance(Duration.ofSeconds(1));
        assertThat(kid(project.signUp())).isNotEqualTo(old).isIn(published());
    }

    @Test
    void theOldKeyVerifiesUntilItsLastTokenExpiresAndIsThenRemoved() {
        clock.advance(AGE);
        rotation.run().await();
        publishedBecomes(2);
        clock.advance(LEAD.minusSeconds(1));
        var last = project.signUp();
        clock.advance(Duration.ofDays(1).minusSeconds(1));
        rotation.run().await();

        verifiesOnAFreshNode(last);
        clock.advance(Duration.ofSeconds(2));
        project.me(last.accessToken()).expect(401);
        clock.advance(Duration.ofSeconds(1));
        rotation.run().await();
        publishedBecomes(1);
        assertThat(published()).doesNotContain(kid(last));
        project.me(project.refresh(last.refreshToken()).expect(200).accessToken())
                .expect(200);
    }

    @Test
    void anIdTokenOfAReplacedKeySignsOutForAMonth() {
        var hint = idToken();
        retire();
        assertThat(signOut(hint).toString()).startsWith(AFTER);
        assertThat(privateHalves()).isEqualTo(1);

        clock.advance(Duration.ofDays(30));
        rotation.run().await();
        Eventually.until(
                "the node hears of the change", () -> !signOut(hint).toString().startsWith(AFTER));
    }

    @Test
    void aRevocationEndsRetiredKeysToo() {
        var hint = idToken();
        retire();
        project.as(server.newMember(project, "owner"), "POST", "/signing-keys/rotate")
                .json(Map.of("revoke", true))
                .expect(200);
        assertThat(signOut(hint).toString()).doesNotStartWith(AFTER);
    }

    private String idToken() {
        var email = TestServer.newEmail();
        project.signUp(email);
        var client = OauthBrowser.register(
                        project, "spa", Map.of("postLogoutRedirectUris", List.of(AFTER), "idTokenAlgorithm", "ES256"))
                .text("clientId");
        return OauthBrowser.redeem(project, client, new OauthBrowser(project).code(client, email, Map.of()), 200)
                .text("id_token");
    }

    /** Replaces the key, and no access token of it is valid any more. */
    private void retire() {
        clock.advance(AGE);
        rotation.run().await();
        publishedBecomes(2);
        clock.advance(LEAD.plusDays(1).plusSeconds(1));
        rotation.run().await();
        publishedBecomes(1);
    }

    /** Where a browser that is signed out ends. */
    private URI signOut(String hint) {
        var form = Map.of("id_token_hint", hint, "post_logout_redirect_uri", AFTER);
        var browser = new OauthBrowser(project);
        var answer = browser.follow(
                browser.get(OauthBrowser.issuerPath(project) + "/oauth/logout?" + OauthBrowser.encode(form)));
        return answer.statusCode() == 400 ? answer.uri() : OauthBrowser.onward(answer);
    }

    private long privateHalves() {
        return server.sql()
                .count("SELECT count(sealed_private_jwk) FROM signing_keys WHERE project_id = ?::uuid", project.id());
    }

    @Test
    void nodesThatRotateConcurrentlyAddOneKey() {
        clock.advance(AGE);
        var rounds =
                IntStream.range(0, 8).mapToObj(round -> rotation(AGE).run()).toList();
        Future.all(rounds).await();
        publishedBecomes(2);
        assertThat(server.sql().count("SELECT count(*) FROM signing_keys WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(2);
    }

    @Test
    void withoutAMaximumAgeNoKeyEverRotates() {
        var before = published();
        clock.advance(Duration.ofDays(4000));
        rotation(Duration.ZERO).run().await();
        assertThat(published()).isEqualTo(before);
    }

    /** A node that has never seen the token checks its signature; one that issued it remembers it. */
    private void verifiesOnAFreshNode(Response signedIn) {
        try (var fresh = TestServer.startOn(server.databaseUrl(), Map.of(), clock)) {
            project.at(fresh).verify(signedIn.accessToken()).expect(200);
        }
    }

    private void publishedBecomes(int count) {
        Eventually.until("the node hears of the change", () -> published().size() == count);
    }

    private List<String> published() {
        var keys = server.api()
                .get("/v1/projects/" + project.id() + "/.well-known/jwks.json")
                .expect(200)
                .json()
                .get("keys");
        return StreamSupport.stream(keys.spliterator(), false)
                .map(key -> key.get("kid").asText())
                .collect(Collectors.toList());
    }

    private static String kid(Response signedIn) {
        var header = signedIn.accessToken().split("\\.", -1)[0];
        try {
            JsonNode json = new ObjectMapper().readTree(Base64.getUrlDecoder().decode(header));
            return json.get("kid").asText();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private KeyRotation rotation(Duration age) {
        var masterKeys = new MasterKeys(MasterSecret.fromSetting(TestServer.SECRET), List.of());
        return new KeyRotation(database, new SigningKeyStore(new Sealer(masterKeys, "signing keys")), clock, age);
    }
}
