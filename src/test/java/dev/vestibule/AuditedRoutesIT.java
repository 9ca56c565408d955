package dev.vestibule;

import static dev.vestibule.fixture.OauthProject.OWN_REDIRECT;
import static dev.vestibule.fixture.OauthProject.question;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.AuditSubjects;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWallet;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every route that changes something leaves an entry in the audit log, including future routes. */
@ExtendWith(WithProvider.class)
@TakesLong("It calls every operation that changes something.")
class AuditedRoutesIT {
    /** Routes that change something, or read a lot, without their own entry: each with the reason. */
    private static final Map<String, String> NOT_AUDITED = Map.ofEntries(
            entry("POST /v1/auth/email/undo", "told as auth.email.undone, for a mail's token: UndoEmailChangeIT"),
            entry("POST /v1/dashboard/auth/email/undo", "told as auth.email.undone, by the same handler"),
            entry("POST /v1/auth/token/refresh", "only where audit.refreshes asks for it: UserAuditIT"),
            entry(
                    "POST /v1/auth/organizations/:organizationId/join",
                    "told as org.member.added; the domain needs a DNS server: OrganizationDomainsIT"),
            entry(
                    "POST /v1/auth/organizations/:organizationId/domains/:domainId/verify",
                    "told as org.domain.verified; it needs a DNS server: OrganizationDomainsIT"),
            entry(
                    "POST /v1/dashboard/organizations/:organizationId/domains/:domainId/verify",
                    "told as org.domain.verified; it needs a DNS server: OrganizationDomainsIT"),
            entry("POST /v1/auth/oauth/connection", "finds a connection by a domain, and changes nothing"),
            entry(
                    "POST /v1/scim/:projectId/:directoryId/Users",
                    "told as admin.user.created and org.member.added: ScimUsersIT"),
            entry(
                    "PUT /v1/scim/:projectId/:directoryId/Users/:userId",
                    "what it changes is told as it is for PATCH, by the same method"),
            entry(
                    "PATCH /v1/scim/:projectId/:directoryId/Users/:userId",
                    "told as admin.user.updated, org.member.added or org.member.removed: ScimUsersIT"),
            entry("DELETE /v1/scim/:projectId/:directoryId/Users/:userId", "told as org.member.removed: ScimUsersIT"),
            entry("POST /v1/scim/:projectId/:directoryId/Groups", "told as org.group.created: ScimGroupsIT"),
            entry("PUT /v1/scim/:projectId/:directoryId/Groups/:groupId", "told as org.group.updated: ScimGroupsIT"),
            entry("PATCH /v1/scim/:projectId/:directoryId/Groups/:groupId", "told as org.group.updated: ScimGroupsIT"),
            entry("DELETE /v1/scim/:projectId/:directoryId/Groups/:groupId", "told as org.group.deleted: ScimGroupsIT"),
            entry("POST /v1/scim/:projectId/:directoryId/.search", "is not supported"),
            entry("POST /v1/auth/token/organization", "issues a token of the caller's session, as a refresh does"),
            entry("POST /v1/auth/refresh", "only where audit.refreshes asks for it: UserAuditIT"),
            entry("POST /v1/dashboard/auth/refresh", "only where audit.refreshes asks for it, as every refresh"),
            entry("POST /v1/auth/mfa/totp/setup", "counts for nothing until a code confirms it: auth.mfa.setup then"),
            entry("POST /v1/auth/me/phone", "queues an SMS; the account stays as it is until auth.phone.verified"),
            entry(
                    "POST /v1/auth/me/phone/verify",
                    "told as auth.phone.verified; it needs a carrier: PhoneVerificationIT"),
            entry("POST /v1/auth/passwordless/sms-otp", "queues an SMS; the account stays as it is"),
            entry("POST /v1/auth/passwordless/magic-link", "queues a mail; the account stays as it is"),
            entry("POST /v1/auth/passwordless/email-otp", "queues a mail; the account stays as it is"),
            entry("POST /v1/backend/passwordless/send", "queues a mail, and tells nothing of an account"),
            entry("POST /v1/auth/passkeys/register/options", "gives a challenge, and makes no passkey yet"),
            entry("POST /v1/auth/passkeys/authenticate/options", "gives a challenge to anybody"),
            entry("POST /v1/auth/web3/nonce", "gives a message to anybody"),
            entry("POST /v1/backend/web3/verify-signature", "says whether a signature is good, and changes nothing"),
            entry("POST /v1/auth/resend-code", "queues a mail; the account stays as it is"),
            entry("POST /v1/dashboard/auth/resend-code", "queues a mail; the account stays as it is"),
            entry("POST /v1/auth/oauth/redirect", "told as auth.signin, as at the address of a project"),
            entry(
                    "POST /v1/auth/oauth/native",
                    "told as auth.signin; the ID token needs a provider of its own: NativeOauthIT"),
            entry("POST /v1/dashboard/projects/:projectId/jwt-templates/preview", "shows a draft, and stores nothing"),
            entry("POST /v1/dashboard/projects/:projectId/branding/preview", "renders a draft, and stores nothing"),
            entry(
                    "POST /v1/dashboard/projects/:projectId/message-texts/:message/:language/preview",
                    "renders a draft, and stores nothing"),
            entry("POST /v1/auth/hosted/callback", "gives the tokens of a sign in on the page, which was told there"),
            entry("POST /v1/projects/:projectId/oauth/authorize", "told as auth.grant.created once the person agrees"),
            entry(
                    "POST /v1/projects/:projectId/oauth/token",
                    "issues tokens of a grant, which was told when it was made"),
            entry("POST /v1/projects/:projectId/oauth/par", "told as auth.grant.created once the person agrees"),
            entry(
                    "POST /v1/projects/:projectId/oauth/device_authorization",
                    "told as auth.grant.created once the person agrees"),
            entry("POST /v1/projects/:projectId/oauth/logout", "told as auth.signout once the session ends"),
            entry("POST /v1/projects/:projectId/oauth/userinfo", "reads what the user agreed to"),
            entry("POST /v1/projects/:projectId/oauth/introspect", "reads whether a token is valid"),
            entry("POST /v1/auth/api-keys/token", "issues a token for a key, as a refresh does"),
            entry("POST /v1/backend/keys/verify", "says whose a key is, and changes nothing"),
            entry("POST /v1/backend/sessions/:sessionId/token", "issues a token of a session, as a refresh does"));

    /** Reads that are audited because of what they reveal. */
    private static final Set<String> AUDITED_READS = Set.of(
            "GET /v1/auth/oauth/redirect/:ownerId",
            "GET /v1/dashboard/users/export",
            "GET /v1/dashboard/audit-logs/export",
            "GET /v1/dashboard/users/:userId/providers/:provider/tokens");

    private static final Pattern INVITATION = Pattern.compile("(?m)^ {4}(inv_[A-Za-z0-9_-]+)\r?$");
    private static final Map<String, ?> TEMPLATE =
            Map.of("name", "plan", "claims", List.of(Map.of("key", "plan", "value", "pro")));
    private static final Map<String, ?> OAUTH_API =
            Map.of("uri", "https://api.example.com", "name", "Orders", "scopes", List.of());
    private static final String NEW_PASSWORD = "another fine password";
    private static final String DASHBOARD_PASSWORD = "a dashboard password";

    private final OauthWorld world;
    private final TestServer server;
    private final OauthProject oauth;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private final String subject = OauthProject.newSubject();

    AuditedRoutesIT(OauthWorld world) {
        this.world = world;
        this.server = world.server();
        this.oauth = world.newProject();
        this.project = oauth.project();
    }

    private static Stream<String> changing() {
        return AllRoutes.list().stream()
                .map(route -> route.method() + " " + route.path())
                .filter(route -> !route.startsWith("GET ") || AUDITED_READS.contains(route));
    }

    static Stream<String> told() {
        return changing().filter(route -> !NOT_AUDITED.containsKey(route));
    }

    @Test
    void theListsNameExistingRoutes() {
        assertThat(changing()).containsAll(NOT_AUDITED.keySet()).containsAll(AUDITED_READS);
    }

    /** A call of a route, and the entry that it must leave in the log. */
    private record Scene(String event, Runnable call) {}

    private static Scene leaves(String event, Runnable call) {
        return new Scene(event, call);
    }

    @ParameterizedTest
    @MethodSource("told")
    void aChangeLeavesItsEntry(String route) {
        assertThat(scenes())
                .as("%s has neither a scene here nor a reason among those that are untold", route)
                .containsKey(route);
        var scene = Objects.requireNonNull(scenes().get(route));
        var before = new HashSet<>(entries(scene.event()));
        scene.call().run();

        Eventually.until(
                scene.event() + " is in the log",
                () -> entries(scene.event()).stream().anyMatch(entry -> !before.contains(entry)));
        assertThat(server.sql()
                        .texts(
                                "SELECT DISTINCT coalesce(target_type, '') FROM audit_log WHERE event = ?",
                                scene.event()))
                .isSubsetOf("", AuditSubjects.typeOf(scene.event()));
    }

    private String organization = "";

    private Call inOwn(String method, String below) {
        var owner = user();
        organization(owner);
        return project.api()
                .call(method, "/v1/auth/organizations/" + organization + below)
                .bearer(owner.accessToken());
    }

    private void organization(Response owner) {
        organization = project.api()
                .post("/v1/auth/organizations")
                .bearer(owner.accessToken())
                .json(Map.of("name", "Engines"))
                .expect(201)
                .text("id");
    }

    private void newOrganization(String door) {
        organization = project.manage("POST", "/v1/" + door + "/organizations")
                .json(Map.of("name", "Engines", "createdBy", user().text("user/id")))
                .expect(201)
                .text("id");
    }

    private Call inOrganization(String door, String method, String below) {
        return project.manage(method, "/v1/" + door + "/organizations/" + organization + below);
    }

    /** Adds a domain, and returns what calls it by a method. */
    private Function<String, Call> domain(String door) {
        var owner = user();
        organization(owner);
        var path = "/v1/" + door + "/organizations/" + organization + "/domains";
        BiFunction<String, String, Call> call = (method, below) -> {
            var asked = project.api().call(method, path + below);
            return door.equals("auth") ? asked.bearer(owner.accessToken()) : asked.key(project.secretKey());
        };
        var id = call.apply("POST", "")
                .json(Map.of("domain", "example.com"))
                .expect(201)
                .text("id");
        return method -> call.apply(method, "/" + id);
    }

    /** Creates a setup link, and returns what calls it by a method. */
    private Function<String, Call> setupLink(String door) {
        var owner = user();
        organization(owner);
        var path = "/v1/" + door + "/organizations/" + organization + "/setup-link";
        Function<String, Call> call = method -> {
            var asked = project.api().call(method, path);
            return door.equals("auth") ? asked.bearer(owner.accessToken()) : asked.key(project.secretKey());
        };
        call.apply("POST").json(Map.of()).expect(201);
        return call;
    }

    /** Adds a connection, and returns what calls it by a method. */
    private Function<String, Call> connection(String door) {
        var owner = user();
        organization(owner);
        var path = "/v1/" + door + "/organizations/" + organization + "/connections";
        BiFunction<String, String, Call> call = (method, below) -> {
            var asked = project.api().call(method, path + below);
            return door.equals("auth") ? asked.bearer(owner.accessToken()) : asked.key(project.secretKey());
        };
        var id = call.apply("POST", "")
                .json(Map.of(
                        "name",
                        "Okta",
                        "issuer",
                        world.provider().newIssuer(),
                        "clientId",
                        "an id",
                        "clientSecret",
                        "a secret"))
                .expect(201)
                .text("id");
        return method -> call.apply(method, "/" + id);
    }

    /** Creates a directory, and returns what calls it by a method, below its path. */
    private BiFunction<String, String, Call> directory(String door) {
        var owner = user();
        organization(owner);
        var path = "/v1/" + door + "/organizations/" + organization + "/directories";
        BiFunction<String, String, Call> call = (method, below) -> {
            var asked = project.api().call(method, path + below);
            return door.equals("auth") ? asked.bearer(owner.accessToken()) : asked.key(project.secretKey());
        };
        var id =
                call.apply("POST", "").json(Map.of("name", "Entra")).expect(201).text("id");
        return (method, below) -> call.apply(method, "/" + id + below);
    }

    /** Creates an API key of an organization, and returns what calls it by a method. */
    private Function<String, Call> organizationKey(String door) {
        var owner = user();
        organization(owner);
        var path = "/v1/" + door + "/organizations/" + organization + "/api-keys";
        BiFunction<String, String, Call> call = (method, below) -> {
            var asked = project.api().call(method, path + below);
            return door.equals("auth") ? asked.bearer(owner.accessToken()) : asked.key(project.secretKey());
        };
        var id =
                call.apply("POST", "").json(Map.of("name", "Build")).expect(201).text("id");
        return method -> call.apply(method, "/" + id);
    }

    private final String invited = TestServer.newEmail();
    private String invitation = "";

    /** Returns the token of the mail. */
    private String invite(String door) {
        newOrganization(door);
        invitation = inOrganization(door, "POST", "/invitations")
                .json(Map.of("email", invited))
                .expect(201)
                .text("id");
        var mail = Pattern.compile("oi_[A-Za-z0-9_-]{43}")
                .matcher(TestMailbox.text(world.mailbox().await(invited, 1)));
        assertThat(mail.find()).isTrue();
        return mail.group();
    }

    private void letAMinutePass() {
        server.sql()
                .update(
                        "UPDATE codes SET requested_at = requested_at - interval '1 minute' WHERE project_id = ?::uuid",
                        project.id());
    }

    private void inviteAsOwner(String method, String below) {
        var owner = user();
        server.proveEmail(email);
        organization(owner);
        var path = "/v1/auth/organizations/" + organization + "/invitations";
        var id = project.api()
                .post(path)
                .bearer(owner.accessToken())
                .json(Map.of("email", invited))
                .expect(201)
                .text("id");
        if (!method.isEmpty()) {
            letAMinutePass();
            project.api()
                    .call(method, path + "/" + id + below)
                    .bearer(owner.accessToken())
                    .expect(200);
        }
    }

    private String newMember(String door) {
        newOrganization(door);
        return inOrganization(door, "POST", "/members")
                .json(Map.of("userId", project.signUp().text("user/id")))
                .expect(201)
                .text("id");
    }

    private void changeMember(String method) {
        var owner = user();
        organization(owner);
        var member = inOrganization("backend", "POST", "/members")
                .json(Map.of("userId", project.signUp().text("user/id")))
                .expect(201)
                .text("id");
        project.api()
                .call(method, "/v1/auth/organizations/" + organization + "/members/" + member)
                .bearer(owner.accessToken())
                .json(Map.of("role", "admin"))
                .expect(200);
    }

    private String codeToSignIn() {
        project.post("/v1/auth/passwordless/email-otp")
                .json(Map.of("email", email))
                .expect(200);
        return world.mailbox().awaitCode(email);
    }

    /** Entries of all projects, since the server's log has what dashboard users do to their own accounts. */
    private List<String> entries(String event) {
        return server.sql().texts("SELECT id::text FROM audit_log WHERE event = ?", event);
    }

    private Map<String, Scene> scenes() {
        return Map.ofEntries(
                entry("POST /v1/auth/signup", leaves("auth.signup", () -> project.signUp(email))),
                entry("POST /v1/auth/signin", leaves("auth.signin", () -> {
                    project.signUp(email);
                    project.signIn(email);
                })),
                entry(
                        "POST /v1/auth/testing/token",
                        leaves(
                                "auth.signup",
                                () -> TestProject.create(
                                                server.api(),
                                                project.owner(),
                                                Map.of("name", "Tests", "environment", "test"))
                                        .post("/v1/auth/testing/token")
                                        .json(Map.of("email", email))
                                        .expect(200))),
                entry(
                        "POST /v1/auth/signout",
                        leaves(
                                "auth.signout",
                                () -> project.signOut(user().accessToken()).expect(200))),
                entry(
                        "PATCH /v1/auth/me",
                        leaves(
                                "auth.profile.updated",
                                () -> own("PATCH", "", user())
                                        .json(Map.of("displayName", "Ada"))
                                        .expect(200))),
                entry("DELETE /v1/auth/me", leaves("auth.account.deleted", () -> {
                    oauth.change(Map.of("allowSelfDeletion", true));
                    own("DELETE", "", user())
                            .json(Map.of("currentPassword", TestProject.PASSWORD))
                            .expect(200);
                })),
                entry("DELETE /v1/auth/me/sessions/:sessionId", leaves("auth.session.revoked", () -> {
                    var user = user();
                    own("DELETE", "/sessions/" + session(user), project.signIn(email))
                            .expect(200);
                })),
                entry("POST /v1/auth/verify-email", leaves("auth.email.verified", () -> {
                    user();
                    project.post("/v1/auth/verify-email")
                            .json(Map.of("email", email, "code", world.mailbox().awaitCode(email)))
                            .expect(200);
                })),
                entry(
                        "POST /v1/auth/me/email",
                        leaves("auth.email.change_requested", () -> changeEmail(user(), TestProject.PASSWORD))),
                entry("POST /v1/auth/me/email/verify", leaves("auth.email.changed", () -> {
                    var user = user();
                    verifyChange(user, changeEmail(user, TestProject.PASSWORD));
                })),
                entry("POST /v1/auth/password/forgot", leaves("auth.password.reset_requested", () -> forget("auth"))),
                entry("POST /v1/auth/password/reset", leaves("auth.password.reset", () -> {
                    user();
                    world.mailbox().await(email, 1);
                    forget("auth");
                    reset("auth", world.mailbox().awaitCode(email, 2));
                })),
                entry(
                        "POST /v1/auth/password/change",
                        leaves("auth.password.changed", () -> change("auth", user(), TestProject.PASSWORD))),
                entry(
                        "POST /v1/auth/reauthenticate",
                        leaves(
                                "auth.reauthenticated",
                                () -> project.post("/v1/auth/reauthenticate")
                                        .bearer(user().accessToken())
                                        .json(Map.of("password", TestProject.PASSWORD))
                                        .expect(200))),
                entry("POST /v1/auth/mfa/totp/verify-setup", leaves("auth.mfa.setup", () -> secondFactor(user()))),
                entry("POST /v1/auth/mfa/verify", leaves("auth.mfa.verify", () -> {
                    var backupCode = secondFactor(user());
                    project.post("/v1/auth/mfa/verify")
                            .json(Map.of("mfaToken", project.signIn(email).text("mfaToken"), "code", backupCode))
                            .expect(200);
                })),
                entry(
                        "POST /v1/auth/passwordless/verify",
                        leaves(
                                "auth.signup",
                                () -> project.post("/v1/auth/passwordless/verify")
                                        .json(Map.of("email", email, "code", codeToSignIn()))
                                        .expect(200))),
                entry(
                        "POST /v1/backend/passwordless/verify",
                        leaves(
                                "auth.signup",
                                () -> project.manage("POST", "/v1/backend/passwordless/verify")
                                        .json(Map.of("email", email, "code", codeToSignIn()))
                                        .expect(200))),
                entry("POST /v1/auth/mfa/disable", leaves("auth.mfa.disabled", () -> withFactor("disable"))),
                entry(
                        "POST /v1/auth/mfa/backup-codes/regenerate",
                        leaves("auth.mfa.backup_codes.regenerated", () -> withFactor("backup-codes/regenerate"))),
                entry("POST /v1/auth/passkeys/register/verify", leaves("auth.passkey.register", () -> passkey(user()))),
                entry("POST /v1/auth/passkeys/authenticate/verify", leaves("auth.signin", () -> {
                    var device = passkey(user()).device();
                    var options = project.post("/v1/auth/passkeys/authenticate/options")
                            .expect(200);
                    project.post("/v1/auth/passkeys/authenticate/verify")
                            .json(device.get(options.json()))
                            .expect(200);
                })),
                entry("POST /v1/auth/me/api-keys", leaves("auth.api_key.created", () -> userKey(user()))),
                entry("DELETE /v1/auth/me/api-keys/:keyId", leaves("auth.api_key.deleted", () -> {
                    var user = user();
                    project.api()
                            .call("DELETE", "/v1/auth/me/api-keys/" + userKey(user))
                            .bearer(user.accessToken())
                            .expect(200);
                })),
                entry(
                        "POST /v1/backend/users/:userId/api-keys",
                        leaves(
                                "auth.api_key.created",
                                () -> project.manage(
                                                "POST", "/v1/backend/users/" + user().text("user/id") + "/api-keys")
                                        .json(Map.of("name", "Build server"))
                                        .expect(201))),
                entry("DELETE /v1/backend/users/:userId/api-keys/:keyId", leaves("auth.api_key.deleted", () -> {
                    var user = user();
                    project.manage("DELETE", "/v1/backend/users/" + user.text("user/id") + "/api-keys/" + userKey(user))
                            .expect(200);
                })),
                entry("PATCH /v1/auth/passkeys/:passkeyId", leaves("auth.passkey.renamed", () -> {
                    var user = user();
                    project.api()
                            .patch("/v1/auth/passkeys/" + passkey(user).id())
                            .bearer(user.accessToken())
                            .json(Map.of("name", "Phone"))
                            .expect(200);
                })),
                entry("DELETE /v1/auth/passkeys/:passkeyId", leaves("auth.passkey.removed", () -> {
                    var user = user();
                    project.api()
                            .call("DELETE", "/v1/auth/passkeys/" + passkey(user).id())
                            .bearer(user.accessToken())
                            .expect(200);
                })),
                entry(
                        "DELETE /v1/backend/users/:userId/passkeys/:passkeyId",
                        leaves("admin.user.passkey.removed", () -> removePasskey("backend"))),
                entry(
                        "DELETE /v1/dashboard/users/:userId/passkeys/:passkeyId",
                        leaves("admin.user.passkey.removed", () -> removePasskey("dashboard"))),
                entry("POST /v1/auth/web3/verify", leaves("auth.signin", () -> {
                    var wallet = TestWallet.evm();
                    linkWallet("wallets/link", user(), wallet);
                    project.post("/v1/auth/web3/verify").json(signed(wallet)).expect(200);
                })),
                entry(
                        "POST /v1/auth/web3/wallets/link",
                        leaves("auth.web3.verify", () -> linkWallet("wallets/link", user(), TestWallet.evm()))),
                entry(
                        "POST /v1/auth/web3/link",
                        leaves("auth.web3.verify", () -> linkWallet("link", user(), TestWallet.evm()))),
                entry("DELETE /v1/auth/web3/wallets/:walletId", leaves("auth.web3.removed", () -> {
                    var user = user();
                    project.api()
                            .call("DELETE", "/v1/auth/web3/wallets/" + linkWallet("link", user, TestWallet.evm()))
                            .bearer(user.accessToken())
                            .expect(200);
                })),
                entry(
                        "DELETE /v1/backend/users/:userId/web3-wallets/:walletId",
                        leaves("admin.user.web3.removed", () -> unlinkWallet("backend"))),
                entry(
                        "DELETE /v1/dashboard/users/:userId/web3-wallets/:walletId",
                        leaves("admin.user.web3.removed", () -> unlinkWallet("dashboard"))),
                entry("POST /v1/auth/organizations", leaves("org.created", () -> organization(user()))),
                entry(
                        "PATCH /v1/auth/organizations/:organizationId",
                        leaves(
                                "org.updated",
                                () -> inOwn("PATCH", "")
                                        .json(Map.of("name", "Renamed"))
                                        .expect(200))),
                entry(
                        "DELETE /v1/auth/organizations/:organizationId",
                        leaves("org.deleted", () -> inOwn("DELETE", "").expect(200))),
                entry("POST /v1/auth/organizations/:organizationId/leave", leaves("org.member.removed", () -> {
                    var member = project.signUp();
                    newOrganization("dashboard");
                    inOrganization("dashboard", "POST", "/members")
                            .json(Map.of("userId", member.text("user/id")))
                            .expect(201);
                    project.api()
                            .post("/v1/auth/organizations/" + organization + "/leave")
                            .bearer(member.accessToken())
                            .expect(200);
                })),
                entry(
                        "PATCH /v1/auth/organizations/:organizationId/members/:memberId",
                        leaves("org.member.role_changed", () -> changeMember("PATCH"))),
                entry(
                        "DELETE /v1/auth/organizations/:organizationId/members/:memberId",
                        leaves("org.member.removed", () -> changeMember("DELETE"))),
                entry(
                        "POST /v1/auth/organizations/:organizationId/invitations",
                        leaves("org.invitation.sent", () -> inviteAsOwner("", ""))),
                entry(
                        "DELETE /v1/auth/organizations/:organizationId/invitations/:invitationId",
                        leaves("org.invitation.revoked", () -> inviteAsOwner("DELETE", ""))),
                entry(
                        "POST /v1/auth/organizations/:organizationId/invitations/:invitationId/resend",
                        leaves("org.invitation.sent", () -> inviteAsOwner("POST", "/resend"))),
                entry("POST /v1/auth/organizations/invitations/:token/accept", leaves("org.invitation.accepted", () -> {
                    var token = invite("backend");
                    project.api()
                            .post("/v1/auth/organizations/invitations/" + token + "/accept")
                            .bearer(project.signUp(invited).accessToken())
                            .expect(200);
                })),
                entry("POST /v1/auth/organizations/invitations/accept", leaves("org.invitation.accepted", () -> {
                    var token = invite("dashboard");
                    project.signUp(invited);
                    project.post("/v1/auth/organizations/invitations/accept")
                            .json(Map.of("token", token))
                            .expect(200);
                })),
                entry("POST /v1/auth/organizations/invitations/:token/reject", leaves("org.invitation.rejected", () -> {
                    var token = invite("backend");
                    project.api()
                            .post("/v1/auth/organizations/invitations/" + token + "/reject")
                            .bearer(project.signUp(invited).accessToken())
                            .expect(200);
                })),
                entry("POST /v1/auth/organizations/invitations/reject", leaves("org.invitation.rejected", () -> {
                    var token = invite("dashboard");
                    project.signUp(invited);
                    project.post("/v1/auth/organizations/invitations/reject")
                            .json(Map.of("token", token))
                            .expect(200);
                })),
                entry(
                        "POST /v1/backend/organizations/:organizationId/invitations",
                        leaves("org.invitation.sent", () -> invite("backend"))),
                entry(
                        "DELETE /v1/backend/organizations/:organizationId/invitations/:invitationId",
                        leaves("org.invitation.revoked", () -> {
                            invite("backend");
                            inOrganization("backend", "DELETE", "/invitations/" + invitation)
                                    .expect(200);
                        })),
                entry(
                        "POST /v1/backend/organizations/:organizationId/invitations/:invitationId/resend",
                        leaves("org.invitation.sent", () -> {
                            invite("backend");
                            letAMinutePass();
                            inOrganization("backend", "POST", "/invitations/" + invitation + "/resend")
                                    .expect(200);
                        })),
                entry(
                        "POST /v1/dashboard/organizations/:organizationId/invitations",
                        leaves("org.invitation.sent", () -> invite("dashboard"))),
                entry(
                        "DELETE /v1/dashboard/organizations/:organizationId/invitations/:invitationId",
                        leaves("org.invitation.revoked", () -> {
                            invite("dashboard");
                            inOrganization("dashboard", "DELETE", "/invitations/" + invitation)
                                    .expect(200);
                        })),
                entry(
                        "POST /v1/dashboard/organizations/:organizationId/invitations/:invitationId/resend",
                        leaves("org.invitation.sent", () -> {
                            invite("dashboard");
                            letAMinutePass();
                            inOrganization("dashboard", "POST", "/invitations/" + invitation + "/resend")
                                    .expect(200);
                        })),
                entry(
                        "POST /v1/auth/organizations/:organizationId/setup-link",
                        leaves("org.setup_link.created", () -> setupLink("auth"))),
                entry(
                        "DELETE /v1/auth/organizations/:organizationId/setup-link",
                        leaves(
                                "org.setup_link.revoked",
                                () -> setupLink("auth").apply("DELETE").expect(200))),
                entry(
                        "POST /v1/dashboard/organizations/:organizationId/setup-link",
                        leaves("org.setup_link.created", () -> setupLink("dashboard"))),
                entry(
                        "DELETE /v1/dashboard/organizations/:organizationId/setup-link",
                        leaves(
                                "org.setup_link.revoked",
                                () -> setupLink("dashboard").apply("DELETE").expect(200))),
                entry(
                        "POST /v1/auth/organizations/:organizationId/domains",
                        leaves("org.domain.added", () -> domain("auth"))),
                entry(
                        "PATCH /v1/auth/organizations/:organizationId/domains/:domainId",
                        leaves(
                                "org.domain.updated",
                                () -> domain("auth")
                                        .apply("PATCH")
                                        .json(Map.of("policy", "suggest"))
                                        .expect(200))),
                entry(
                        "DELETE /v1/auth/organizations/:organizationId/domains/:domainId",
                        leaves(
                                "org.domain.removed",
                                () -> domain("auth").apply("DELETE").expect(200))),
                entry(
                        "POST /v1/dashboard/organizations/:organizationId/domains",
                        leaves("org.domain.added", () -> domain("dashboard"))),
                entry(
                        "PATCH /v1/dashboard/organizations/:organizationId/domains/:domainId",
                        leaves(
                                "org.domain.updated",
                                () -> domain("dashboard")
                                        .apply("PATCH")
                                        .json(Map.of("policy", "suggest"))
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/organizations/:organizationId/domains/:domainId",
                        leaves(
                                "org.domain.removed",
                                () -> domain("dashboard").apply("DELETE").expect(200))),
                entry(
                        "POST /v1/auth/organizations/:organizationId/connections",
                        leaves("org.connection.added", () -> connection("auth"))),
                entry(
                        "PATCH /v1/auth/organizations/:organizationId/connections/:connectionId",
                        leaves(
                                "org.connection.updated",
                                () -> connection("auth")
                                        .apply("PATCH")
                                        .json(Map.of("enabled", false))
                                        .expect(200))),
                entry(
                        "DELETE /v1/auth/organizations/:organizationId/connections/:connectionId",
                        leaves(
                                "org.connection.removed",
                                () -> connection("auth").apply("DELETE").expect(200))),
                entry(
                        "POST /v1/dashboard/organizations/:organizationId/connections",
                        leaves("org.connection.added", () -> connection("dashboard"))),
                entry(
                        "PATCH /v1/dashboard/organizations/:organizationId/connections/:connectionId",
                        leaves(
                                "org.connection.updated",
                                () -> connection("dashboard")
                                        .apply("PATCH")
                                        .json(Map.of("enabled", false))
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/organizations/:organizationId/connections/:connectionId",
                        leaves(
                                "org.connection.removed",
                                () -> connection("dashboard").apply("DELETE").expect(200))),
                entry(
                        "POST /v1/auth/organizations/:organizationId/api-keys",
                        leaves("org.api_key.created", () -> organizationKey("auth"))),
                entry(
                        "DELETE /v1/auth/organizations/:organizationId/api-keys/:keyId",
                        leaves(
                                "org.api_key.deleted",
                                () -> organizationKey("auth").apply("DELETE").expect(200))),
                entry(
                        "POST /v1/dashboard/organizations/:organizationId/api-keys",
                        leaves("org.api_key.created", () -> organizationKey("dashboard"))),
                entry(
                        "DELETE /v1/dashboard/organizations/:organizationId/api-keys/:keyId",
                        leaves(
                                "org.api_key.deleted",
                                () -> organizationKey("dashboard")
                                        .apply("DELETE")
                                        .expect(200))),
                entry(
                        "POST /v1/auth/organizations/:organizationId/directories",
                        leaves("org.directory.created", () -> directory("auth"))),
                entry(
                        "PATCH /v1/auth/organizations/:organizationId/directories/:directoryId",
                        leaves(
                                "org.directory.updated",
                                () -> directory("auth")
                                        .apply("PATCH", "")
                                        .json(Map.of("name", "Okta"))
                                        .expect(200))),
                entry(
                        "DELETE /v1/auth/organizations/:organizationId/directories/:directoryId",
                        leaves(
                                "org.directory.deleted",
                                () -> directory("auth").apply("DELETE", "").expect(200))),
                entry(
                        "POST /v1/auth/organizations/:organizationId/directories/:directoryId/tokens",
                        leaves(
                                "org.directory.token.created",
                                () -> directory("auth").apply("POST", "/tokens").expect(201))),
                entry(
                        "DELETE /v1/auth/organizations/:organizationId/directories/:directoryId/tokens/:tokenId",
                        leaves("org.directory.token.revoked", () -> {
                            var call = directory("auth");
                            var token =
                                    call.apply("POST", "/tokens").expect(201).text("id");
                            call.apply("DELETE", "/tokens/" + token).expect(200);
                        })),
                entry(
                        "POST /v1/dashboard/organizations/:organizationId/directories",
                        leaves("org.directory.created", () -> directory("dashboard"))),
                entry(
                        "PATCH /v1/dashboard/organizations/:organizationId/directories/:directoryId",
                        leaves(
                                "org.directory.updated",
                                () -> directory("dashboard")
                                        .apply("PATCH", "")
                                        .json(Map.of("name", "Okta"))
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/organizations/:organizationId/directories/:directoryId",
                        leaves(
                                "org.directory.deleted",
                                () -> directory("dashboard").apply("DELETE", "").expect(200))),
                entry(
                        "POST /v1/dashboard/organizations/:organizationId/directories/:directoryId/tokens",
                        leaves(
                                "org.directory.token.created",
                                () -> directory("dashboard")
                                        .apply("POST", "/tokens")
                                        .expect(201))),
                entry(
                        "DELETE /v1/dashboard/organizations/:organizationId/directories/:directoryId/tokens/:tokenId",
                        leaves("org.directory.token.revoked", () -> {
                            var call = directory("dashboard");
                            var token =
                                    call.apply("POST", "/tokens").expect(201).text("id");
                            call.apply("DELETE", "/tokens/" + token).expect(200);
                        })),
                entry("POST /v1/backend/organizations", leaves("org.created", () -> newOrganization("backend"))),
                entry("PATCH /v1/backend/organizations/:organizationId", leaves("org.updated", () -> {
                    newOrganization("backend");
                    inOrganization("backend", "PATCH", "")
                            .json(Map.of("name", "Renamed"))
                            .expect(200);
                })),
                entry("DELETE /v1/backend/organizations/:organizationId", leaves("org.deleted", () -> {
                    newOrganization("backend");
                    inOrganization("backend", "DELETE", "").expect(200);
                })),
                entry(
                        "POST /v1/backend/organizations/:organizationId/members",
                        leaves("org.member.added", () -> newMember("backend"))),
                entry(
                        "PATCH /v1/backend/organizations/:organizationId/members/:memberId",
                        leaves(
                                "org.member.role_changed",
                                () -> inOrganization("backend", "PATCH", "/members/" + newMember("backend"))
                                        .json(Map.of("role", "admin"))
                                        .expect(200))),
                entry(
                        "DELETE /v1/backend/organizations/:organizationId/members/:memberId",
                        leaves(
                                "org.member.removed",
                                () -> inOrganization("backend", "DELETE", "/members/" + newMember("backend"))
                                        .expect(200))),
                entry("POST /v1/dashboard/organizations", leaves("org.created", () -> newOrganization("dashboard"))),
                entry("PATCH /v1/dashboard/organizations/:organizationId", leaves("org.updated", () -> {
                    newOrganization("dashboard");
                    inOrganization("dashboard", "PATCH", "")
                            .json(Map.of("name", "Renamed"))
                            .expect(200);
                })),
                entry("DELETE /v1/dashboard/organizations/:organizationId", leaves("org.deleted", () -> {
                    newOrganization("dashboard");
                    inOrganization("dashboard", "DELETE", "").expect(200);
                })),
                entry(
                        "POST /v1/dashboard/organizations/:organizationId/members",
                        leaves("org.member.added", () -> newMember("dashboard"))),
                entry(
                        "PATCH /v1/dashboard/organizations/:organizationId/members/:memberId",
                        leaves(
                                "org.member.role_changed",
                                () -> inOrganization("dashboard", "PATCH", "/members/" + newMember("dashboard"))
                                        .json(Map.of("role", "admin"))
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/organizations/:organizationId/members/:memberId",
                        leaves(
                                "org.member.removed",
                                () -> inOrganization("dashboard", "DELETE", "/members/" + newMember("dashboard"))
                                        .expect(200))),
                entry(
                        "POST /v1/auth/oauth/callback",
                        leaves(
                                "auth.signin",
                                () -> oauth.signIn(subject, claims()).expect(200))),
                entry(
                        "GET /v1/auth/oauth/redirect/:ownerId",
                        leaves(
                                "auth.signin",
                                () -> oauth.redirect(oauth.login(oauth.serverUrl("popup"), subject, claims()))
                                        .expect(200))),
                entry(
                        "POST /v1/auth/oauth/redirect/:ownerId",
                        leaves(
                                "auth.signin",
                                () -> server.api()
                                        .post(oauth.returnPath())
                                        .raw(
                                                "application/x-www-form-urlencoded",
                                                form(oauth.login(oauth.serverUrl("popup"), subject, claims())))
                                        .send())),
                entry("POST /v1/auth/oauth/consent", leaves("auth.signin", () -> {
                    var url = oauth.askUrl("redirectUri", OWN_REDIRECT, "flow", "popup")
                            .header("X-Forwarded-For", "198.51.100.66")
                            .expect(200);
                    var page =
                            oauth.redirect(oauth.login(url, subject, claims())).expect(200);
                    oauth.decide(question(page), "allow").expect(200);
                })),
                entry("POST /v1/auth/me/providers/:provider", leaves("auth.provider.linked", this::link)),
                entry(
                        "DELETE /v1/auth/me/providers/:provider",
                        leaves(
                                "auth.provider.unlinked",
                                () -> own("DELETE", "/providers/oidc", link()).expect(200))),
                entry("POST /v1/dashboard/auth/register", leaves("auth.signup", this::register)),
                entry("POST /v1/dashboard/auth/login", leaves("auth.signin", () -> {
                    register();
                    dashboard("login", Map.of("email", email, "password", DASHBOARD_PASSWORD))
                            .expect(200);
                })),
                entry("POST /v1/dashboard/auth/mfa/verify", leaves("auth.mfa.verify", () -> {
                    var backupCode = secondFactor(register());
                    var token = dashboard("login", Map.of("email", email, "password", DASHBOARD_PASSWORD))
                            .expect(200)
                            .text("mfaToken");
                    dashboard("mfa/verify", Map.of("mfaToken", token, "code", backupCode))
                            .expect(200);
                })),
                entry("POST /v1/dashboard/auth/verify-email", leaves("auth.email.verified", () -> {
                    register();
                    dashboard(
                                    "verify-email",
                                    Map.of(
                                            "email",
                                            email,
                                            "code",
                                            world.mailbox().awaitCode(email)))
                            .expect(200);
                })),
                entry(
                        "POST /v1/dashboard/auth/password/forgot",
                        leaves("auth.password.reset_requested", () -> forget("dashboard/auth"))),
                entry("POST /v1/dashboard/auth/password/reset", leaves("auth.password.reset", () -> {
                    register();
                    world.mailbox().await(email, 1);
                    forget("dashboard/auth");
                    reset("dashboard/auth", world.mailbox().awaitCode(email, 2));
                })),
                entry(
                        "POST /v1/dashboard/auth/password/change",
                        leaves(
                                "auth.password.changed",
                                () -> change("dashboard/auth", register(), DASHBOARD_PASSWORD))),
                entry(
                        "POST /v1/dashboard/auth/signout",
                        leaves(
                                "auth.signout",
                                () -> server.api()
                                        .post("/v1/dashboard/auth/signout")
                                        .bearer(register().accessToken())
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/auth/sessions",
                        leaves(
                                "auth.sessions.revoked",
                                () -> server.api()
                                        .call("DELETE", "/v1/dashboard/auth/sessions")
                                        .bearer(register().accessToken())
                                        .expect(200))),
                entry("DELETE /v1/dashboard/auth/sessions/:sessionId", leaves("auth.session.revoked", () -> {
                    var token = register().accessToken();
                    var session = server.api()
                            .get("/v1/dashboard/auth/sessions")
                            .bearer(token)
                            .expect(200)
                            .text("sessions/0/id");
                    server.api()
                            .call("DELETE", "/v1/dashboard/auth/sessions/" + session)
                            .bearer(token)
                            .expect(200);
                })),
                entry("POST /v1/dashboard/invitations/:token/accept", leaves("project.invitation.accepted", () -> {
                    var invited = register();
                    invite();
                    Eventually.until(
                            "the invitation is mailed",
                            () -> !mailed(INVITATION).isEmpty());
                    server.api()
                            .post("/v1/dashboard/invitations/" + mailed(INVITATION) + "/accept")
                            .bearer(invited.accessToken())
                            .expect(200);
                })),
                entry("POST /v1/dashboard/projects", leaves("project.created", server::newProject)),
                entry(
                        "PATCH /v1/dashboard/projects/:projectId",
                        leaves(
                                "project.updated",
                                () -> project.asOwner("PATCH", "")
                                        .json(Map.of("name", "Another"))
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/projects/:projectId",
                        leaves(
                                "project.deleted",
                                () -> project.asOwner("DELETE", "").expect(200))),
                entry("POST /v1/dashboard/projects/:projectId/keys", leaves("project.key.created", this::key)),
                entry(
                        "PATCH /v1/dashboard/projects/:projectId/keys/:keyId",
                        leaves(
                                "project.key.updated",
                                () -> project.asOwner("PATCH", "/keys/" + key())
                                        .json(Map.of("name", "Billing"))
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/projects/:projectId/keys/:keyId",
                        leaves(
                                "project.key.revoked",
                                () -> project.asOwner("DELETE", "/keys/" + key())
                                        .expect(200))),
                entry(
                        "POST /v1/dashboard/projects/:projectId/signing-keys/rotate",
                        leaves(
                                "project.signing_keys.rotated",
                                () -> project.asOwner("POST", "/signing-keys/rotate")
                                        .expect(200))),
                entry("POST /v1/dashboard/administration/projects/:projectId/adopt", leaves("project.adopted", () -> {
                    server.sql().update("DELETE FROM memberships WHERE project_id = ?::uuid", project.id());
                    server.api()
                            .post("/v1/dashboard/administration/projects/" + project.id() + "/adopt")
                            .bearer(server.administrator())
                            .json(Map.of())
                            .expect(200);
                })),
                entry(
                        "POST /v1/dashboard/projects/:projectId/members",
                        leaves("project.invitation.sent", this::invite)),
                entry(
                        "PATCH /v1/dashboard/projects/:projectId/members/:memberId",
                        leaves(
                                "project.member.role_changed",
                                () -> project.asOwner("PATCH", "/members/" + invite())
                                        .json(Map.of("role", "owner"))
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/projects/:projectId/members/:memberId",
                        leaves(
                                "project.invitation.withdrawn",
                                () -> project.asOwner("DELETE", "/members/" + invite())
                                        .expect(200))),
                entry("DELETE /v1/auth/me/grants", leaves("auth.grant.withdrawn", () -> {
                    var client = connect();
                    server.api()
                            .call("DELETE", "/v1/auth/me/grants?clientId=" + client)
                            .bearer(project.signIn(email).accessToken())
                            .expect(200);
                })),
                entry(
                        "DELETE /v1/dashboard/users/:userId/grants",
                        leaves("admin.user.grant.withdrawn", () -> withdraw("dashboard"))),
                entry(
                        "DELETE /v1/backend/users/:userId/grants",
                        leaves("admin.user.grant.withdrawn", () -> withdraw("backend"))),
                entry("POST /v1/projects/:projectId/oauth/revoke", leaves("auth.grant.ended", this::revoke)),
                entry(
                        "POST /v1/dashboard/projects/:projectId/oauth-clients",
                        leaves("project.oauth_client.created", this::oauthClient)),
                entry(
                        "PATCH /v1/dashboard/projects/:projectId/oauth-clients/:clientId",
                        leaves(
                                "project.oauth_client.updated",
                                () -> project.asOwner("PATCH", "/oauth-clients/" + oauthClient())
                                        .json(Map.of("name", "Another"))
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/projects/:projectId/oauth-clients/:clientId",
                        leaves(
                                "project.oauth_client.deleted",
                                () -> project.asOwner("DELETE", "/oauth-clients/" + oauthClient())
                                        .expect(200))),
                entry(
                        "POST /v1/dashboard/projects/:projectId/oauth-clients/:clientId/secrets",
                        leaves("project.oauth_client.secret.created", () -> addSecret(oauthClient()))),
                entry(
                        "DELETE /v1/dashboard/projects/:projectId/oauth-clients/:clientId/secrets/:secretId",
                        leaves("project.oauth_client.secret.deleted", () -> {
                            var client = oauthClient();
                            project.asOwner("DELETE", "/oauth-clients/" + client + "/secrets/" + addSecret(client))
                                    .expect(200);
                        })),
                entry(
                        "POST /v1/projects/:projectId/oauth/register",
                        leaves("project.oauth_client.created", this::registerItself)),
                entry(
                        "PUT /v1/projects/:projectId/oauth/register/:clientId",
                        leaves("project.oauth_client.updated", () -> {
                            var client = registerItself();
                            manageItself("PUT", client)
                                    .json(Map.of(
                                            "client_id",
                                            client.text("client_id"),
                                            "redirect_uris",
                                            List.of("https://other.example.com/")))
                                    .expect(200);
                        })),
                entry(
                        "DELETE /v1/projects/:projectId/oauth/register/:clientId",
                        leaves(
                                "project.oauth_client.deleted",
                                () -> manageItself("DELETE", registerItself()).expect(204))),
                entry(
                        "POST /v1/dashboard/projects/:projectId/oauth-apis",
                        leaves("project.oauth_api.created", this::oauthApi)),
                entry(
                        "PUT /v1/dashboard/projects/:projectId/oauth-apis/:apiId",
                        leaves(
                                "project.oauth_api.updated",
                                () -> project.asOwner("PUT", "/oauth-apis/" + oauthApi())
                                        .json(OAUTH_API)
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/projects/:projectId/oauth-apis/:apiId",
                        leaves(
                                "project.oauth_api.deleted",
                                () -> project.asOwner("DELETE", "/oauth-apis/" + oauthApi())
                                        .expect(200))),
                entry(
                        "PATCH /v1/dashboard/projects/:projectId/branding",
                        leaves(
                                "project.branding.updated",
                                () -> project.asOwner("PATCH", "/branding")
                                        .json(Map.of("brandName", "Acme"))
                                        .expect(200))),
                entry(
                        "PUT /v1/dashboard/projects/:projectId/message-texts/:message/:language",
                        leaves("project.message_texts.updated", this::messageText)),
                entry(
                        "DELETE /v1/dashboard/projects/:projectId/message-texts/:message/:language",
                        leaves("project.message_texts.updated", () -> {
                            messageText();
                            project.asOwner("DELETE", "/message-texts/sms/en").expect(200);
                        })),
                entry(
                        "PUT /v1/dashboard/projects/:projectId/captcha-secret",
                        leaves(
                                "project.updated",
                                () -> project.asOwner("PUT", "/captcha-secret")
                                        .json(Map.of("secretKey", "a secret"))
                                        .expect(200))),
                entry(
                        "PUT /v1/dashboard/projects/:projectId/providers/:provider",
                        leaves("project.provider.updated", () -> oauth.setUp(Map.of()))),
                entry(
                        "POST /v1/dashboard/projects/:projectId/providers/:provider/test",
                        leaves(
                                "project.provider.tested",
                                () -> project.asOwner("POST", "/providers/oidc/test")
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/projects/:projectId/providers/:provider",
                        leaves(
                                "project.provider.removed",
                                () -> project.asOwner("DELETE", "/providers/oidc")
                                        .expect(200))),
                entry(
                        "POST /v1/dashboard/projects/:projectId/users/:userId/impersonate",
                        leaves(
                                "admin.user.impersonated",
                                () -> project.asOwner("POST", "/users/" + user().text("user/id") + "/impersonate")
                                        .json(Map.of("reason", "a question of theirs"))
                                        .expect(200))),
                entry(
                        "POST /v1/dashboard/projects/:projectId/users/:userId/impersonate/in-browser",
                        leaves(
                                "admin.user.impersonated",
                                () -> project.asOwner(
                                                "POST", "/users/" + user().text("user/id") + "/impersonate/in-browser")
                                        .json(Map.of("reason", "a question of theirs"))
                                        .expect(200))),
                entry("POST /v1/dashboard/users", leaves("admin.user.created", () -> create("dashboard"))),
                entry(
                        "POST /v1/dashboard/users/import",
                        leaves(
                                "admin.users.imported",
                                () -> project.manage("POST", "/v1/dashboard/users/import")
                                        .raw("application/x-ndjson", "{\"email\":\"" + email + "\"}")
                                        .expect(200))),
                entry(
                        "GET /v1/dashboard/users/export",
                        leaves(
                                "admin.users.exported",
                                () -> project.manage("GET", "/v1/dashboard/users/export")
                                        .expect(200))),
                entry(
                        "PATCH /v1/dashboard/users/:userId",
                        leaves(
                                "admin.user.updated",
                                () -> managed("PATCH", "dashboard", "", Map.of("displayName", "Ada")))),
                entry(
                        "DELETE /v1/dashboard/users/:userId",
                        leaves("admin.user.deleted", () -> managed("DELETE", "dashboard", "", Map.of()))),
                entry(
                        "PATCH /v1/dashboard/users/:userId/ban",
                        leaves("admin.user.banned", () -> managed("PATCH", "dashboard", "/ban", Map.of()))),
                entry(
                        "PATCH /v1/dashboard/users/:userId/unban",
                        leaves("admin.user.unbanned", () -> unban("PATCH", "dashboard"))),
                entry(
                        "POST /v1/dashboard/users/:userId/unlock",
                        leaves("admin.user.unlocked", () -> managed("POST", "dashboard", "/unlock", Map.of()))),
                entry(
                        "POST /v1/dashboard/users/:userId/password-reset",
                        leaves(
                                "auth.password.reset_requested",
                                () -> managed("POST", "dashboard", "/password-reset", Map.of()))),
                entry(
                        "DELETE /v1/dashboard/users/:userId/factors",
                        leaves("admin.user.factors.reset", () -> resetFactors("dashboard"))),
                entry(
                        "GET /v1/dashboard/users/:userId/providers/:provider/tokens",
                        leaves("admin.user.provider_tokens_read", () -> {
                            oauth.setUp(Map.of("storeTokens", true));
                            var user =
                                    oauth.signIn(subject, claims()).expect(200).text("user/id");
                            project.manage("GET", "/v1/dashboard/users/" + user + "/providers/oidc/tokens")
                                    .expect(200);
                        })),
                entry(
                        "DELETE /v1/dashboard/users/:userId/sessions",
                        leaves(
                                "admin.user.sessions_revoked",
                                () -> managed("DELETE", "dashboard", "/sessions", Map.of()))),
                entry(
                        "DELETE /v1/dashboard/sessions/:sessionId",
                        leaves(
                                "admin.session.revoked",
                                () -> project.manage("DELETE", "/v1/dashboard/sessions/" + session(user()))
                                        .expect(200))),
                entry("POST /v1/backend/users", leaves("admin.user.created", () -> create("backend"))),
                entry(
                        "PATCH /v1/backend/users/:userId",
                        leaves(
                                "admin.user.updated",
                                () -> managed("PATCH", "backend", "", Map.of("displayName", "Ada")))),
                entry(
                        "DELETE /v1/backend/users/:userId",
                        leaves("admin.user.deleted", () -> managed("DELETE", "backend", "", Map.of()))),
                entry(
                        "POST /v1/backend/users/:userId/ban",
                        leaves("admin.user.banned", () -> managed("POST", "backend", "/ban", Map.of()))),
                entry(
                        "POST /v1/backend/users/:userId/unban",
                        leaves("admin.user.unbanned", () -> unban("POST", "backend"))),
                entry("DELETE /v1/backend/users/:userId/sessions/:sessionId", leaves("admin.session.revoked", () -> {
                    var user = user();
                    project.manage("DELETE", "/v1/backend/users/" + user.text("user/id") + "/sessions/" + session(user))
                            .expect(200);
                })),
                entry(
                        "GET /v1/dashboard/audit-logs/export",
                        leaves(
                                "audit.exported",
                                () -> project.manage("GET", "/v1/dashboard/audit-logs/export")
                                        .expect(200))),
                entry(
                        "DELETE /v1/backend/users/:userId/factors",
                        leaves("admin.user.factors.reset", () -> resetFactors("backend"))),
                entry("POST /v1/backend/jwt-templates", leaves("project.jwt_template.created", this::template)),
                entry(
                        "POST /v1/dashboard/projects/:projectId/jwt-templates",
                        leaves(
                                "project.jwt_template.created",
                                () -> project.asOwner("POST", "/jwt-templates")
                                        .json(TEMPLATE)
                                        .expect(201))),
                entry(
                        "PUT /v1/dashboard/projects/:projectId/jwt-templates/:templateId",
                        leaves(
                                "project.jwt_template.updated",
                                () -> project.asOwner("PUT", "/jwt-templates/" + template())
                                        .json(TEMPLATE)
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/projects/:projectId/jwt-templates/:templateId",
                        leaves(
                                "project.jwt_template.deleted",
                                () -> project.asOwner("DELETE", "/jwt-templates/" + template())
                                        .expect(200))),
                entry(
                        "PUT /v1/backend/jwt-templates/:templateId",
                        leaves(
                                "project.jwt_template.updated",
                                () -> project.manage("PUT", "/v1/backend/jwt-templates/" + template())
                                        .json(TEMPLATE)
                                        .expect(200))),
                entry(
                        "DELETE /v1/backend/jwt-templates/:templateId",
                        leaves(
                                "project.jwt_template.deleted",
                                () -> project.manage("DELETE", "/v1/backend/jwt-templates/" + template())
                                        .expect(200))),
                entry("POST /v1/dashboard/webhooks", leaves("webhook.created", this::webhook)),
                entry(
                        "PATCH /v1/dashboard/webhooks/:webhookId",
                        leaves(
                                "webhook.updated",
                                () -> webhook()
                                        .call("PATCH", "")
                                        .json(Map.of("events", List.of("user.created")))
                                        .expect(200))),
                entry(
                        "DELETE /v1/dashboard/webhooks/:webhookId",
                        leaves(
                                "webhook.deleted",
                                () -> webhook().call("DELETE", "").expect(200))),
                entry(
                        "POST /v1/dashboard/webhooks/:webhookId/rotate-secret",
                        leaves(
                                "webhook.secret_rotated",
                                () -> webhook().call("POST", "/rotate-secret").expect(200))),
                entry(
                        "POST /v1/dashboard/webhooks/:webhookId/test",
                        leaves(
                                "webhook.tested",
                                () -> webhook().call("POST", "/test").expect(200))),
                entry(
                        "POST /v1/dashboard/webhooks/:webhookId/deliveries/retry",
                        leaves("webhook.deliveries.retried", () -> {
                            var webhook = webhook();
                            webhook.addDelivery("dead");
                            webhook.call("POST", "/deliveries/retry").expect(200);
                        })),
                entry(
                        "POST /v1/dashboard/webhooks/:webhookId/deliveries/:deliveryId/retry",
                        leaves("webhook.delivery.retried", () -> {
                            var webhook = webhook();
                            webhook.call("POST", "/deliveries/" + webhook.addDelivery("dead") + "/retry")
                                    .expect(200);
                        })));
    }

    private Response user() {
        return project.signUp(email);
    }

    private Call own(String method, String pathBelow, Response user) {
        return server.api().call(method, "/v1/auth/me" + pathBelow).bearer(user.accessToken());
    }

    private String session(Response user) {
        return project.manage("GET", "/v1/dashboard/users/" + user.text("user/id") + "/sessions")
                .expect(200)
                .text("sessions/0/id");
    }

    private String changeEmail(Response user, String password) {
        var address = TestServer.newEmail();
        own("POST", "/email", user)
                .json(Map.of("email", address, "currentPassword", password))
                .expect(200);
        return address;
    }

    private void verifyChange(Response user, String address) {
        own("POST", "/email/verify", user)
                .json(Map.of("code", world.mailbox().awaitCode(address)))
                .expect(200);
    }

    /** Dashboard users need no key. */
    private Call at(String under, String operation) {
        var path = "/v1/" + under + operation;
        return under.equals("auth") ? project.post(path) : server.api().post(path);
    }

    private void forget(String under) {
        at(under, "/password/forgot").json(Map.of("email", email)).expect(200);
    }

    private void reset(String under, String code) {
        at(under, "/password/reset")
                .json(Map.of("email", email, "code", code, "password", NEW_PASSWORD))
                .expect(200);
    }

    private void change(String under, Response user, String current) {
        server.api()
                .post("/v1/" + under + "/password/change")
                .bearer(user.accessToken())
                .json(Map.of("currentPassword", current, "newPassword", NEW_PASSWORD))
                .expect(200);
    }

    /** Sets one-time passwords up, and gives a backup code. */
    private String secondFactor(Response user) {
        server.proveEmail(user.text("user/email"));
        var setup = server.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(user.accessToken())
                .expect(200);
        withFactor("totp/verify-setup", user, new Authenticator(setup.text("secret"), Clock.systemUTC()).code());
        return setup.text("backupCodes/0");
    }

    private record Registered(PasskeyDevice device, String id) {}

    private String userKey(Response user) {
        return own("POST", "/api-keys", user)
                .json(Map.of("name", "Build server"))
                .expect(201)
                .text("id");
    }

    private Registered passkey(Response user) {
        var origin = "https://app.example.com";
        oauth.change(Map.of("passkeyRpId", "example.com", "passkeyOrigins", List.of(origin)));
        var device = new PasskeyDevice(origin);
        var options = project.api()
                .post("/v1/auth/passkeys/register/options")
                .bearer(user.accessToken())
                .expect(200);
        var made = project.api()
                .post("/v1/auth/passkeys/register/verify")
                .bearer(user.accessToken())
                .json(device.create(options.json()))
                .expect(200);
        return new Registered(device, made.text("id"));
    }

    private void removePasskey(String under) {
        var user = user();
        project.manage(
                        "DELETE",
                        "/v1/" + under + "/users/" + user.text("user/id") + "/passkeys/"
                                + passkey(user).id())
                .expect(200);
    }

    private Map<String, Object> signed(TestWallet wallet) {
        return wallet.signed(project.post("/v1/auth/web3/nonce")
                .json(Map.of("address", wallet.address(), "chain", wallet.chain()))
                .expect(200)
                .text("message"));
    }

    private String linkWallet(String path, Response user, TestWallet wallet) {
        oauth.change(Map.of("factors", Map.of("web3", true)));
        return project.api()
                .post("/v1/auth/web3/" + path)
                .bearer(user.accessToken())
                .json(signed(wallet))
                .expect(200)
                .text("id");
    }

    private void unlinkWallet(String under) {
        var user = user();
        var wallet = linkWallet("link", user, TestWallet.evm());
        project.manage("DELETE", "/v1/" + under + "/users/" + user.text("user/id") + "/web3-wallets/" + wallet)
                .expect(200);
    }

    private String oauthClient() {
        return OauthBrowser.register(project, "web", Map.of()).text("clientId");
    }

    private String addSecret(String client) {
        return project.asOwner("POST", "/oauth-clients/" + client + "/secrets")
                .expect(201)
                .text("id");
    }

    private Response registerItself() {
        project.asOwner("PATCH", "").json(Map.of("dynamicRegistration", true)).expect(200);
        return project.api()
                .post("/v1/projects/" + project.id() + "/oauth/register")
                .json(Map.of("redirect_uris", List.of("https://app.example.com/")))
                .expect(201);
    }

    private ApiClient.Call manageItself(String method, Response client) {
        return project.api()
                .call(method, "/v1/projects/" + project.id() + "/oauth/register/" + client.text("client_id"))
                .bearer(client.text("registration_access_token"));
    }

    private String oauthApi() {
        return project.asOwner("POST", "/oauth-apis")
                .json(OAUTH_API)
                .expect(201)
                .text("id");
    }

    /** A client that has access to the user. */
    private String connect() {
        project.signUp(email);
        var client = OauthBrowser.register(project, "spa", Map.of()).text("clientId");
        OauthBrowser.redeem(project, client, new OauthBrowser(project).code(client, email, Map.of()), 200);
        return client;
    }

    private void withdraw(String under) {
        var client = connect();
        var user = project.signIn(email).text("user/id");
        project.manage("DELETE", "/v1/" + under + "/users/" + user + "/grants?clientId=" + client)
                .expect(200);
    }

    private void revoke() {
        project.signUp(email);
        var client = OauthBrowser.register(project, "spa", Map.of()).text("clientId");
        var code = new OauthBrowser(project).code(client, email, Map.of());
        var token = OauthBrowser.redeem(project, client, code, 200).text("refresh_token");
        OauthBrowser.post(project, "/oauth/revoke", Map.of("client_id", client, "token", token), 200);
    }

    private void withFactor(String operation) {
        var user = user();
        withFactor(operation, user, secondFactor(user));
    }

    private void withFactor(String operation, Response user, String code) {
        server.api()
                .post("/v1/auth/mfa/" + operation)
                .bearer(user.accessToken())
                .json(Map.of("code", code))
                .expect(200);
    }

    private void resetFactors(String under) {
        var user = user();
        secondFactor(user);
        project.manage("DELETE", "/v1/" + under + "/users/" + user.text("user/id") + "/factors")
                .expect(200);
    }

    private Map<String, ?> claims() {
        return Map.of("email", TestServer.newEmail(), "email_verified", true);
    }

    private static String form(Map<String, String> parameters) {
        var form = new StringBuilder();
        parameters.forEach((name, value) -> form.append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8))
                .append('&'));
        return form.substring(0, form.length() - 1);
    }

    private Response link() {
        var user = user();
        var url = oauth.askUrl().bearer(user.accessToken()).expect(200);
        own("POST", "/providers/oidc", user)
                .json(oauth.login(url, subject, claims()))
                .expect(200);
        return user;
    }

    private Call dashboard(String operation, Map<String, ?> fields) {
        return server.api().post("/v1/dashboard/auth/" + operation).json(fields);
    }

    private Response register() {
        return dashboard("register", Map.of("email", email, "password", DASHBOARD_PASSWORD))
                .expect(201);
    }

    private String key() {
        return project.asOwner("POST", "/keys")
                .json(Map.of("kind", "secret"))
                .expect(201)
                .text("id");
    }

    private String invite() {
        return project.asOwner("POST", "/members")
                .json(Map.of("email", email, "role", "viewer"))
                .expect(201)
                .text("id");
    }

    /** The token of the mail; empty before it has come. */
    private String mailed(Pattern token) {
        return world.mailbox().to(email).stream()
                .map(TestMailbox::text)
                .map(token::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElse("");
    }

    private void create(String door) {
        project.manage("POST", "/v1/" + door + "/users")
                .json(Map.of("email", email))
                .expect(201);
    }

    private void managed(String method, String door, String pathBelow, Map<String, ?> fields) {
        var user = user().text("user/id");
        project.manage(method, "/v1/" + door + "/users/" + user + pathBelow)
                .json(fields)
                .expect(200);
    }

    private void unban(String method, String door) {
        var user = "/v1/" + door + "/users/" + user().text("user/id");
        project.manage(method, user + "/ban").json(Map.of()).expect(200);
        project.manage(method, user + "/unban").json(Map.of()).expect(200);
    }

    private String template() {
        return project.manage("POST", "/v1/backend/jwt-templates")
                .json(TEMPLATE)
                .expect(201)
                .text("id");
    }

    private void messageText() {
        project.asOwner("PUT", "/message-texts/sms/en")
                .json(Map.of("text", "{{ code }} is your code"))
                .expect(200);
    }

    private TestWebhook webhook() {
        return TestWebhook.create(server, project, "http://203.0.113.1/hook");
    }
}
