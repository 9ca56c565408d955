package dev.vestibule.user.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The look-up with the range API of Pwned Passwords, against a fake service. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BreachedPasswordIT {
    private static final String PADDING = "0".repeat(35) + ":0\r\n" + "F".repeat(35) + ":12\r\n";

    private final TestDatabase database;
    private final TestReceiver service = TestReceiver.start();
    private final TestServer server;
    private final TestProject project;

    BreachedPasswordIT(TestDatabase database) {
        this.database = database;
        server = start(10_000);
        project = server.newProject();
    }

    private TestServer start(int timeoutMillis) {
        return TestServer.start(
                database,
                Map.of(
                        "VESTIBULE_PASSWORDS_BREACH_CHECK",
                        "true",
                        "VESTIBULE_PASSWORDS_BREACH_URL",
                        service.url("/pwned"),
                        "VESTIBULE_PASSWORDS_BREACH_TIMEOUT_MILLIS",
                        "" + timeoutMillis));
    }

    @AfterAll
    void stop() {
        server.close();
        service.close();
    }

    /** A password that is not in the bundled list, and its SHA-1. */
    private record Sample(String password, String sha1) {
        static Sample next() {
            var password = "a password " + UUID.randomUUID();
            try {
                var digest = MessageDigest.getInstance("SHA-1").digest(password.getBytes(StandardCharsets.UTF_8));
                return new Sample(password, HexFormat.of().withUpperCase().formatHex(digest));
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        String path() {
            return "/pwned/range/" + sha1.substring(0, 5);
        }

        String entry(int count) {
            return sha1.substring(5) + ":" + count + "\r\n";
        }
    }

    private ApiClient.Call signUp(Sample sample) {
        return signUp(project, sample);
    }

    private static ApiClient.Call signUp(TestProject project, Sample sample) {
        return project.post("/v1/auth/signup")
                .json(Map.of("email", TestServer.newEmail(), "password", sample.password()));
    }

    private static double failedLookUps(TestServer server) {
        return server.metric("vestibule_passwords_breach_lookups_total{outcome=\"failed\"");
    }

    @Test
    void aBreachedPasswordIsRefusedWhereverItIsSet() {
        var sample = Sample.next();
        service.answer(sample.path(), 200, PADDING + sample.entry(3));

        var answer = signUp(sample).expect(422);

        assertThat(answer.text("message")).isEqualTo("password was found in a data breach; choose another");
        assertThat(answer.failingFields()).containsExactly("password");
        var user = project.signUp();
        assertThat(project.post("/v1/auth/password/change")
                        .bearer(user.accessToken())
                        .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", sample.password()))
                        .expect(422)
                        .failingFields())
                .containsExactly("newPassword");
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", TestServer.newEmail(), "code", "0123456789ABC", "password", sample.password()))
                .expect(422);
        project.manage("POST", "/v1/dashboard/users")
                .json(Map.of("email", TestServer.newEmail(), "password", sample.password()))
                .expect(422);
        project.manage("PATCH", "/v1/dashboard/users/" + user.text("user/id"))
                .json(Map.of("password", sample.password()))
                .expect(422);
        server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", TestServer.newEmail(), "password", sample.password()))
                .expect(422);
    }

    @Test
    void theServiceLearnsFiveDigitsOfTheHashAndNoPassword() {
        var sample = Sample.next();
        service.answer(sample.path(), 200, PADDING);

        signUp(sample).expect(201);

        var request = service.to(sample.path()).get(0);
        assertThat(request.header("add-padding")).isEqualTo("true");
        assertThat(request.header("user-agent")).isEqualTo("vestibule");
        assertThat(request.body()).isEmpty();
        assertThat(request.headers().toString()).doesNotContain(sample.password(), sample.sha1());
    }

    @Test
    void paddingIsNoMatchAndTheCaseOfTheHashDoesNotMatter() {
        var padded = Sample.next();
        service.answer(padded.path(), 200, PADDING + padded.entry(0));
        signUp(padded).expect(201);

        var lower = Sample.next();
        service.answer(
                lower.path(), 200, lower.entry(1).toLowerCase(Locale.ROOT).strip());
        signUp(lower).expect(422);
    }

    @Test
    void aPasswordPassesWhenTheServiceFailsHangsOrSendsGarbage() {
        try (var impatient = start(500)) {
            var there = impatient.newProject();
            var before = failedLookUps(impatient);
            var down = Sample.next();
            service.answer(down.path(), 503, down.entry(3));
            signUp(there, down).expect(201);
            var silent = Sample.next();
            service.hang(silent.path());
            signUp(there, silent).expect(201);
            var slow = Sample.next();
            service.drip(slow.path());
            signUp(there, slow).expect(201);
            var huge = Sample.next();
            service.flood(huge.path());
            signUp(there, huge).expect(201);
            for (var nonsense :
                    new String[] {"", "<html>", "\u0000\u0001", "ABC:1", "A".repeat(35) + ":99999999999999"}) {
                var sample = Sample.next();
                service.answer(sample.path(), 200, nonsense);
                signUp(there, sample).expect(201);
            }
            assertThat(failedLookUps(impatient) - before).isEqualTo(9);
        }
    }

    @Test
    void commonPasswordsAreRefusedWithoutALookUp() {
        var before = service.count();
        project.post("/v1/auth/signup")
                .json(Map.of("email", TestServer.newEmail(), "password", "password"))
                .expect(422);
        assertThat(service.count()).isEqualTo(before);
    }
}
