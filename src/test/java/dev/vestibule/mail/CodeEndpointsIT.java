package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the four endpoints of mailed codes refuse. */
@ExtendWith(WithServer.class)
class CodeEndpointsIT {
    private final TestServer server;
    private final TestDatabase database;
    private final TestProject project;

    CodeEndpointsIT(TestServer server, TestDatabase database) {
        this.server = server;
        this.database = database;
        this.project = server.newProject();
    }

    private static Map<String, String> rightForm(String path) {
        var code = path.equals("password/reset") ? "0123456789ABC" : "123456";
        return Map.of("email", "nobody@example.com", "code", code, "password", "a new password");
    }

    private Call call(String path) {
        return server.api().post("/v1/auth/" + path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify-email", "resend-code", "password/forgot", "password/reset"})
    void theProjectIsGivenByAKeyOrByItsId(String path) {
        var answered = path.equals("resend-code") || path.equals("password/forgot") ? 200 : 401;
        var withId = new HashMap<String, String>(rightForm(path));
        withId.put("projectId", project.id());
        var unknownId = new HashMap<String, String>(rightForm(path));
        unknownId.put("projectId", UUID.randomUUID().toString());

        call(path).key(project.publishableKey()).json(rightForm(path)).expect(answered);
        call(path).bearer(project.secretKey()).json(rightForm(path)).expect(answered);
        call(path).json(withId).expect(answered);
        call(path).json(rightForm(path)).expect(401);
        call(path).key("pk_live_nonsense").json(rightForm(path)).expect(401);
        call(path).json(unknownId).expect(404);
        call(path).key(server.newProject().publishableKey()).json(withId).expect(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify-email", "resend-code", "password/forgot", "password/reset"})
    void theBodyIsRequiredAndMustBeAnObject(String path) {
        call(path).key(project.publishableKey()).send();
        call(path).key(project.publishableKey()).text("").expect(400);
        call(path).key(project.publishableKey()).text("[]").expect(400);
        call(path).key(project.publishableKey()).text("{\"email\":").expect(400);
    }

    @Test
    void allInvalidFieldsAreListed() {
        assertThat(call("verify-email")
                        .key(project.publishableKey())
                        .json(Map.of())
                        .expect(422)
                        .failingFields())
                .containsExactly("email", "code");
        assertThat(call("password/reset")
                        .key(project.publishableKey())
                        .json(Map.of("email", "no email", "code", 123456, "password", "short"))
                        .expect(422)
                        .failingFields())
                .containsExactly("email", "code", "password");
        for (var path : new String[] {"resend-code", "password/forgot"}) {
            assertThat(call(path)
                            .key(project.publishableKey())
                            .json(Map.of("email", "a@b\u0000.example"))
                            .expect(422)
                            .failingFields())
                    .containsExactly("email");
        }
        assertThat(call("password/reset")
                        .key(project.publishableKey())
                        .json(Map.of(
                                "email", "ann@example.com", "code", "0123456789ABC", "password", "ANN@example.com"))
                        .expect(422)
                        .failingFields())
                .containsExactly("password");
    }

    static List<String> oddCodes() {
        var odd =
                new ArrayList<>(List.of("", " ", "12345", "1234567", "12 456", "12345a", "-12345", "1e5000", "0x1234"));
        odd.addAll(List.of("１２３４５６", "١٢٣٤٥٦", "12345\u0000", "\ud800" + "12345", "1".repeat(10_000)));
        return odd;
    }

    @ParameterizedTest
    @MethodSource("oddCodes")
    void aCodeHasSixDigits(String code) {
        assertThat(call("verify-email")
                        .key(project.publishableKey())
                        .json(Map.of("email", "nobody@example.com", "code", code))
                        .expect(422)
                        .failingFields())
                .containsExactly("code");
    }

    @Test
    void theFourEndpointsShareOneRateLimit() {
        try (var limited = TestServer.start(database, Map.of("VESTIBULE_LIMITS_CODES_PER_MINUTE", "4"))) {
            var there = limited.newProject();
            for (var path : new String[] {"verify-email", "resend-code", "password/forgot", "password/reset"}) {
                there.post("/v1/auth/" + path).json(rightForm(path)).send();
            }
            var refused = there.post("/v1/auth/password/forgot")
                    .json(rightForm("password/forgot"))
                    .expect(429);
            assertThat(refused.header("Retry-After")).isPresent();
            assertThat(refused.header("RateLimit-Policy").orElseThrow()).contains("\"code\"");
        }
    }
}
