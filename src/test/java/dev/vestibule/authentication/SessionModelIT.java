package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.PropertyServer;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.Transformer;

/**
 * Random sequences of what a user and others can do to the user's sessions, against a small model of what is promised.
 * After each step every session has to answer as the model says. A failure prints the shortest sequence that shows it,
 * and the seed that repeats it.
 */
class SessionModelIT {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final int MAX_SESSIONS = 3;
    private static final int STEPS = 25;
    private static final int TRIES = 12;
    private static final TestClock CLOCK = new TestClock();

    private static TestServer server() {
        return PropertyServer.shared(database -> TestServer.start(database, Map.of(), CLOCK));
    }

    @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void everySessionAnswersAsPromised(@ForAll("sequences") ActionChain<User> sequence) {
        sequence.run();
    }

    @Provide
    Arbitrary<ActionChain<User>> sequences() {
        return ActionChain.startWith(() -> new User(server()))
                .withAction(3, step("sign in", User::signIn))
                .withAction(6, onSession("refresh", (user, session) -> user.refresh(session, 0)))
                .withAction(3, onSession("repeat the last refresh", (user, session) -> user.refresh(session, 1)))
                .withAction(1, onSession("use an older refresh token", (user, session) -> user.refresh(session, 2)))
                .withAction(1, onSession("sign out", User::signOut))
                .withAction(1, onSession("revoke", User::revoke))
                .withAction(2, step("wait for half the grace time", user -> CLOCK.advance(GRACE.dividedBy(2))))
                .withAction(1, step("wait for longer than it", user -> CLOCK.advance(GRACE.plusMillis(1))))
                .withMaxTransformations(STEPS);
    }

    private static Action<User> step(String name, Consumer<User> change) {
        return (Action.Independent<User>) () -> Arbitraries.just(transformer(name, change));
    }

    private static Action<User> onSession(String name, BiConsumer<User, Session> change) {
        return (Action.Independent<User>) () -> Arbitraries.integers()
                .between(1, MAX_SESSIONS + 1)
                .map(back -> transformer(
                        name + " (session " + back + " from the last)",
                        user -> change.accept(user, user.sessionFromTheLast(back))));
    }

    private static Transformer<User> transformer(String name, Consumer<User> change) {
        return Transformer.mutate(name, user -> {
            change.accept(user);
            user.check();
        });
    }

    /** What is promised of a session. */
    private static final class Session {
        private final List<String> refreshTokens = new ArrayList<>();
        private final String id;
        private String accessToken;
        private Instant rotatedAt = Instant.MIN;
        private boolean isLive = true;

        private Session(Response signedIn) {
            id = Jwt.parse(signedIn.accessToken()).claims().path("sid").asText();
            accessToken = signedIn.accessToken();
            refreshTokens.add(signedIn.refreshToken());
        }
    }

    /** A user of a project of its own, with all sessions, the oldest first. */
    private static final class User {
        private final String email = TestServer.newEmail();
        private final List<Session> sessions = new ArrayList<>();
        private final TestProject project;

        private User(TestServer server) {
            project = server.newProject();
            project.asOwner("PATCH", "")
                    .json(Map.of("sessionConfig", Map.of("maxConcurrentSessions", MAX_SESSIONS)))
                    .expect(200);
            sessions.add(new Session(project.signUp(email)));
        }

        private Session sessionFromTheLast(int back) {
            return sessions.get(Math.max(0, sessions.size() - back));
        }

        private void signIn() {
            CLOCK.advance(Duration.ofMillis(1)); // so that one session is the oldest
            sessions.add(new Session(project.signIn(email)));
            var live = sessions.stream().filter(session -> session.isLive).toList();
            if (live.size() > MAX_SESSIONS) {
                live.get(0).isLive = false;
            }
        }

        /** Uses the newest refresh token, or one that many before it. */
        private void refresh(Session session, int back) {
            var tokens = session.refreshTokens;
            var used = Math.max(0, tokens.size() - 1 - back);
            var isNewest = used == tokens.size() - 1;
            var isRepeated = used == tokens.size() - 2 && !CLOCK.instant().isAfter(session.rotatedAt.plus(GRACE));
            session.isLive &= isNewest || isRepeated;
            var answer = project.refresh(tokens.get(used)).expect(session.isLive ? 200 : 401);
            if (!session.isLive) {
                return;
            }
            session.accessToken = answer.accessToken();
            if (isNewest) {
                assertThat(tokens).doesNotContain(answer.refreshToken());
                tokens.add(answer.refreshToken());
                session.rotatedAt = CLOCK.instant();
            } else {
                assertThat(answer.refreshToken()).isEqualTo(tokens.get(tokens.size() - 1));
            }
        }

        private void signOut(Session session) {
            project.signOut(session.accessToken).expect(session.isLive ? 200 : 401);
            session.isLive = false;
        }

        private void revoke(Session session) {
            project.manage("DELETE", "/v1/dashboard/sessions/" + session.id).expect(session.isLive ? 200 : 404);
            session.isLive = false;
        }

        private void check() {
            for (var session : sessions) {
                project.me(session.accessToken).expect(session.isLive ? 200 : 401);
            }
        }

        @Override
        public String toString() {
            return sessions.size() + " sessions";
        }
    }
}
