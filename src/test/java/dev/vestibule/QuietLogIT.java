package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.PostgresProcesses;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys, tokens, passwords and mailed codes never reach a log, nor does the secret that protects them. */
class QuietLogIT {
    private static final String WRONG_PASSWORD = "a wrong password that must not be logged";

    private final TestMailbox mailbox = TestMailbox.stopped();
    private final Path data;
    private final JarCommand command;
    private final List<String> secrets = new ArrayList<>(List.of(TestProject.PASSWORD, WRONG_PASSWORD));

    QuietLogIT(@TempDir Path folder) {
        data = folder.resolve("data");
        var configured = JarCommand.in(folder)
                .with("VESTIBULE_DASHBOARD_EMAIL", "owner@example.com")
                .with("VESTIBULE_DASHBOARD_PASSWORD", "a configured password")
                .with("VESTIBULE_DASHBOARD_REGISTRATION", "open")
                .with("VESTIBULE_LOG_REQUESTS", "true")
                .with("VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "true");
        for (var setting : mailbox.settings().entrySet()) {
            configured = configured.with(setting.getKey(), setting.getValue());
        }
        command =
                configured.with("VESTIBULE_MAIL_RETRY_SECONDS", "1").with("VESTIBULE_MAIL_LONGEST_RETRY_SECONDS", "1");
    }

    @AfterEach
    void closeMailbox() {
        mailbox.close();
    }

    @Test
    void noSecretIsLoggedWhateverGoesWrong() throws IOException {
        String output;
        try (var server = command.start()) {
            var project = liveAndFail(server);
            for (var process : new PostgresProcesses(data).postmaster().stream().toList()) {
                process.destroyForcibly();
            }
            Eventually.until("the database is back", () -> {
                var answer = attempt(project, TestProject.PASSWORD).send();
                return answer.status() == 200;
            });
            server.terminate();
            server.awaitExit(Duration.ofSeconds(60));
            output = server.output();
        }
        secrets.add("a configured password");
        secrets.add(Files.readString(data.resolve("secret")).strip());
        secrets.add(Files.readString(data.resolve("postgres.password")).strip());
        assertThat(output).contains("Vestibule listens");
        assertThat(output + Files.readString(data.resolve("postgres.log")))
                .doesNotContain(secrets)
                .doesNotContain("pk_live", "sk_live", "eyJ", "$argon2");
    }

    private TestProject liveAndFail(JarServer server) {
        var api = server.api();
        var dashboard = api.post("/v1/dashboard/auth/login")
                .json(Map.of("email", "owner@example.com", "password", "a configured password"))
                .expect(200);
        keep(dashboard);
        var project = TestProject.create(api, dashboard.accessToken(), Map.of("name", "A project"));
        secrets.addAll(List.of(project.publishableKey(), project.secretKey()));
        var signedUp = keep(project.signUp("ann@example.com"));
        var refreshed = keep(project.refresh(signedUp.refreshToken()).expect(200));
        keep(project.signIn("ann@example.com"));
        attempt(project, WRONG_PASSWORD).expect(401);
        useCodes(project);
        fail(project, refreshed);
        setUpProvider(project);
        setUpWebhook(project);
        return project;
    }

    private void setUpWebhook(TestProject project) {
        var path = "/v1/dashboard/webhooks";
        var wish = Map.of("url", "http://127.0.0.1:1/", "events", List.of("*"));
        var created = project.manage("POST", path).json(wish).expect(201);
        path += "/" + created.text("id");
        var rotated = project.manage("POST", path + "/rotate-secret").expect(200);
        project.manage("POST", path + "/test").expect(200);
        for (var secret : List.of(created.text("signingSecret"), rotated.text("signingSecret"))) {
            secrets.add(secret.substring("whsec_".length()));
            project.manage("PATCH", path).json(Map.of("url", secret)).expect(422);
            project.manage("PATCH", path)
                    .text("{\"url\":\"" + secret + "\", oops")
                    .expect(400);
            project.manage("GET", "/v1/dashboard/webhooks/" + secret.replace("/", ""))
                    .expect(404);
        }
    }

    private void setUpProvider(TestProject project) {
        var secret = "GOCSPX-a client secret";
        secrets.add(secret);
        var provider = new HashMap<String, Object>(Map.of("clientId", "id", "clientSecret", secret, "enabled", true));
        project.asOwner("PUT", "/providers/google").json(provider).expect(200);
        provider.put("oauthFlow", secret);
        project.asOwner("PUT", "/providers/google").json(provider).expect(422);
        project.asOwner("PUT", "/providers/google")
                .text("{\"clientSecret\":\"" + secret + "\", oops")
                .expect(400);
    }

    /** While the SMTP server is away, and then is there. */
    private void useCodes(TestProject project) {
        project.post("/v1/auth/password/forgot")
                .json(Map.of("email", "ann@example.com"))
                .expect(200);
        mailbox.comeBack();
        mailbox.await("ann@example.com", 2); // before a code is used: who has verified gets no mail for it any more
        for (var number : List.of(1, 2)) {
            var code = mailbox.awaitCode("ann@example.com", number);
            secrets.add(code);
            project.post("/v1/auth/" + code).send();
            project.post("/v1/auth/verify-email")
                    .json(Map.of("email", "ann@example.com", "code", code + "0"))
                    .expect(422);
            project.post("/v1/auth/password/reset")
                    .json(Map.of("email", "ann@example.com", "code", code, "password", TestProject.PASSWORD))
                    .send();
        }
    }

    /** Sends secrets where they do not belong, and in broken requests. */
    private static void fail(TestProject project, ApiClient.Response tokens) {
        var api = project.api();
        api.get("/v1/auth/" + tokens.refreshToken()).send();
        api.get("/v1/auth/me?token=" + tokens.accessToken()).send();
        api.get("/v1/projects/" + project.secretKey() + "/.well-known/jwks.json")
                .send();
        api.get("/v1/auth/me").bearer(tokens.accessToken() + "x").send();
        api.post("/v1/auth/signin").key(project.secretKey() + "x").text("{}").send();
        api.post("/v1/auth/signup")
                .key(project.publishableKey())
                .text("{\"password\": \"" + WRONG_PASSWORD + "\", oops")
                .send();
        api.post("/v1/auth/signup")
                .key(project.publishableKey())
                .json(Map.of("email", WRONG_PASSWORD, "password", List.of(WRONG_PASSWORD)))
                .send();
        api.post("/v1/auth/signup")
                .key(project.publishableKey())
                .json(Map.of("email", "nul\u0000@example.com", "password", WRONG_PASSWORD + "\u0000"))
                .send();
        api.post("/v1/auth/token/refresh")
                .key(project.publishableKey())
                .json(Map.of("refreshToken", tokens.refreshToken() + "x"))
                .send();
    }

    private static ApiClient.Call attempt(TestProject project, String password) {
        return project.api()
                .post("/v1/auth/signin")
                .key(project.publishableKey())
                .json(Map.of("email", "ann@example.com", "password", password));
    }

    private ApiClient.Response keep(ApiClient.Response answer) {
        secrets.addAll(List.of(answer.accessToken(), answer.refreshToken()));
        return answer;
    }
}
