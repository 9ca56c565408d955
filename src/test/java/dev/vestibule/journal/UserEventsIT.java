package dev.vestibule.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWallet;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The events of users that change. */
@ExtendWith(WithServer.class)
class UserEventsIT {
    private final TestServer server;
    private final TestProject project;
    private final RecordedEvents recorded;
    private final String email = TestServer.newEmail();

    UserEventsIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        recorded = RecordedEvents.of(server, project);
    }

    private String newUser() {
        var id = project.signUp(email).text("user/id");
        recorded.forget();
        return "/v1/dashboard/users/" + id;
    }

    @Test
    void aProfileUpdateIsRecorded() {
        var token = project.signUp(email).accessToken();
        recorded.forget();
        var changed = project.api()
                .patch("/v1/auth/me")
                .bearer(token)
                .json(Map.of("displayName", "Ada"))
                .expect(200);
        project.api().patch("/v1/auth/me").bearer(token).json(Map.of()).expect(200);

        assertThat(recorded.summary()).containsExactly("user.updated");
        assertThat(recorded.last("user.updated").at("/data/user")).isEqualTo(changed.json());
    }

    @Test
    void aSecondFactorIsRecordedWhenItIsConfirmedAndWhenItIsRemoved() {
        var signedUp = project.signUp(email);
        server.proveEmail(email);
        recorded.forget();
        var setup = project.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(signedUp.accessToken())
                .expect(200);
        assertThat(recorded.all()).isEmpty();
        var code = new Authenticator(setup.text("secret"), Clock.systemUTC()).code();
        project.api()
                .post("/v1/auth/mfa/totp/verify-setup")
                .bearer(signedUp.accessToken())
                .json(Map.of("code", code))
                .expect(200);
        assertThat(recorded.summary()).containsExactly("factor.added");
        assertThat(recorded.last("factor.added").at("/data/factor").textValue()).isEqualTo("totp");
        assertThat(recorded.last("factor.added").at("/data/user/email").textValue())
                .isEqualTo(email);

        var factors = "/v1/dashboard/users/" + signedUp.text("user/id") + "/factors";
        project.manage("DELETE", factors).expect(200);
        project.manage("DELETE", factors).expect(200);
        assertThat(recorded.summary()).containsExactly("factor.added", "factor.removed");
    }

    @Test
    void aPasskeyIsRecordedWhenItIsAddedAndWhenItIsRemoved() {
        project.asOwner("PATCH", "")
                .json(Map.of("passkeyRpId", "example.com", "passkeyOrigins", List.of("https://example.com")))
                .expect(200);
        var signedUp = project.signUp(email);
        recorded.forget();
        var options = project.api()
                .post("/v1/auth/passkeys/register/options")
                .bearer(signedUp.accessToken())
                .expect(200);
        assertThat(recorded.all()).isEmpty();
        project.api()
                .post("/v1/auth/passkeys/register/verify")
                .bearer(signedUp.accessToken())
                .json(new PasskeyDevice("https://example.com").create(options.json()))
                .expect(200);
        assertThat(recorded.summary()).containsExactly("factor.added");
        assertThat(recorded.last("factor.added").at("/data/factor").textValue()).isEqualTo("passkey");

        project.manage("DELETE", "/v1/dashboard/users/" + signedUp.text("user/id") + "/factors")
                .expect(200);
        assertThat(recorded.summary()).containsExactly("factor.added", "factor.removed");
    }

    @Test
    void aUserUpdateIsRecorded() {
        var user = newUser();
        project.manage("PATCH", user)
                .json(Map.of("publicMetadata", Map.of("role", "admin")))
                .expect(200);

        assertThat(recorded.summary()).containsExactly("user.updated");
        assertThat(recorded.last("user.updated")
                        .at("/data/user/publicMetadata/role")
                        .textValue())
                .isEqualTo("admin");
        project.manage("PATCH", user)
                .json(Map.of("password", "a battery horse"))
                .expect(200);
        assertThat(recorded.summary())
                .containsExactly("user.updated", "user.updated", "session.revoked password_changed");
    }

    @Test
    void aBanAndTheSessionsThatItEndsAreRecordedOnce() {
        var user = newUser();
        project.manage("PATCH", user + "/ban").expect(200);
        project.manage("PATCH", user + "/ban").expect(200);

        assertThat(recorded.summary()).containsExactly("user.banned", "session.revoked banned");
        assertThat(recorded.last("user.banned").at("/data/user/isBanned").booleanValue())
                .isTrue();
        recorded.forget();
        project.manage("PATCH", user + "/unban").expect(200);
        project.manage("PATCH", user + "/unban").expect(200);
        assertThat(recorded.summary()).containsExactly("user.unbanned");
    }

    @Test
    void aDeletedUserIsRecordedAsItWas() {
        var user = newUser();
        project.manage("DELETE", user).expect(200);
        project.manage("DELETE", user).expect(404);

        assertThat(recorded.summary()).containsExactly("session.revoked deleted", "user.deleted");
        assertThat(recorded.last("user.deleted").at("/data/user/email").textValue())
                .isEqualTo(email);
    }

    @Test
    void walletsAreRecordedWhenTheyAreLinkedAndUnlinked() {
        project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("web3", true)))
                .expect(200);
        var wallet = TestWallet.evm();
        var user = project.post("/v1/auth/web3/verify").json(signed(wallet)).expect(200);
        assertThat(recorded.summary()).containsExactly("user.created", "wallet.linked", "session.created");
        assertThat(recorded.last("wallet.linked").at("/data/wallet/address").textValue())
                .isEqualToIgnoringCase(wallet.address());

        recorded.forget();
        var second = project.api()
                .post("/v1/auth/web3/wallets/link")
                .bearer(user.accessToken())
                .json(signed(TestWallet.solana()))
                .expect(200);
        project.manage("DELETE", "/v1/backend/users/" + user.text("user/id") + "/web3-wallets/" + second.text("id"))
                .expect(200);

        assertThat(recorded.summary()).containsExactly("wallet.linked", "wallet.unlinked");
        var data = recorded.last("wallet.unlinked").path("data");
        assertThat(data.path("wallet")).isEqualTo(second.json());
        assertThat(data.at("/user/id").textValue()).isEqualTo(user.text("user/id"));
    }

    private Map<String, Object> signed(TestWallet wallet) {
        return wallet.signed(project.post("/v1/auth/web3/nonce")
                .json(Map.of("address", wallet.address(), "chain", wallet.chain()))
                .expect(200)
                .text("message"));
    }

    @Test
    void aCreatedUserIsRecordedWithItsProviders() {
        var account = Map.of(
                "email", email, "identities", List.of(Map.of("provider", "google", "subject", TestServer.newEmail())));
        project.manage("POST", "/v1/dashboard/users").json(account).expect(201);
        project.manage("POST", "/v1/dashboard/users").json(account).expect(409);

        assertThat(recorded.summary()).containsExactly("user.created", "provider.linked");
        assertThat(recorded.last("provider.linked").at("/data/provider").textValue())
                .isEqualTo("google");
    }

    @Test
    void importedUsersAreRecordedOnce() {
        var lines = "{\"email\":\"%s\"}%n{\"email\":\"%s\"}%n".formatted(email, TestServer.newEmail());
        for (int run = 0; run < 2; run++) {
            project.manage("POST", "/v1/dashboard/users/import")
                    .raw("application/x-ndjson", lines)
                    .expect(200);
        }

        assertThat(recorded.summary()).containsExactly("user.created", "user.created");
    }

    @Test
    void oneOfConcurrentSignUpsWithOneEmailIsRecorded() {
        Parallel.send(
                8,
                number ->
                        project.post("/v1/auth/signup").json(Map.of("email", email, "password", TestProject.PASSWORD)));

        assertThat(recorded.summary()).containsExactly("user.created", "session.created");
    }

    @Test
    void anEndpointGetsOnlyTheEventsItSubscribesTo() {
        var other = server.newProject();
        var events = new RecordedEvents(server, other);
        events.subscribe("active", "user.created");
        events.subscribe("disabled", "*");
        other.signUp();

        assertThat(events.summary()).containsExactly("user.created");
        assertThat(server.sql().count("SELECT count(*) FROM webhook_deliveries WHERE project_id = ?::uuid", other.id()))
                .isEqualTo(1);
        assertThat(recorded.summary()).isEmpty();
    }

    @Test
    void anEventWithoutSubscribersIsNotStored() {
        var silent = server.newProject();
        silent.signUp();

        assertThat(new RecordedEvents(server, silent).all()).isEmpty();
    }
}
