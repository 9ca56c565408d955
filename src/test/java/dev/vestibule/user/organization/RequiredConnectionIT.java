package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWallet;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A domain whose people sign in only through the connection of their organization. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequiredConnectionIT {
    private static final Pattern TOKEN = Pattern.compile("[?&]token=([A-Za-z0-9_-]+)");
    private static final Pattern UNDO = Pattern.compile("undo_[A-Za-z0-9_-]{86}");
    private static final String WALLETS = "/v1/auth/web3";

    private final TestReceiver carrier = TestReceiver.start();
    private final OauthWorld world;
    private final WithSms sms;
    private OauthProject app;
    private TestProject project;
    private ConnectedOrganization engines;
    private String email = "";

    RequiredConnectionIT(TestDatabase database) {
        world = OauthWorld.start(database, WithSms.settings(carrier, Map.of()));
        sms = new WithSms(carrier, world.server(), new TestClock());
        app = world.newProject();
        project = app.project();
        engines = ConnectedOrganization.of(world, app);
    }

    @AfterAll
    void stop() {
        world.close();
        carrier.close();
    }

    @BeforeEach
    void newOrganization() {
        app = world.newProject();
        project = app.project();
        app.change(Map.of("factors", Map.of("sms", true, "web3", true), "magicLinkUrl", OauthProject.APP + "/link"));
        engines = ConnectedOrganization.of(world, app);
        email = "ada@" + engines.domain();
    }

    private Response employee() {
        project.manage("POST", "/v1/backend/users")
                .json(Map.of("email", email, "password", TestProject.PASSWORD, "emailVerified", true))
                .expect(201);
        return project.signIn(email);
    }

    private void assertRequired(Call call) {
        var refused = call.expect(403);
        assertThat(refused.text("code")).isEqualTo("sso_required");
        assertThat(refused.text("provider")).isEqualTo(engines.provider());
    }

    private Call asUser(Response user, String path) {
        return project.api().post(path).bearer(user.accessToken());
    }

    private Call askByMail(String kind) {
        return project.post("/v1/auth/passwordless/" + kind).json(Map.of("email", email));
    }

    private Call verify(Map<String, ?> fields) {
        return project.post("/v1/auth/passwordless/verify").json(fields);
    }

    @Test
    void passwordsAreRefusedRightOrWrongAndWithOrWithoutAnAccount() {
        employee();
        engines.require();
        assertRequired(project.trySignIn(email, TestProject.PASSWORD));
        assertRequired(project.trySignIn(email, "wrong password"));
        assertRequired(project.trySignIn("nobody@" + engines.domain(), TestProject.PASSWORD));
        assertRequired(project.trySignIn(email.toUpperCase(Locale.ROOT), TestProject.PASSWORD));
        assertRequired(world.server()
                .api()
                .post("/v1/auth/signin")
                .json(Map.of("email", email, "password", TestProject.PASSWORD, "projectId", project.id())));
    }

    @Test
    void strangersCanNeitherSignUpNorFindOutWhoHasAnAccount() {
        employee();
        engines.require();
        for (var who : List.of(email, "new@" + engines.domain())) {
            assertRequired(
                    project.post("/v1/auth/signup").json(Map.of("email", who, "password", TestProject.PASSWORD)));
        }
        app.change(Map.of("requireEmailVerification", true, "confirm", true));
        assertRequired(project.post("/v1/auth/signup")
                .json(Map.of("email", "new@" + engines.domain(), "password", TestProject.PASSWORD)));
        assertThat(app.users()).isEqualTo(2); // with the owner of the organization
    }

    @Test
    void aNewPasswordOpensNothing() {
        employee();
        engines.require();
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        var code = world.mailbox().awaitCode(email);
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", code, "password", "another good password"))
                .expect(200);
        assertRequired(project.trySignIn(email, "another good password"));
    }

    @Test
    void codesAndLinksByMailAreRefused() {
        employee();
        askByMail("email-otp").expect(200);
        var code = world.mailbox().awaitCode(email);
        askByMail("magic-link").expect(200);
        var token = TOKEN.matcher(TestMailbox.text(world.mailbox().await(email, 2)));
        assertThat(token.find()).isTrue();
        engines.require();
        assertRequired(verify(Map.of("email", email, "code", code)));
        assertRequired(verify(Map.of("token", token.group(1))));
        assertRequired(askByMail("email-otp"));
        assertRequired(askByMail("magic-link"));
    }

    @Test
    void theCodeThatProvesANewEmailOpensNothing() {
        app.change(Map.of("requireEmailVerification", true, "confirm", true));
        project.post("/v1/auth/signup")
                .json(Map.of("email", email, "password", TestProject.PASSWORD))
                .expect(201);
        var code = world.mailbox().awaitCode(email);
        engines.require();
        assertRequired(project.post("/v1/auth/verify-email").json(Map.of("email", email, "code", code)));
    }

    @Test
    void codesBySmsAreRefused() {
        var user = employee();
        var phone = WithSms.newNumber();
        sms.own(project, user.accessToken(), phone);
        world.server()
                .sql()
                .update(
                        "UPDATE codes SET requested_at = requested_at - interval '2 minutes'"
                                + " WHERE project_id = ?::uuid",
                        project.id());
        var code = sms.code(project, phone);
        engines.require();
        assertRequired(WithSms.verify(project, phone, code));
    }

    @Test
    void passkeysAreRefused() {
        app.change(Map.of("passkeyRpId", "example.com", "passkeyOrigins", List.of(OauthProject.APP)));
        var user = employee();
        var device = new PasskeyDevice(OauthProject.APP);
        var creation =
                asUser(user, "/v1/auth/passkeys/register/options").expect(200).json();
        asUser(user, "/v1/auth/passkeys/register/verify")
                .json(device.create(creation))
                .expect(200);
        engines.require();
        var options = project.post("/v1/auth/passkeys/authenticate/options")
                .expect(200)
                .json();
        assertRequired(project.post("/v1/auth/passkeys/authenticate/verify").json(device.get(options)));
    }

    @Test
    void walletsAreRefused() {
        var user = employee();
        var wallet = TestWallet.evm();
        asUser(user, WALLETS + "/wallets/link")
                .json(wallet.signed(nonce(wallet)))
                .expect(200);
        engines.require();
        assertRequired(project.post(WALLETS + "/verify").json(wallet.signed(nonce(wallet))));
    }

    private String nonce(TestWallet wallet) {
        return project.post(WALLETS + "/nonce")
                .json(Map.of(
                        "address", wallet.address(), "chain", wallet.chain(), "walletType", "metamask", "chainId", 10))
                .expect(200)
                .text("message");
    }

    @Test
    void providersOfTheProjectAreRefusedLinkedOrNot() {
        var linked = OauthProject.newSubject();
        app.signIn(linked, OauthProject.verified(email)).expect(200);
        engines.require();
        assertRequired(app.signIn(linked, OauthProject.verified(email)));
        assertRequired(app.signIn(OauthProject.newSubject(), OauthProject.verified(email)));
        assertRequired(app.signIn(OauthProject.newSubject(), OauthProject.verified("new@" + engines.domain())));
        assertRequired(app.signIn(OauthProject.newSubject(), OauthProject.unverified("newer@" + engines.domain())));
        assertThat(app.users()).isEqualTo(2);
    }

    @Test
    void anotherOrganizationsConnectionIsRefused() {
        var others = ConnectedOrganization.of(world, app);
        engines.require();
        assertThat(others.signIn(OauthProject.newSubject(), email).expect(403).text("code"))
                .isEqualTo("foreign_email");
    }

    @Test
    void aSecondFactorDoesNotCompleteWhatIsRefusedByNow() {
        var user = employee();
        var setup = asUser(user, "/v1/auth/mfa/totp/setup").expect(200);
        var authenticator = new Authenticator(setup.text("secret"), Clock.systemUTC());
        asUser(user, "/v1/auth/mfa/totp/verify-setup")
                .json(Map.of("code", authenticator.code()))
                .expect(200);
        var half = project.trySignIn(email, TestProject.PASSWORD).expect(200);
        engines.require();
        assertRequired(project.post("/v1/auth/mfa/verify")
                .json(Map.of(
                        "mfaToken",
                        half.text("mfaToken"),
                        "code",
                        setup.json().path("backupCodes").path(0).asText())));
        engines.newPerson("bob");
        engines.signIn(OauthProject.newSubject(), email).expect(200); // the organization's provider asks for its own
    }

    @Test
    void settingUpAFactorDoesNotCompleteWhatIsRefusedByNow() {
        employee();
        app.change(Map.of("requireMfa", "required"));
        world.server()
                .sql()
                .update(
                        "UPDATE projects SET mfa_required_since = mfa_required_since - interval '1 year'"
                                + " WHERE id = ?::uuid",
                        project.id());
        world.server()
                .sql()
                .update(
                        "UPDATE users SET created_at = created_at - interval '1 year' WHERE project_id = ?::uuid",
                        project.id());
        app.change(Map.of("name", "Renamed")); // caches notice
        var half = project.trySignIn(email, TestProject.PASSWORD).send().text("mfaToken");
        assertThat(half).isNotEmpty();
        engines.require();
        var setup = project.post("/v1/auth/mfa/totp/setup")
                .json(Map.of("mfaToken", half))
                .expect(200);
        assertRequired(project.post("/v1/auth/mfa/totp/verify-setup")
                .json(Map.of(
                        "mfaToken", half, "code", new Authenticator(setup.text("secret"), Clock.systemUTC()).code())));
    }

    @Test
    void aTestTokenIsRefused() {
        project = TestProject.create(
                world.server().api(),
                world.server().newDashboardUser(),
                Map.of("name", "Tests", "environment", "test"));
        app = new OauthProject(world, project, "oidc", "");
        engines = ConnectedOrganization.of(world, app);
        email = "ada@" + engines.domain();
        engines.require();
        assertRequired(project.post("/v1/auth/testing/token").json(Map.of("email", email)));
    }

    @Test
    void theConnectionSignsInAndSaysThatItHasTo() {
        var before = employee();
        engines.require();
        var signedIn = engines.signIn(OauthProject.newSubject(), email).expect(200);
        assertThat(signedIn.text("user/id")).isEqualTo(before.text("user/id"));
        assertThat(engines.route(email).text("connection/required")).isEqualTo("true");
        project.refresh(signedIn.refreshToken()).expect(200);
    }

    @Test
    void aSessionFromBeforeEndsAtItsNextRefresh() {
        var byPassword = employee();
        var inVariantB = project.signInInVariantB(email);
        var byConnection = engines.signIn(OauthProject.newSubject(), email).expect(200);
        app.subscribe();
        engines.require();
        project.me(byPassword.accessToken()).expect(200);
        project.refresh(byPassword.refreshToken()).expect(401);
        project.me(byPassword.accessToken()).expect(401);
        project.refreshAccessToken(inVariantB.refreshToken()).expect(401);
        project.me(inVariantB.accessToken()).expect(401);
        project.refresh(byConnection.refreshToken()).expect(401);
        assertThat(app.events())
                .filteredOn("session.revoked sso_required"::equals)
                .hasSize(3);
        project.refresh(engines.signIn(OauthProject.newSubject(), email)
                        .expect(200)
                        .refreshToken())
                .expect(200);
    }

    /** Not only a refresh gives tokens. */
    @Test
    void aSessionFromBeforeGetsNoTokensInAnyOtherWay() {
        var first = employee();
        var second = project.signIn(email);
        email = "eve@" + engines.domain();
        var third = employee();
        var setup = asUser(third, "/v1/auth/mfa/totp/setup").expect(200);
        asUser(third, "/v1/auth/mfa/totp/verify-setup")
                .json(Map.of("code", new Authenticator(setup.text("secret"), Clock.systemUTC()).code()))
                .expect(200);
        project.manage("POST", "/v1/backend/jwt-templates")
                .json(Map.of("name", "reports", "claims", List.of()))
                .expect(201);
        engines.require();

        var choice = new HashMap<String, Object>();
        choice.put("organizationId", null);
        assertThat(asUser(first, "/v1/auth/token/organization")
                        .json(choice)
                        .expect(401)
                        .text("code"))
                .isEqualTo("session_ended");
        project.manage(
                        "POST",
                        "/v1/backend/sessions/"
                                + Jwt.parse(second.accessToken())
                                        .claims()
                                        .path("sid")
                                        .asText() + "/token")
                .json(Map.of("template", "reports"))
                .expect(404);
        assertThat(asUser(third, "/v1/auth/reauthenticate")
                        .json(Map.of(
                                "code", setup.json().path("backupCodes").path(0).asText()))
                        .expect(401)
                        .text("code"))
                .isEqualTo("session_ended");
        for (var ended : List.of(first, second, third)) {
            project.me(ended.accessToken()).expect(401);
        }
    }

    @Test
    void sessionsStayWhereTheDomainIsNotProvenOrIsOfOthers() {
        var user = employee();
        var other = project.signUp("eve@not" + engines.domain());
        engines.require();
        project.refresh(other.refreshToken()).expect(200);
        engines.loseProof();
        project.refresh(user.refreshToken()).expect(200);
    }

    @Test
    void anApplicationsGrantFromBeforeEndsAtItsNextRefresh() {
        employee();
        var client = OauthBrowser.register(project, "spa", Map.of()).text("clientId");
        var code = new OauthBrowser(project).code(client, email, Map.of("scope", "openid offline_access"));
        var tokens = OauthBrowser.redeem(project, client, code, 200);
        engines.require();
        var form = OauthBrowser.refreshForm(client, tokens.text("refresh_token"));
        assertThat(OauthBrowser.token(project, form, 400).text("error")).isEqualTo("invalid_grant");
        OauthBrowser.userinfo(project, tokens.text("access_token"), 401);
    }

    @Test
    void whatWasAllowedBeforeGetsNoFirstTokensAfterwards() {
        employee();
        var client = OauthBrowser.register(project, "native", Map.of()).text("clientId");
        var browser = new OauthBrowser(project);
        var code = browser.code(client, email, Map.of());
        var device = OauthBrowser.post(
                project, "/oauth/device_authorization", Map.of("client_id", client, "scope", "openid"), 200);
        browser.get(URI.create(device.text("verification_uri")).getRawPath());
        browser.follow(browser.submit("device", Map.of("code", device.text("user_code"))));
        browser.submit("consent", Map.of("decision", "allow"));
        var url = app.serverUrl("redirect");
        app.redirect(app.login(url, OauthProject.newSubject(), OauthProject.verified(email)))
                .send();
        app.subscribe();
        engines.require();

        assertThat(OauthBrowser.redeem(project, client, code, 400).text("error"))
                .isEqualTo("invalid_grant");
        var question = Map.of(
                "grant_type",
                "urn:ietf:params:oauth:grant-type:device_code",
                "client_id",
                client,
                "device_code",
                device.text("device_code"));
        assertThat(OauthBrowser.token(project, question, 400).text("error")).isEqualTo("invalid_grant");
        app.poll(url.text("state")).expect(404);
        assertThat(app.events())
                .contains("session.revoked sso_required")
                .filteredOn("grant.ended sso_required"::equals)
                .hasSize(2);
    }

    @Test
    void aBrowserFromBeforeGivesNoApplicationOrDeviceAnything() {
        employee();
        var client = OauthBrowser.register(project, "native", Map.of()).text("clientId");
        var browser = new OauthBrowser(project);
        browser.authorize(client, Map.of());
        browser.signIn(email);
        engines.require();
        assertThat(browser.authorize(client, Map.of()).body()).contains("action=\"email\"");
        var device = OauthBrowser.post(
                project, "/oauth/device_authorization", Map.of("client_id", client, "scope", "openid"), 200);
        browser.get(URI.create(device.text("verification_uri")).getRawPath());
        assertThat(browser.follow(browser.submit("device", Map.of("code", device.text("user_code"))))
                        .body())
                .contains("action=\"email\"");
    }

    @Test
    void aServerCannotTakeACodeByMailEither() {
        employee();
        var ask = Map.of("email", email);
        project.manage("POST", "/v1/backend/passwordless/send").json(ask).expect(200);
        var code = world.mailbox().awaitCode(email);
        engines.require();
        assertRequired(
                project.manage("POST", "/v1/backend/passwordless/verify").json(Map.of("email", email, "code", code)));
        assertRequired(project.manage("POST", "/v1/backend/passwordless/send").json(ask));
    }

    @Test
    void whatDoesNotSignInProvesNoRecentSignInEither() {
        employee();
        engines.require();
        var user = engines.signIn(OauthProject.newSubject(), email).expect(200);
        assertRequired(asUser(user, "/v1/auth/reauthenticate").json(Map.of("password", TestProject.PASSWORD)));
        assertRequired(asUser(user, "/v1/auth/reauthenticate").json(Map.of("code", "123456")));
        var setup = asUser(user, "/v1/auth/mfa/totp/setup").expect(200);
        var authenticator = new Authenticator(setup.text("secret"), Clock.systemUTC());
        asUser(user, "/v1/auth/mfa/totp/verify-setup")
                .json(Map.of("code", authenticator.code()))
                .expect(200);
        asUser(user, "/v1/auth/reauthenticate")
                .json(Map.of("code", setup.json().path("backupCodes").path(0).asText()))
                .expect(200); // a factor proves more than the session does
    }

    @Test
    void nobodyMovesASessionIntoTheDomain() {
        var outsider = project.signUp(TestServer.newEmail());
        var move = Map.of("email", "eve@" + engines.domain(), "currentPassword", TestProject.PASSWORD);
        asUser(outsider, "/v1/auth/me/email").json(move).expect(200);
        var code = world.mailbox().awaitCode("eve@" + engines.domain());
        engines.require();
        assertRequired(asUser(outsider, "/v1/auth/me/email/verify").json(Map.of("code", code)));
        assertRequired(asUser(outsider, "/v1/auth/me/email").json(move));
    }

    @Test
    void nobodyMovesTheirAccountOutOfTheDomainToSignInWithoutTheOrganization() {
        var before = employee();
        var outside = TestServer.newEmail();
        var move = Map.of("email", outside, "currentPassword", TestProject.PASSWORD);
        asUser(before, "/v1/auth/me/email").json(move).expect(200);
        var code = world.mailbox().awaitCode(outside);
        engines.require();
        assertRequired(asUser(before, "/v1/auth/me/email/verify").json(Map.of("code", code)));
        var user = engines.signIn(OauthProject.newSubject(), email).expect(200);
        assertRequired(asUser(user, "/v1/auth/me/email").json(Map.of("email", TestServer.newEmail())));
        assertThat(project.me(user.accessToken()).expect(200).text("email")).isEqualTo(email);
    }

    /** A user with a proven email, who then moves to another one. */
    private Response moved(String from, String to) {
        project.manage("POST", "/v1/backend/users")
                .json(Map.of("email", from, "password", TestProject.PASSWORD, "emailVerified", true))
                .expect(201);
        var user = project.signIn(from);
        asUser(user, "/v1/auth/me/email")
                .json(Map.of("email", to, "currentPassword", TestProject.PASSWORD))
                .expect(200);
        asUser(user, "/v1/auth/me/email/verify")
                .json(Map.of("code", world.mailbox().awaitCode(to)))
                .expect(200);
        return user;
    }

    private Call undo(String email) {
        var token = UNDO.matcher(TestMailbox.text(world.mailbox().await(email, 2)));
        assertThat(token.find()).isTrue();
        return project.post("/v1/auth/email/undo").json(Map.of("token", token.group()));
    }

    private String emailOf(Response user) {
        return project.manage("GET", "/v1/backend/users/" + user.text("user/id"))
                .expect(200)
                .text("email");
    }

    @Test
    void undoingAMoveIntoTheDomainLeavesTheOrganization() {
        var outside = TestServer.newEmail();
        var user = moved(outside, email);
        engines.signIn(OauthProject.newSubject(), email).expect(200);
        assertThat(engines.role(user)).isEqualTo("member");
        app.subscribe();
        engines.require();
        undo(outside).expect(200);
        assertThat(emailOf(user)).isEqualTo(outside);
        assertThat(engines.role(user)).isEmpty();
        assertThat(app.events()).anyMatch(event -> event.startsWith("organization.member.removed"));
    }

    @Test
    void theLastOwnerStaysWhenTheirMoveIntoTheDomainIsUndone() {
        var outside = TestServer.newEmail();
        var user = moved(outside, email);
        var other = engines.manage("GET", "/members").expect(200).text("members/0/userId");
        engines.signIn(OauthProject.newSubject(), email).expect(200);
        engines.manage("PATCH", "/members/" + user.text("user/id"))
                .json(Map.of("role", "owner"))
                .expect(200);
        engines.manage("DELETE", "/members/" + other).expect(200);
        engines.require();
        undo(outside).expect(200);
        assertThat(emailOf(user)).isEqualTo(outside);
        assertThat(engines.role(user)).isEqualTo("owner");
    }

    @Test
    void undoingAMoveOutOfTheDomainOpensNothing() {
        var user = moved(email, TestServer.newEmail());
        var key = asUser(user, "/v1/auth/me/api-keys")
                .json(Map.of("name", "Build"))
                .expect(201);
        engines.require();
        undo(email).expect(200);
        assertThat(emailOf(user)).isEqualTo(email);
        project.me(user.accessToken()).expect(401);
        project.refresh(user.refreshToken()).expect(401);
        assertThat(project.manage("POST", "/v1/backend/keys/verify")
                        .json(Map.of("key", key.text("key")))
                        .expect(200)
                        .text("valid"))
                .isEqualTo("false");
        assertRequired(project.trySignIn(email, TestProject.PASSWORD));
        assertThat(engines.signIn(OauthProject.newSubject(), email).expect(200).text("user/id"))
                .isEqualTo(user.text("user/id"));
    }

    @Test
    void whoeverTheProviderNamesKeepsTheAddressWhenAMoveOutOfTheDomainIsUndone() {
        moved(email, TestServer.newEmail());
        var holder = engines.signIn(OauthProject.newSubject(), email).expect(200);
        engines.require();
        assertThat(undo(email).expect(409).text("code")).isEqualTo("email_taken");
        assertThat(emailOf(holder)).isEqualTo(email);
        project.me(holder.accessToken()).expect(200);
    }

    @Test
    void aKeyOfAPersonStaysUntilItsDirectoryOrItsOwnerEndsIt() {
        var user = employee();
        var key = asUser(user, "/v1/auth/me/api-keys")
                .json(Map.of("name", "Build"))
                .expect(201);
        engines.require();
        project.refresh(user.refreshToken()).expect(401);
        assertThat(project.manage("POST", "/v1/backend/keys/verify")
                        .json(Map.of("key", key.text("key")))
                        .expect(200)
                        .text("valid"))
                .isEqualTo("true");
    }

    @Test
    void anOwnerOfTheProjectStillActsAsAPersonAndSignsInThemselves() {
        var user = employee();
        engines.require();
        var acting = project.asOwner("POST", "/users/" + user.text("user/id") + "/impersonate")
                .json(Map.of("reason", "Ticket 4711"))
                .expect(200);
        project.refresh(acting.refreshToken()).expect(200);
        var account = Map.of("email", "owner@" + engines.domain(), "password", "a dashboard password");
        world.server().api().post("/v1/dashboard/auth/register").json(account).expect(201);
        world.server().api().post("/v1/dashboard/auth/login").json(account).expect(200);
    }

    @Test
    void peopleOfOtherDomainsAreNotConcerned() {
        engines.require();
        var other = project.signUp(TestServer.newEmail());
        project.signIn(other.text("user/email"));
        project.signUp("ada@sub." + engines.domain());
    }

    @Test
    void aDomainThatIsNoLongerProvenRequiresNothing() {
        employee();
        engines.require();
        engines.loseProof();
        project.signIn(email);
    }

    @Test
    void anEnabledConnectionStaysWhileADomainRequiresIt() {
        engines.require();
        for (var refused : List.of(
                engines.manage("PATCH", engines.path()).json(Map.of("enabled", false)),
                engines.manage("DELETE", engines.path()))) {
            assertThat(refused.expect(409).text("code")).isEqualTo("connection_required");
        }
        assertThat(engines.manage("GET", "/connections").expect(200).text("0/enabled"))
                .isEqualTo("true");
        var second = engines.manage("POST", "/connections")
                .json(ConnectedOrganization.settings(world.provider().newIssuer()))
                .expect(201);
        engines.manage("DELETE", engines.path()).expect(200);
        var domain = "/domains/" + engines.manage("GET", "/domains").expect(200).text("0/id");
        engines.manage("PATCH", domain).json(Map.of("policy", "join")).expect(200);
        engines.manage("DELETE", "/connections/" + second.text("id")).expect(200);
        assertThat(engines.manage("PATCH", domain)
                        .json(Map.of("policy", "sso_required"))
                        .expect(409)
                        .text("code"))
                .isEqualTo("connection_required");
        assertThat(engines.manage("POST", "/domains")
                        .json(Map.of("domain", "more." + engines.domain(), "policy", "sso_required"))
                        .expect(409)
                        .text("code"))
                .isEqualTo("connection_required");
        employee();
        project.signIn(email);
    }

    @Test
    void theHostedPageSendsPeopleToTheirProvider() {
        employee();
        engines.require();
        var client = OauthBrowser.register(project, "spa", Map.of()).text("clientId");
        var browser = new OauthBrowser(project);
        browser.authorize(client, Map.of());
        var left = OauthBrowser.onward(browser.signIn(email)).toString();
        assertThat(left).startsWith(engines.issuer() + "/authorize").contains("login_hint=ada%40");
        var back = world.provider().login(left, OauthProject.newSubject(), Map.of("email", email));
        var page = OauthBrowser.onward(browser.get(back.getRawPath() + "?" + back.getRawQuery()));
        var done = browser.get(page.getRawPath() + "?" + page.getRawQuery());
        assertThat(OauthBrowser.parameter(OauthBrowser.onward(done), "code")).isNotEmpty();
    }
}
