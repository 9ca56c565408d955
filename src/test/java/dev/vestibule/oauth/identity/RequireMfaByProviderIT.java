package dev.vestibule.oauth.identity;

import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What sign in with a provider is worth for a user with a second factor on this server, and in a project that requires
 * one.
 */
@ExtendWith(WithProvider.class)
class RequireMfaByProviderIT {
    private final TestServer server;
    private final OauthProject app;
    private final TestProject project;
    private final String subject = newSubject();
    private final String email = TestServer.newEmail();

    RequireMfaByProviderIT(OauthWorld world) {
        this.server = world.server();
        this.app = world.newProject();
        this.project = app.project();
    }

    private Response signIn(int status) {
        return app.signIn(subject, verified(email)).expect(status);
    }

    private void requireSinceLong() {
        app.change(Map.of("requireMfa", "required"));
        server.sql()
                .update(
                        "UPDATE projects SET mfa_required_since = mfa_required_since - interval '8 days'"
                                + " WHERE id = ?::uuid",
                        project.id());
        app.change(Map.of("requireMfa", "required")); // read again
        server.sql()
                .update(
                        "UPDATE users SET created_at = created_at - interval '8 days' WHERE project_id = ?::uuid",
                        project.id());
    }

    /** A factor on an account whose email nobody has proved, as an earlier release could create it. */
    private Response enrolUnproved(String unproved) {
        var tokens = project.signUp(unproved);
        server.withoutProof(unproved, () -> enrol(tokens));
        return tokens;
    }

    private Authenticator enrol(Response tokens) {
        var setup = server.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(tokens.accessToken())
                .expect(200);
        var authenticator = new Authenticator(setup.text("secret"), Clock.systemUTC());
        server.api()
                .post("/v1/auth/mfa/totp/verify-setup")
                .bearer(tokens.accessToken())
                .json(Map.of("code", authenticator.code()))
                .expect(200);
        return authenticator;
    }

    private void register(Response user) {
        var device = new PasskeyDevice(OauthProject.APP);
        var options = project.post("/v1/auth/passkeys/register/options")
                .bearer(user.accessToken())
                .expect(200)
                .json();
        project.post("/v1/auth/passkeys/register/verify")
                .bearer(user.accessToken())
                .json(device.create(options))
                .expect(200);
    }

    private long factors() {
        return server.sql().count("SELECT count(*) FROM totp_factors WHERE project_id = ?::uuid", project.id());
    }

    @Test
    void aProvidersSignInIsEnoughUnlessTheProjectRequiresMore() {
        enrol(signIn(200));
        assertThat(signIn(200).json().has("mfaEnrollmentRequired")).isFalse();
        app.change(Map.of("requireMfa", "required"));
        assertThat(signIn(403).text("message")).contains("Sign in with the password or a passkey");
    }

    @Test
    void ifPasskeysAreTheSecondFactorTheProviderDoesNotReplaceOne() {
        register(signIn(200));
        signIn(200);
        app.change(Map.of("requireMfa", "required"));
        assertThat(signIn(403).text("reason")).isEqualTo("passkey_required");
    }

    private Response verifiedOwner() {
        var user = project.signUp(email);
        server.proveEmail(email);
        return user;
    }

    private void linksNothing(Response user) {
        assertThat(app.detail(user.text("user/id")).get("providers")).isEmpty();
    }

    @Test
    void aRefusedSignInLinksNothing() {
        var user = verifiedOwner();
        enrol(user);
        app.change(Map.of("requireMfa", "required"));
        signIn(403);
        linksNothing(user);
    }

    /** Anyone who reads the mails of an address can get an identity with it. */
    @Test
    void aStrangersProviderAccountOpensNoAccountWithASecondFactor() {
        var user = verifiedOwner();
        enrol(user);
        assertThat(signIn(403).text("message")).contains("a provider that is not linked to it cannot open it");
        linksNothing(user);
    }

    @Test
    void aStrangersProviderAccountOpensNoAccountWithAPasskey() {
        var user = verifiedOwner();
        register(user);
        assertThat(signIn(403).text("reason")).isEqualTo("passkey_required");
        linksNothing(user);
    }

    @Test
    void anIdentityLinkedBeforeTheFactorCanStillSignIn() {
        var user = verifiedOwner();
        assertThat(signIn(200).text("user/id")).isEqualTo(user.text("user/id"));
        enrol(user);
        signIn(200);
        app.signIn(newSubject(), verified(email)).expect(403);
    }

    @Test
    void ifAFactorMustBeSetUpFirstNothingIsLinkedEither() {
        var user = verifiedOwner();
        requireSinceLong();
        assertThat(signIn(403).text("reason")).isEqualTo("mfa_enrollment_required");
        linksNothing(user);
    }

    @Test
    void withoutAFactorTheWeekAppliesHereToo() {
        app.change(Map.of("requireMfa", "required"));
        assertThat(signIn(200).json().path("mfaEnrollmentRequired").asBoolean()).isTrue();
        requireSinceLong();
        var refused = signIn(403);
        assertThat(refused.text("reason")).isEqualTo("mfa_enrollment_required");

        var token = refused.text("mfaToken");
        var setup = project.post("/v1/auth/mfa/totp/setup")
                .json(Map.of("mfaToken", token))
                .expect(200);
        var tokens = project.post("/v1/auth/mfa/totp/verify-setup")
                .json(Map.of(
                        "mfaToken", token, "code", new Authenticator(setup.text("secret"), Clock.systemUTC()).code()))
                .expect(200);
        assertThat(Jwt.parse(tokens.accessToken()).claims().path("amr")).hasToString("[\"fed\",\"otp\",\"mfa\"]");
        assertThat(tokens.text("user/email")).isEqualTo(email);
    }

    @Test
    void deletingTheAccountAndSigningInAgainStartsNoNewWeek() {
        requireSinceLong();
        var created = signIn(200);
        server.sql()
                .update(
                        "UPDATE users SET created_at = created_at - interval '8 days' WHERE project_id = ?::uuid",
                        project.id());
        project.manage("DELETE", "/v1/dashboard/users/" + created.text("user/id"))
                .expect(200);

        assertThat(signIn(403).text("reason")).isEqualTo("mfa_enrollment_required");
        var otherEmail = app.signIn(subject, verified(TestServer.newEmail())).expect(403);
        assertThat(otherEmail.text("reason")).isEqualTo("mfa_enrollment_required");
        app.signIn(newSubject(), verified(TestServer.newEmail())).expect(200);
    }

    @Test
    void ifTheServerHandlesTheFlowTheApplicationGetsTheMessage() {
        signIn(200);
        requireSinceLong();
        var url = app.serverUrl("popup");
        app.redirect(app.login(url, subject, verified(email))).expect(200);
        var polled = app.poll(url.text("state")).expect(200);
        assertThat(polled.text("status")).isEqualTo("error");
        assertThat(polled.text("message")).startsWith("This project requires a second factor.");
    }

    /** Somebody signs up with another's email and sets up a factor, to keep the owner out. */
    @Test
    void theFactorOfAStrangerWhoSignedUpDoesNotLockOutTheOwnerOfTheEmail() {
        var attacker = enrolUnproved(email);
        var pending = project.signIn(email).text("mfaToken");
        app.subscribe();

        var owner = signIn(200);

        assertThat(owner.text("user/id")).isEqualTo(attacker.text("user/id"));
        assertThat(factors()).isZero();
        assertThat(app.events()).contains("factor.removed");
        assertThat(server.sql()
                        .texts(
                                "SELECT metadata ->> 'reason' FROM audit_log WHERE project_id = ?::uuid"
                                        + " AND event = 'auth.mfa.disabled'",
                                project.id()))
                .containsExactly("email_claimed");
        project.post("/v1/auth/mfa/verify")
                .json(Map.of("mfaToken", pending, "code", "123456"))
                .expect(401);
        project.me(attacker.accessToken()).expect(401);
    }

    @Test
    void nobodyIsLockedOutIfTheProjectRequiresAFactorEither() {
        enrolUnproved(email);
        app.change(Map.of("requireMfa", "required"));
        assertThat(signIn(200).json().path("mfaEnrollmentRequired").asBoolean()).isTrue();
        assertThat(factors()).isZero();
    }

    @Test
    void theFactorOfAVerifiedOwnerStays() {
        enrol(verifiedOwner());
        signIn(403);
        assertThat(factors()).isEqualTo(1);
        assertThat(project.signIn(email).json().path("mfaRequired").asBoolean()).isTrue();
    }

    @Test
    void whatTheOwnerOfAnEmailRemovesIsCounted() {
        enrolUnproved(email);
        enrolUnproved(TestServer.newEmail());
        var before = removed();
        signIn(200);
        signIn(200);
        assertThat(removed()).isEqualTo(before + 1);
        assertThat(factors()).isEqualTo(1);
    }

    private double removed() {
        return server.metric("vestibule_factors_removed_total{by=\"email_owner\",factor=\"totp\"}");
    }
}
