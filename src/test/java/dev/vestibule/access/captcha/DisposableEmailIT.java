package dev.vestibule.access.captcha;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a project does with new accounts whose mailbox anybody can open. */
@ExtendWith(WithServer.class)
class DisposableEmailIT {
    private final TestDatabase database;
    private final TestProject project;

    DisposableEmailIT(TestServer server, TestDatabase database) {
        this.database = database;
        this.project = server.newProject();
    }

    private void set(String rule) {
        project.asOwner("PATCH", "").json(Map.of("disposableEmails", rule)).expect(200);
    }

    private static String disposable() {
        return "user-" + UUID.randomUUID() + "@mailinator.com";
    }

    private Call signUp(String email) {
        return project.post("/v1/auth/signup").json(Map.of("email", email, "password", TestProject.PASSWORD));
    }

    @Test
    void byDefaultTheyAreLikeAnyOther() {
        signUp(disposable()).expect(201);
    }

    @Test
    void whereTheyAreRefusedTheyCannotSignUpOrReplaceAnotherEmail() {
        var user = project.signUp();
        set("refuse");

        for (var email :
                List.of(disposable(), disposable().toUpperCase(java.util.Locale.ROOT), "a@x.y.mailinator.com")) {
            var answer = signUp(email).expect(422);
            assertThat(answer.text("code")).isEqualTo("disposable_email");
            assertThat(answer.failingFields()).containsExactly("email");
        }
        signUp("a@mailinator.com.example.org").expect(201);
        project.post("/v1/auth/me/email")
                .bearer(user.accessToken())
                .json(Map.of("email", disposable(), "currentPassword", TestProject.PASSWORD))
                .expect(422);
    }

    @Test
    void whereTheyAreRefusedTheyGetNoMailButTheSameResponse() {
        var known = disposable();
        signUp(known).expect(201);
        set("refuse");

        var refused = project.post("/v1/auth/passwordless/email-otp")
                .json(Map.of("email", disposable()))
                .expect(200);
        var usual = project.post("/v1/auth/passwordless/email-otp")
                .json(Map.of("email", known))
                .expect(200);

        assertThat(refused.body()).isEqualTo(usual.body());
        project.signIn(known); // an account from before keeps its way in
    }

    @Test
    void flaggedTheAuditLogNamesTheNewAccount() {
        set("flag");
        var user = signUp(disposable()).expect(201).text("user/id");
        project.signUp();

        assertThat(flagged()).hasSize(1);
        assertThat(flagged().get(0).path("targetId").asText()).isEqualTo(user);
    }

    private com.fasterxml.jackson.databind.JsonNode flagged() {
        return project.manage("GET", "/v1/backend/audit-logs?event=auth.signup.disposable_email")
                .expect(200)
                .json()
                .path("data");
    }

    @Test
    void theOperatorCanReplaceTheList(@TempDir Path folder) throws IOException {
        var list = Files.writeString(folder.resolve("domains.txt"), "# ours\n\nThrowaway.Example\n");
        try (var own =
                TestServer.start(database, Map.of("VESTIBULE_CAPTCHA_DISPOSABLE_DOMAINS_FILE", list.toString()))) {
            var there = own.newProject();
            there.asOwner("PATCH", "")
                    .json(Map.of("disposableEmails", "refuse"))
                    .expect(200);
            there.signUp(disposable());
            there.post("/v1/auth/signup")
                    .json(Map.of("email", "a@throwaway.example", "password", TestProject.PASSWORD))
                    .expect(422);
        }
    }
}
