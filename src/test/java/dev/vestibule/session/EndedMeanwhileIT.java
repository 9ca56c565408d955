package dev.vestibule.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.HeldAccount;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A thief asks for something to keep while the owner ends all sessions, for example with a new password. The request
 * passed every check before, and waits for the account's row.
 */
@ExtendWith(WithServer.class)
class EndedMeanwhileIT {
    private final TestServer server;
    private final TestProject project;
    private final Response thief;
    private final String user;

    EndedMeanwhileIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.thief = project.signUp();
        this.user = thief.text("user/id");
        server.proveEmail(thief.text("user/email"));
    }

    private Call call(String path) {
        return server.api().post(path).bearer(thief.accessToken());
    }

    private void isRefused(Call call) {
        var answer = HeldAccount.endSessionsDuring(server.sql(), user, call);
        assertThat(answer.status()).as(answer.body()).isEqualTo(401);
        assertThat(answer.text("code")).isEqualTo("session_ended");
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                arguments("/v1/auth/me/api-keys", Map.of("name", "A key to keep"), "user_keys"),
                arguments("/v1/auth/mfa/totp/setup", Map.of(), "totp_factors"),
                arguments(
                        "/v1/auth/me/email",
                        Map.of("email", "thief@example.com", "currentPassword", TestProject.PASSWORD),
                        "email_changes"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void nothingIsMadeInASessionThatEndsMeanwhile(String path, Map<String, ?> body, String table) {
        isRefused(call(path).json(body));
        assertThat(server.sql().count("SELECT count(*) FROM " + table + " WHERE user_id = ?::uuid", user))
                .isZero();
    }

    private JsonNode setUp() {
        return call("/v1/auth/mfa/totp/setup").expect(200).json();
    }

    private static Map<String, String> code(JsonNode setup) {
        return Map.of("code", new Authenticator(setup.path("secret").asText(), Clock.systemUTC()).code());
    }

    @Test
    void noFactorIsConfirmed() {
        isRefused(call("/v1/auth/mfa/totp/verify-setup").json(code(setUp())));
        project.signIn(thief.text("user/email"));
    }

    @Test
    void noFactorIsTurnedOff() {
        var setup = setUp();
        call("/v1/auth/mfa/totp/verify-setup").json(code(setup)).expect(200);
        var backupCode = Map.of("code", setup.path("backupCodes").path(0).asText());
        isRefused(call("/v1/auth/mfa/disable").json(backupCode));
        assertThat(project.trySignIn(thief.text("user/email"), TestProject.PASSWORD)
                        .expect(200)
                        .text("mfaRequired"))
                .isEqualTo("true");
    }

    @Test
    void thePasswordStays() {
        isRefused(call("/v1/auth/password/change")
                .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "the password of a thief")));
        project.signIn(thief.text("user/email"));
    }

    /** What the thief's application was allowed to do goes with the password that the owner sets. */
    @Test
    void nobodyAgreesToAnApplication() {
        var client = OauthBrowser.register(project, "spa", Map.of("firstParty", false))
                .text("clientId");
        var browser = new OauthBrowser(project);
        browser.authorize(client, Map.of());
        assertThat(browser.signIn(thief.text("user/email")).body()).contains("asks for access");
        HeldAccount.during(
                server.sql(),
                user,
                () -> CompletableFuture.supplyAsync(() -> browser.submit("consent", Map.of("decision", "allow"))),
                "DELETE FROM sessions WHERE user_id = ?");
        assertThat(server.sql().count("SELECT count(*) FROM oauth_consents WHERE user_id = ?::uuid", user))
                .isZero();
    }

    @Test
    void anAccountThatIsDeletedMeanwhileIsToldSo() {
        var client = OauthBrowser.register(project, "spa", Map.of("firstParty", true))
                .text("clientId");
        var browser = new OauthBrowser(project);
        browser.authorize(client, Map.of());
        browser.signIn(thief.text("user/email"));
        var answer = HeldAccount.during(
                server.sql(),
                user,
                () -> CompletableFuture.supplyAsync(() -> browser.authorize(client, Map.of())),
                "DELETE FROM users WHERE id = ?");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
    }

    @Test
    void theSecondOfTwoDeletionsFindsNoAccount() {
        project.asOwner("PATCH", "").json(Map.of("allowSelfDeletion", true)).expect(200);
        var call = server.api()
                .call("DELETE", "/v1/auth/me")
                .bearer(thief.accessToken())
                .json(Map.of("currentPassword", TestProject.PASSWORD));
        var answer = HeldAccount.during(server.sql(), user, call::sendAsync, "DELETE FROM users WHERE id = ?");
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("code")).isEqualTo("account_deleted");
    }

    @Test
    void theAccountIsNotDeleted() {
        project.asOwner("PATCH", "").json(Map.of("allowSelfDeletion", true)).expect(200);
        isRefused(server.api()
                .call("DELETE", "/v1/auth/me")
                .bearer(thief.accessToken())
                .json(Map.of("currentPassword", TestProject.PASSWORD)));
        assertThat(server.sql().count("SELECT count(*) FROM users WHERE id = ?::uuid", user))
                .isOne();
    }
}
