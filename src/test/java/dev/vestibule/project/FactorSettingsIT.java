package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A project chooses how its users prove who they are; operations of disabled methods do not exist. */
@ExtendWith(WithServer.class)
class FactorSettingsIT {
    private static final String OTHER_PASSWORD = "another horse battery";

    private final TestServer server;
    private final TestProject project;
    private final String email = TestServer.newEmail();

    FactorSettingsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Response set(Map<String, ?> fields) {
        return project.asOwner("PATCH", "").json(fields).expect(200);
    }

    private void setPasswords(boolean on) {
        set(Map.of("factors", Map.of("password", on)));
    }

    private Call withToken(Response tokens, String method, String path, Map<String, ?> fields) {
        return server.api().call(method, path).bearer(tokens.accessToken()).json(fields);
    }

    @Test
    void aChangeIsPartial() {
        assertThat(project.asOwner("GET", "").expect(200).json().path("factors"))
                .hasToString(
                        "{\"password\":true,\"totp\":true,\"passwordless\":true,\"sms\":false,\"passkeys\":true,\"web3\":false}");
        assertThat(set(Map.of("factors", Map.of("totp", false))).json().at("/project/factors"))
                .hasToString(
                        "{\"password\":true,\"totp\":false,\"passwordless\":true,\"sms\":false,\"passkeys\":true,\"web3\":false}");
        assertThat(set(Map.of("factors", Map.of("password", false))).json().at("/project/factors"))
                .hasToString(
                        "{\"password\":false,\"totp\":false,\"passwordless\":true,\"sms\":false,\"passkeys\":true,\"web3\":false}");
        assertThat(set(Map.of("factors", Map.of())).json().at("/project/factors"))
                .hasToString(
                        "{\"password\":false,\"totp\":false,\"passwordless\":true,\"sms\":false,\"passkeys\":true,\"web3\":false}");
        assertThat(set(Map.of("factors", Map.of("passwordless", false))).json().at("/project/factors/passwordless"))
                .hasToString("false");
        set(Map.of("factors", Map.of("passwordless", true)));
        assertThat(set(Map.of("name", "Other")).json().at("/project/factors"))
                .hasToString(
                        "{\"password\":false,\"totp\":false,\"passwordless\":true,\"sms\":false,\"passkeys\":true,\"web3\":false}");
        assertThat(server.newProject().asOwner("GET", "").expect(200).json().path("factors"))
                .hasToString(
                        "{\"password\":true,\"totp\":true,\"passwordless\":true,\"sms\":false,\"passkeys\":true,\"web3\":false}");
    }

    @Test
    void thePageOfLinksAndPasswordlessSignUpAreSetSeparately() {
        var page = "https://app.example.com/sign-in";
        var changed = set(Map.of("passwordlessSignUp", false, "magicLinkUrl", page));
        assertThat(changed.text("project/passwordlessSignUp")).isEqualTo("false");
        assertThat(changed.text("project/magicLinkUrl")).isEqualTo(page);
        assertThat(set(Map.of("name", "Other")).text("project/magicLinkUrl")).isEqualTo(page);
        var cleared = set(Collections.singletonMap("magicLinkUrl", null));
        assertThat(cleared.json().at("/project/magicLinkUrl").isNull()).isTrue();
        assertThat(cleared.text("project/passwordlessSignUp")).isEqualTo("false");
    }

    @Test
    void withoutPasswordsNoOperationAcceptsOne() {
        var signedUp = project.signUp(email);
        setPasswords(false);
        var credentials = Map.of("email", email, "password", TestProject.PASSWORD);
        for (var call : List.of(
                project.post("/v1/auth/signup")
                        .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD)),
                project.post("/v1/auth/signin").json(credentials),
                server.api()
                        .post("/v1/auth/signin")
                        .json(Map.of("projectId", project.id(), "email", email, "password", TestProject.PASSWORD)),
                project.post("/v1/auth/signin").json(Map.of()),
                project.post("/v1/auth/password/forgot").json(Map.of("email", email)),
                project.post("/v1/auth/password/reset")
                        .json(Map.of("email", email, "code", "7K2MQ-9XD4-RTVW", "password", OTHER_PASSWORD)),
                withToken(
                        signedUp,
                        "POST",
                        "/v1/auth/password/change",
                        Map.of("currentPassword", TestProject.PASSWORD, "newPassword", OTHER_PASSWORD)),
                withToken(signedUp, "POST", "/v1/auth/reauthenticate", Map.of("password", TestProject.PASSWORD)))) {
            assertThat(call.expect(404).text("message"))
                    .isEqualTo("This project has no passwords. Sign in another way.");
        }
        project.me(signedUp.accessToken()).expect(200);
        project.refresh(signedUp.refreshToken()).expect(200);

        setPasswords(true);
        project.signIn(email).accessToken();
    }

    @Test
    void disablingPasswordsEndsASignInThatWaitsForItsCode() {
        var signedUp = project.signUp(email);
        server.proveEmail(email);
        var setup =
                withToken(signedUp, "POST", "/v1/auth/mfa/totp/setup", Map.of()).expect(200);
        var app = new Authenticator(setup.text("secret"), Clock.systemUTC());
        withToken(signedUp, "POST", "/v1/auth/mfa/totp/verify-setup", Map.of("code", app.code()))
                .expect(200);
        var pending = project.signIn(email).text("mfaToken");
        var code = setup.json().at("/backupCodes/0").textValue();

        setPasswords(false);
        project.post("/v1/auth/mfa/verify")
                .json(Map.of("mfaToken", pending, "code", code))
                .expect(404);
    }

    @Test
    void anAccountIsDeletedWithoutAPasswordOnceTheyAreDisabled() {
        var signedUp = project.signUp(email);
        set(Map.of("allowSelfDeletion", true, "factors", Map.of("password", false)));
        withToken(signedUp, "DELETE", "/v1/auth/me", Map.of("currentPassword", "forgotten since then"))
                .expect(200);
    }

    @Test
    void whatOneProjectDisablesIsEnabledInOthersAndForDashboardAccounts() {
        setPasswords(false);
        server.newProject().signUp();
        server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", email, "password", TestProject.PASSWORD))
                .expect(201);
        server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", email, "password", TestProject.PASSWORD))
                .expect(200);
    }
}
