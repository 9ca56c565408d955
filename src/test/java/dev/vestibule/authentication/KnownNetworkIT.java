package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.SlowHashing;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Strangers guess the password of an account whose owner signed in from home, through two nodes behind a proxy. */
@ExtendWith(WithServer.class)
class KnownNetworkIT {
    private static final int LIMIT = 10;
    private static final Duration LOCK = Duration.ofMinutes(15);
    private static final Map<String, String> BEHIND_PROXY =
            Map.of("VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1/32,::1/128", "VESTIBULE_LIMITS_KNOWN_NETWORKS", "3");

    private static final String EMAIL = "ann@example.com";
    private static final String NOBODY = "nobody@example.com";
    private static final String WRONG = "not the password";
    private static final String HOME = "203.0.113.1";
    private static final String STRANGER = "198.51.100.2";
    private static final String CAFE = "192.0.2.3";

    private final TestClock clock = new TestClock();
    private final TestMailbox mailbox = TestMailbox.start();
    private final TestServer first;
    private final TestServer second;
    private final TestProject project;
    private final TestProject elsewhere;

    KnownNetworkIT(TestDatabase database) {
        var settings = new HashMap<>(BEHIND_PROXY);
        settings.putAll(mailbox.settings());
        first = TestServer.start(database, settings, clock);
        second = TestServer.startOn(first.databaseUrl(), settings, clock);
        project = first.newProject();
        elsewhere = project.at(second);
    }

    @BeforeEach
    void ownerSignsInAtHome() {
        project.signUp(EMAIL);
        signIn(project, HOME, TestProject.PASSWORD).expect(200);
    }

    @AfterEach
    void stop() {
        second.close();
        first.close();
        mailbox.close();
    }

    @Test
    void strangersCannotLockTheOwnerOutOfAKnownNetwork() {
        guess(EMAIL, STRANGER, LIMIT, 401);
        signIn(project, HOME, TestProject.PASSWORD).expect(200);
        signIn(elsewhere, HOME, TestProject.PASSWORD).expect(200);

        signIn(project, STRANGER, TestProject.PASSWORD).expect(429);
        signIn(elsewhere, CAFE, TestProject.PASSWORD).expect(429);
    }

    @Test
    void theNetworkOfTheSignUpIsKnownToo() {
        project.api()
                .post("/v1/auth/signup")
                .key(project.publishableKey())
                .header("X-Forwarded-For", "2001:db8:1:2:aaaa::1")
                .json(Map.of("email", "new@example.com", "password", TestProject.PASSWORD))
                .expect(201);
        guess("new@example.com", STRANGER, LIMIT, 401);
        signIn(project, "2001:db8:1:2:bbbb::9", "new@example.com", TestProject.PASSWORD)
                .expect(200);
        signIn(project, "2001:db8:1:3:aaaa::1", "new@example.com", TestProject.PASSWORD)
                .expect(429);
    }

    @Test
    void aKnownNetworkHasTenTriesWhileStrangersLockTheAccount() {
        guess(EMAIL, STRANGER, LIMIT, 401);
        guess(EMAIL, HOME, LIMIT - 1, 429);
        signIn(project, HOME, TestProject.PASSWORD).expect(200);
        guess(EMAIL, HOME, LIMIT, 429);
        signIn(project, HOME, TestProject.PASSWORD).expect(429);
        signIn(elsewhere, HOME, TestProject.PASSWORD).expect(429);
        clock.advance(LOCK);
        signIn(elsewhere, HOME, TestProject.PASSWORD).expect(200);
    }

    @Test
    void aKnownNetworkHasTenTriesInTotalEvenIfItLocksTheAccountItself() {
        guess(EMAIL, HOME, LIMIT, 401);
        signIn(project, HOME, TestProject.PASSWORD).expect(429);
        signIn(project, STRANGER, TestProject.PASSWORD).expect(429);
        clock.advance(LOCK);
        signIn(project, STRANGER, TestProject.PASSWORD).expect(200);
    }

    /** The window of the failures ends before the lock that the last of them began. */
    @Test
    void aKnownNetworkGetsNoMoreTriesWhenTheWindowEndsBeforeTheLock() {
        guess(EMAIL, HOME, 1, 401);
        clock.advance(LOCK.minusSeconds(1));
        guess(EMAIL, HOME, LIMIT - 1, 401);
        clock.advance(Duration.ofSeconds(2));
        signIn(project, HOME, TestProject.PASSWORD).expect(429);
    }

    @Test
    void concurrentGuessesFromAKnownNetworkGetNoMoreTriesThanSequentialOnes() {
        var email = "eve@example.com";
        try (var slow = TestServer.startOn(first.databaseUrl(), SlowHashing.settings(BEHIND_PROXY), clock)) {
            var node = project.at(slow);
            node.signUp(email);
            signIn(node, HOME, email, TestProject.PASSWORD).expect(200);
            guess(email, STRANGER, LIMIT, 401);
            var wrong = Parallel.start(2 * LIMIT, number -> signIn(node, HOME, email, WRONG));
            SlowHashing.awaitWaiting(slow, LIMIT);
            signIn(node, HOME, email, TestProject.PASSWORD).expect(429);
            assertThat(Parallel.await(wrong)).extracting(Response::status).containsOnly(429);
        }
        signIn(elsewhere, HOME, email, TestProject.PASSWORD).expect(429);
    }

    /** Otherwise a neighbour could find out who has an account and signs in from there. */
    @Test
    void aWrongPasswordDoesNotRevealWhereAnAccountSignedInFrom() {
        for (var network : new String[] {STRANGER, HOME, HOME, CAFE}) {
            for (int i = 0; i < 7; i++) {
                var known = signIn(project, network, EMAIL, WRONG).send();
                var unknown = signIn(project, network, NOBODY, WRONG).send();
                assertThat(known.status()).isEqualTo(unknown.status());
                assertThat(known.body()).isEqualTo(unknown.body());
                assertThat(known.header("Retry-After")).isEqualTo(unknown.header("Retry-After"));
                clock.advance(Duration.ofSeconds(50));
            }
        }
    }

    @Test
    void aNetworkIsKnownForThirtyDays() {
        clock.advance(Duration.ofDays(30).minusSeconds(1));
        guess(EMAIL, STRANGER, LIMIT, 401);
        signIn(project, HOME, TestProject.PASSWORD).expect(200);
        clock.advance(Duration.ofDays(30));
        guess(EMAIL, STRANGER, LIMIT, 401);
        signIn(project, HOME, TestProject.PASSWORD).expect(429);
    }

    @Test
    void onlyTheLatestNetworksAreKnown() {
        for (int i = 10; i < 13; i++) {
            clock.advance(Duration.ofMinutes(1));
            signIn(project, "203.0.113." + i, TestProject.PASSWORD).expect(200);
        }
        assertThat(networks()).isEqualTo(3);
        guess(EMAIL, STRANGER, LIMIT, 401);
        signIn(project, HOME, TestProject.PASSWORD).expect(429);
        signIn(project, "203.0.113.10", TestProject.PASSWORD).expect(200);
    }

    @Test
    void networksAreStoredAsHashesAndWrittenOnceADay() {
        var before = stored();
        assertThat(before).allMatch(row -> row.startsWith("32 ")).hasSize(2); // of the sign up and of home
        clock.advance(Duration.ofHours(23));
        signIn(project, HOME, TestProject.PASSWORD).expect(200);
        assertThat(stored()).isEqualTo(before);
        clock.advance(Duration.ofHours(2));
        signIn(project, HOME, TestProject.PASSWORD).expect(200);
        assertThat(stored()).isNotEqualTo(before).hasSize(2);
    }

    private List<String> stored() {
        return first.sql()
                .texts(
                        "SELECT length(network_hash) || ' ' || xmin FROM sign_in_networks"
                                + " WHERE project_id = ?::uuid ORDER BY network_hash",
                        project.id());
    }

    @Test
    void anotherProjectsUserWithTheSameEmailHasNoKnownNetwork() {
        var other = first.newProject();
        other.signUp(EMAIL);
        for (int i = 0; i < LIMIT; i++) {
            signIn(other, STRANGER, EMAIL, WRONG).expect(401);
        }
        signIn(other, HOME, EMAIL, TestProject.PASSWORD).expect(429);
    }

    /** A reset forgets earlier networks, but anyone who read the mail has proved more than a password. */
    @Test
    void theNetworkOfAPasswordResetIsKnown() {
        mailbox.await(EMAIL, 1);
        project.post("/v1/auth/password/forgot").json(Map.of("email", EMAIL)).expect(200);
        project.post("/v1/auth/password/reset")
                .header("X-Forwarded-For", CAFE)
                .json(Map.of("email", EMAIL, "code", mailbox.awaitCode(EMAIL, 2), "password", "a new password"))
                .expect(200);

        guess(EMAIL, STRANGER, LIMIT, 401);
        signIn(project, CAFE, "a new password").expect(200);
        signIn(project, HOME, "a new password").expect(429);
    }

    private int networks() {
        return (int)
                first.sql().count("SELECT count(*) FROM sign_in_networks WHERE project_id = ?::uuid", project.id());
    }

    private void guess(String email, String network, int times, int status) {
        for (int i = 0; i < times; i++) {
            signIn(i % 2 == 0 ? project : elsewhere, network, email, WRONG).expect(status);
        }
    }

    private static Call signIn(TestProject project, String network, String password) {
        return signIn(project, network, EMAIL, password);
    }

    private static Call signIn(TestProject project, String network, String email, String password) {
        return project.trySignIn(email, password).header("X-Forwarded-For", network);
    }
}
