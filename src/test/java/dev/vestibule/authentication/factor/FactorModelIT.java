package dev.vestibule.authentication.factor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.PropertyServer;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
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
import org.jspecify.annotations.Nullable;

/**
 * Random sequences of what a user does with an authenticator app and its backup codes, against a small model of what is
 * promised: no code works twice, nor an older one after a newer one, nor a backup code of an older set; and without the
 * app nobody gets in by the password alone. A failure prints the shortest sequence that shows it, and the seed that
 * repeats it.
 */
class FactorModelIT {
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final int BACKUP_CODES = 10;
    private static final int STEPS = 16;
    private static final int TRIES = 10;
    private static final TestClock CLOCK = new TestClock();

    private static TestServer server() {
        return PropertyServer.shared(
                database -> TestServer.start(database, Map.of("VESTIBULE_LIMITS_ENABLED", "false"), CLOCK));
    }

    @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void everyCodeIsWorthWhatIsPromised(@ForAll("sequences") ActionChain<User> sequence) {
        sequence.run();
    }

    @Provide
    Arbitrary<ActionChain<User>> sequences() {
        return ActionChain.startWith(() -> new User(server()))
                .withAction(6, step("sign in with the code of a step from now", -2, 2, User::signIn))
                .withAction(2, step("sign in with a wrong code", User::signInWrongly))
                .withAction(4, step("sign in with a backup code", 0, BACKUP_CODES - 1, User::signInWithBackupCode))
                .withAction(2, step("make new backup codes", User::renewBackupCodes))
                .withAction(1, step("turn the app off, or set one up", User::toggle))
                .withAction(5, step("wait for the next step", user -> CLOCK.advance(STEP)))
                .withMaxTransformations(STEPS);
    }

    private static Action<User> step(String name, Consumer<User> change) {
        return (Action.Independent<User>) () -> Arbitraries.just(transformer(name, change));
    }

    private static Action<User> step(String name, int from, int to, ObjIntConsumer<User> change) {
        return (Action.Independent<User>) () -> Arbitraries.integers()
                .between(from, to)
                .map(number -> transformer(name + " " + number, user -> change.accept(user, number)));
    }

    private static Transformer<User> transformer(String name, Consumer<User> change) {
        return Transformer.mutate(name, user -> {
            change.accept(user);
            user.check();
        });
    }

    /** A user of a project of its own, and what their codes are worth. */
    private static final class User {
        private final String email = TestServer.newEmail();
        private final TestServer server;
        private final TestProject project;
        private final Set<String> spent = new HashSet<>();
        private Response session;
        private @Nullable Authenticator app;
        private List<String> backupCodes = List.of();
        private long lastStep;

        private User(TestServer server) {
            this.server = server;
            CLOCK.advance(STEP.multipliedBy(4));
            project = server.newProject();
            session = project.signUp(email);
            server.proveEmail(email);
            setUp();
        }

        private static long now() {
            return Math.floorDiv(CLOCK.instant().getEpochSecond(), STEP.toSeconds());
        }

        private Call call(String path, String code) {
            return server.api()
                    .post("/v1/auth/mfa/" + path)
                    .bearer(session.accessToken())
                    .json(Map.of("code", code));
        }

        private void setUp() {
            var setUp = server.api()
                    .post("/v1/auth/mfa/totp/setup")
                    .bearer(session.accessToken())
                    .expect(200);
            app = new Authenticator(setUp.text("secret"), CLOCK);
            call("totp/verify-setup", app.code()).expect(200);
            backupCodes = texts(setUp);
            spent.clear();
            lastStep = now();
        }

        private static List<String> texts(Response response) {
            var texts = new ArrayList<String>();
            response.json().path("backupCodes").forEach(code -> texts.add(code.textValue()));
            return texts;
        }

        /** Whether the code of that many steps from now still works; if so, it does not any more. */
        private boolean take(int steps) {
            var works = Math.abs(steps) <= 1 && now() + steps > lastStep;
            if (works) {
                lastStep = now() + steps;
            }
            return works;
        }

        private void signInBy(String code, boolean works) {
            var first = project.trySignIn(email, TestProject.PASSWORD).expect(200);
            if (app == null) {
                session = first;
                return;
            }
            assertThat(first.json().has("accessToken")).isFalse();
            var second = project.post("/v1/auth/mfa/verify")
                    .json(Map.of("mfaToken", first.text("mfaToken"), "code", code))
                    .expect(works ? 200 : 401);
            if (works) {
                session = second;
            }
        }

        private void signIn(int steps) {
            signInBy(app == null ? "123456" : app.code(STEP.multipliedBy(steps)), app != null && take(steps));
        }

        private void signInWrongly() {
            signInBy(app == null ? "123456" : app.wrongCode(), false);
        }

        private void signInWithBackupCode(int number) {
            var code = backupCodes.get(number);
            signInBy(code, app != null && spent.add(code));
        }

        private void renewBackupCodes() {
            var old = backupCodes;
            var code = app == null ? "123456" : app.code();
            var works = app != null && take(0);
            var answer = call("backup-codes/regenerate", code).expect(app == null ? 409 : works ? 200 : 401);
            if (works) {
                backupCodes = texts(answer);
                spent.clear();
                assertThat(backupCodes).doesNotContainAnyElementsOf(old);
                signInBy(old.get(0), false);
            }
        }

        private void toggle() {
            if (app == null) {
                session = project.signIn(email);
                setUp();
            } else {
                var code = app.code();
                var works = take(0);
                call("disable", code).expect(works ? 200 : 401);
                app = works ? null : app;
            }
        }

        private void check() {
            var status = server.api()
                    .get("/v1/auth/mfa/status")
                    .bearer(session.accessToken())
                    .expect(200)
                    .json();
            assertThat(status.path("enabled").asBoolean()).isEqualTo(app != null);
            assertThat(status.path("backupCodesRemaining").asInt())
                    .isEqualTo(app == null ? 0 : BACKUP_CODES - spent.size());
        }

        @Override
        public String toString() {
            return (app == null ? "without an app" : "with an app") + " at step " + (now() - lastStep);
        }
    }
}
