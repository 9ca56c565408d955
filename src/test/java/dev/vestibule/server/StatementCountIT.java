package dev.vestibule.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.Environment;
import dev.vestibule.project.ProjectId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What each operation costs the database. Counted on the wire and not by the client's or the server's statistics: those
 * are a setting away from missing something, and PostgreSQL's log would have to be read from a server that may be
 * remote.
 */
@ExtendWith(WithServer.class)
class StatementCountIT {
    private static final Map<String, String> QUIET = Map.of(
            "VESTIBULE_HTTP_EVENT_LOOPS", "1",
            "VESTIBULE_AUDIT_NOTE_MILLIS", "60000",
            "VESTIBULE_MAIL_POLL_SECONDS", "3600",
            "VESTIBULE_WEBHOOKS_POLL_SECONDS", "3600",
            "VESTIBULE_SESSIONS_SWEEP_SECONDS", "86400",
            "VESTIBULE_PROJECTS_KEY_USE_SECONDS", "86400",
            "VESTIBULE_PROJECTS_DELETION_SECONDS", "86400",
            "VESTIBULE_STATISTICS_FLUSH_SECONDS", "3600");

    private static final Pattern FILLS_A_CACHE =
            Pattern.compile("FROM (projects|api_keys|signing_keys)\\b|AS has_requiring");

    /** Statements that look for mails, deliveries and ended clients, which run at any time next to a request. */
    private static final Pattern OF_WORKERS = Pattern.compile("^UPDATE messages\\s+SET attempts"
            + "|^UPDATE codes\\s+SET user_id = coalesce|AS waiting|^WITH RECURSIVE walk|^SELECT remove_ended");

    private static final Pattern OF_SMS_WORKER =
            Pattern.compile(OF_WORKERS + "|^UPDATE messages\\s+SET|^DELETE FROM messages|AS has_use");

    private static final String UPDATES = "SELECT %s FROM pg_stat_user_tables WHERE relname = 'sessions'";
    private static final int MAX_ATTEMPTS = 20;

    private final String databaseUrl;
    private final DatabaseProxy proxy;
    private final TestClock clock = new TestClock();
    private final TestServer server;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private String accessToken = "";
    private String refreshToken = "";

    StatementCountIT(TestDatabase database) {
        databaseUrl = database.createDatabase();
        proxy = DatabaseProxy.before(databaseUrl);
        server = TestServer.startOn(proxy.url(), QUIET, clock);
        project = server.newProject();
    }

    @BeforeEach
    void reachSteadyState() {
        project.signUp(email);
        var signedIn = project.signIn(email);
        accessToken = signedIn.accessToken();
        refreshToken = project.refresh(signedIn.refreshToken()).expect(200).refreshToken();
        project.me(accessToken).expect(200);
    }

    @AfterEach
    void stop() {
        server.close();
        proxy.close();
    }

    /**
     * The cost of the work while the caches can be used. On a busy machine, a late heartbeat disables them for a
     * moment; then the work is repeated.
     */
    private static List<String> cost(DatabaseProxy proxy, Runnable work) {
        return cost(proxy, () -> "", nothing -> work.run());
    }

    private static List<String> cost(DatabaseProxy proxy, Supplier<String> preparation, Consumer<String> work) {
        List<String> statements = List.of();
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            var prepared = preparation.get();
            statements = proxy.during(() -> work.accept(prepared)).stream()
                    .filter(statement -> !OF_WORKERS.matcher(statement).find())
                    .toList();
            if (statements.stream().noneMatch(FILLS_A_CACHE.asPredicate())) {
                break;
            }
        }
        return statements;
    }

    private void refresh(TestProject there) {
        refreshToken = there.refresh(refreshToken).expect(200).refreshToken();
    }

    @Test
    void verifyCostsAtMostOneStatement() {
        assertThat(cost(proxy, () -> project.verify(accessToken).expect(200))).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void credentialsThatDoNotExistCostNothingTheSecondTime() {
        var key = ApiKey.generate(ApiKey.Kind.SECRET, Environment.LIVE, ProjectId.next())
                .text();
        server.api().get("/v1/dashboard/users").key(key).expect(401);
        assertThat(cost(
                        proxy,
                        () -> server.api().get("/v1/dashboard/users").key(key).expect(401)))
                .isEmpty();
    }

    @Test
    void meCostsAtMostOneStatement() {
        assertThat(cost(proxy, () -> project.me(accessToken).expect(200))).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void refreshWithReplacementCostsOneStatement() {
        assertThat(cost(proxy, () -> refresh(project)))
                .singleElement()
                .asString()
                .contains("UPDATE sessions");
    }

    /**
     * PostgreSQL separately counts updates that found no room in their page, which a transaction of any other database
     * can cause, because it keeps old row versions there. An update of an indexed column stays in its page, but is not
     * a HOT update.
     */
    @Test
    void aRefreshWritesToNoIndex() {
        var sql = new Sql(databaseUrl);
        for (int i = 0; i < 50; i++) {
            refresh(project);
        }

        Eventually.until("PostgreSQL has counted them", () -> sql.count(UPDATES.formatted("n_tup_upd")) > 50);
        assertThat(sql.count(UPDATES.formatted("n_tup_upd - n_tup_hot_upd - n_tup_newpage_upd")))
                .isZero();
        assertThat(sql.count(UPDATES.formatted("n_tup_hot_upd"))).isGreaterThan(25);
    }

    @Test
    void refreshWithoutReplacementCostsOneStatement() {
        var inVariantB = project.signInInVariantB(email).refreshToken();

        assertThat(cost(proxy, () -> project.refreshAccessToken(inVariantB).expect(200)))
                .singleElement()
                .asString()
                .contains("UPDATE sessions");
    }

    @Test
    void signInCostsTwoStatementsAndTheirEvents() {
        assertThat(cost(proxy, () -> project.signIn(email)))
                .satisfiesExactly(
                        find -> assertThat(find).startsWith("SELECT"),
                        begin -> assertThat(begin).isEqualTo("BEGIN"),
                        open -> assertThat(open).contains("INSERT INTO sessions"),
                        tell -> assertThat(tell).contains("INSERT INTO webhook_events"),
                        commit -> assertThat(commit).isEqualTo("COMMIT"));
    }

    /** What pages show comes from caches. */
    @Test
    void anAuthorizationOfAPersonWhoIsSignedInAndHasAgreedCostsThreeStatementsAndATransactionOfTwo() {
        var client = OauthBrowser.register(project, "spa", Map.of("firstParty", false))
                .text("clientId");
        var browser = new OauthBrowser(project);
        browser.authorize(client, Map.of());
        browser.signIn(email);
        OauthBrowser.onward(browser.submit("consent", Map.of("decision", "allow")));
        assertThat(cost(
                        proxy,
                        () -> assertThat(OauthBrowser.onward(browser.authorize(client, Map.of()))
                                        .toString())
                                .contains("code=")))
                .satisfiesExactlyInAnyOrder(
                        begin -> assertThat(begin).startsWith("INSERT INTO oauth_requests"),
                        who -> assertThat(who).contains("FROM browser_sessions", "JOIN sessions", "JOIN users"),
                        request ->
                                assertThat(request).startsWith("SELECT").contains("oauth_requests", "oauth_consents"),
                        open -> assertThat(open).isEqualTo("BEGIN"),
                        grant -> assertThat(grant).contains("DELETE FROM oauth_requests", "INSERT INTO oauth_grants"),
                        tell -> assertThat(tell).contains("INSERT INTO webhook_events"),
                        commit -> assertThat(commit).isEqualTo("COMMIT"));
    }

    @Test
    void aSecondFactorCostsOnlyThoseWhoHaveOne() {
        server.proveEmail(email);
        var setup =
                server.api().post("/v1/auth/mfa/totp/setup").bearer(accessToken).expect(200);
        var app = new Authenticator(setup.text("secret"), clock);
        server.api()
                .post("/v1/auth/mfa/totp/verify-setup")
                .bearer(accessToken)
                .json(Map.of("code", app.code()))
                .expect(200);
        clock.advance(Duration.ofSeconds(30));

        assertThat(cost(proxy, () -> project.signIn(email)))
                .filteredOn(statement -> statement.contains("users") || statement.contains("mfa_challenges"))
                .satisfiesExactly(
                        find -> assertThat(find).startsWith("SELECT"),
                        findLock -> assertThat(findLock).startsWith("SELECT"),
                        issue -> assertThat(issue).contains("INSERT INTO mfa_challenges"));
        var token = project.signIn(email).text("mfaToken");
        assertThat(proxy.during(() -> project.post("/v1/auth/mfa/verify")
                        .json(Map.of("mfaToken", token, "code", app.code()))
                        .expect(200)))
                .filteredOn(statement -> !FILLS_A_CACHE.matcher(statement).find()
                        && !OF_WORKERS.matcher(statement).find())
                .hasSizeLessThanOrEqualTo(14);
    }

    /** The audit log looks up whose email was tried, after the response, and for unknown emails too. */
    private static boolean isForAuditLog(String statement) {
        return statement.startsWith("SELECT id FROM users WHERE project_id = $1 AND email = $2");
    }

    private static Call askForCode(TestProject project, String address) {
        return project.post("/v1/auth/passwordless/email-otp").json(Map.of("email", address));
    }

    private void awaitMails() {
        Eventually.until("no mail waits", () -> new Sql(databaseUrl).count("SELECT count(*) FROM messages") == 0);
    }

    @Test
    void askingForACodeToSignInCostsTheSameAndSoDoesAWrongOneWhetherOrNotTheEmailIsKnown() {
        project.asOwner("PATCH", "").json(Map.of("passwordlessSignUp", false)).expect(200);
        new Sql(databaseUrl).update("DELETE FROM sign_in_networks"); // a stranger asks
        var unknown = TestServer.newEmail();
        for (var address : List.of(email, unknown)) {
            askForCode(project, address).expect(200);
            awaitMails();
            assertThat(cost(proxy, askForCode(project, address)::send))
                    .satisfiesExactly(
                            network -> assertThat(network).contains("sign_in_networks"),
                            budget -> assertThat(budget).contains("INTO budgets"),
                            ask -> assertThat(ask).contains("INTO codes", "INTO messages"));
        }
        assertThat(new Sql(databaseUrl).count("SELECT count(*) FROM codes WHERE code_hash IS NOT NULL"))
                .isEqualTo(1);
        var known = costOfWrongCode(email);
        assertThat(known).hasSize(6);
        assertThat(costOfWrongCode(unknown)).containsExactlyElementsOf(known);
    }

    private List<String> costOfWrongCode(String address) {
        return cost(proxy, verifyCode(project, address, "000000")::send).stream()
                .filter(statement -> !isForAuditLog(statement))
                .toList();
    }

    private static Call verifyCode(TestProject project, String address, String code) {
        return project.post("/v1/auth/passwordless/verify").json(Map.of("email", address, "code", code));
    }

    @Test
    void aLinkSignsInWithElevenStatements() {
        new Sql(databaseUrl).update("UPDATE users SET email_verified = true");
        askForCode(project, email).expect(200);
        awaitMails();
        var statements = cost(
                proxy,
                () -> {
                    new Sql(databaseUrl)
                            .update(
                                    "UPDATE codes SET purpose = 'magic_link', email = ?, code_hash = sha256('ml_a'),"
                                            + " expires_at = 'infinity' WHERE purpose = 'email_otp'",
                                    email);
                    return "ml_a";
                },
                token -> project.post("/v1/auth/passwordless/verify")
                        .json(Map.of("token", token))
                        .expect(200));
        assertThat(statements).hasSizeLessThanOrEqualTo(11);
    }

    @Test
    void askingForACodeBySmsCostsTheSameForEveryNumberAndSigningInAsMuchAsByMail() {
        try (var carrier = TestReceiver.start();
                var sms = new WithSms(
                        carrier, TestServer.startOn(proxy.url(), WithSms.settings(carrier, QUIET), clock), clock)) {
            var there = WithSms.on(project.at(sms.server()));
            var phone = WithSms.newNumber();
            sms.signIn(there, phone);
            var costs = new ArrayList<List<String>>();
            for (var asked : List.of(phone, WithSms.newNumber())) {
                sms.passAMinute();
                awaitSms();
                costs.add(proxy.during(() -> WithSms.ask(there, asked).expect(200)).stream()
                        .filter(statement -> !OF_SMS_WORKER.matcher(statement).find()
                                && !FILLS_A_CACHE.matcher(statement).find())
                        .toList());
            }
            assertThat(costs.get(0))
                    .as("asking for a code")
                    .hasSize(4)
                    .containsExactlyInAnyOrderElementsOf(costs.get(1));
            sms.passAMinute();
            var code = sms.code(there, phone);
            awaitSms();
            assertThat(proxy.during(() -> WithSms.verify(there, phone, code).expect(200)))
                    .as("signing in")
                    .filteredOn(statement -> !FILLS_A_CACHE.matcher(statement).find()
                            && !OF_WORKERS.matcher(statement).find())
                    .hasSizeLessThanOrEqualTo(14);
        }
    }

    private void awaitSms() {
        Eventually.until("no SMS waits", () -> new Sql(databaseUrl).count("SELECT count(*) FROM messages") == 0);
    }

    @Test
    void aSignInByPasskeyCostsAChallengeAPasskeyAndASession() {
        var origin = "https://app.example.com";
        project.asOwner("PATCH", "")
                .json(Map.of("passkeyRpId", "example.com", "passkeyOrigins", List.of(origin)))
                .expect(200);
        var device = new PasskeyDevice(origin);
        var creation = server.api()
                .post("/v1/auth/passkeys/register/options")
                .bearer(accessToken)
                .expect(200)
                .json();
        server.api()
                .post("/v1/auth/passkeys/register/verify")
                .bearer(accessToken)
                .json(device.create(creation))
                .expect(200);

        Supplier<JsonNode> ask = () -> project.post("/v1/auth/passkeys/authenticate/options")
                .expect(200)
                .json();
        var options = ask.get();
        assertThat(cost(proxy, () -> assertThat(ask.get()).isNotNull()))
                .singleElement()
                .asString()
                .contains("INSERT INTO passkey_challenges");
        for (var asked : List.of(email, TestServer.newEmail())) {
            assertThat(cost(
                            proxy,
                            () -> project.post("/v1/auth/passkeys/authenticate/options")
                                    .json(Map.of("email", asked))
                                    .expect(200)))
                    .satisfiesExactlyInAnyOrder(
                            list -> assertThat(list).contains("FROM users JOIN passkeys"),
                            challenge -> assertThat(challenge).contains("INSERT INTO passkey_challenges"));
        }
        assertThat(cost(
                        proxy,
                        () -> ask.get().path("challenge").asText(),
                        challenge -> server.api()
                                .post("/v1/auth/reauthenticate")
                                .bearer(accessToken)
                                .json(Map.of("passkey", device.get(PasskeyDevice.withChallenge(options, challenge))))
                                .expect(200)))
                .as("proved once more by a passkey")
                .hasSizeLessThanOrEqualTo(9);
        // The first two go by another connection each, so the proxy may see them in any order.
        assertThat(cost(
                        proxy,
                        () -> ask.get().path("challenge").asText(),
                        challenge -> project.post("/v1/auth/passkeys/authenticate/verify")
                                .json(device.get(PasskeyDevice.withChallenge(options, challenge)))
                                .expect(200)))
                .hasSizeLessThanOrEqualTo(8)
                .filteredOn(statement -> statement.contains("passkey") || statement.contains("INSERT INTO sessions"))
                .satisfiesExactlyInAnyOrder(
                        take -> assertThat(take).contains("DELETE FROM passkey_challenges"),
                        find -> assertThat(find).contains("FROM passkeys"),
                        use -> assertThat(use).contains("UPDATE passkeys"),
                        open -> assertThat(open).contains("INSERT INTO sessions"));
    }

    @Test
    void aRefusedSignInCostsTwoStatementsWhetherOrNotTheEmailIsKnown() {
        assertThat(cost(
                        proxy,
                        () -> project.trySignIn(email, "not the password").expect(401)))
                .hasSize(2);
        assertThat(cost(
                        proxy,
                        () -> project.trySignIn(TestServer.newEmail(), "not the password")
                                .expect(401)))
                .hasSize(2);
    }

    @Test
    void signOutCostsTwoStatementsTheirEventsAndItsEntry() {
        assertThat(cost(
                        proxy,
                        () -> project.signIn(email).accessToken(),
                        token -> project.signOut(token).expect(200)))
                .hasSize(6);
    }

    @Test
    void readingALoginPageCostsNoStatement() {
        project.asOwner("PUT", "/providers/oidc-acme")
                .json(Map.of(
                        "clientId", "id",
                        "clientSecret", "secret",
                        "issuer", "https://id.example.com",
                        "icon", "data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnLz4="))
                .expect(200);
        project.get("/v1/auth/branding").expect(200);
        project.get("/v1/auth/providers").expect(200);

        assertThat(cost(proxy, () -> {
                    project.get("/v1/auth/branding").expect(200);
                    project.get("/v1/auth/providers").expect(200);
                }))
                .isEmpty();
    }

    @Test
    void aUserWithProvidersAndSessionsCostsTwoStatementsAndAThirdForItsLock() {
        var user = "/v1/dashboard/users/" + project.me(accessToken).expect(200).text("id");

        assertThat(cost(proxy, () -> project.manage("GET", user).expect(200))).hasSize(3);
        assertThat(cost(proxy, () -> project.manage("GET", user + "/sessions").expect(200)))
                .hasSize(2);
    }

    @Test
    void revokingASessionCostsOneStatementItsEventsAndItsEntry() {
        assertThat(cost(
                        proxy,
                        () -> project.refresh(project.signIn(email).refreshToken())
                                .expect(200)
                                .text("sessionId"),
                        session -> project.manage("DELETE", "/v1/dashboard/sessions/" + session)
                                .expect(200)))
                .hasSize(5);
    }

    @Test
    void forgedAndUnknownCredentialsCostNoStatement() {
        assertThat(cost(proxy, () -> {
                    project.refresh("rt_" + "A".repeat(91)).expect(401);
                    project.refreshAccessToken("rt_" + "A".repeat(91)).expect(401);
                    project.me(accessToken.substring(0, accessToken.length() - 8) + "AAAAAAAA")
                            .expect(401);
                    server.api()
                            .get("/v1/auth/branding")
                            .key("pk_live_nonsense")
                            .expect(401);
                    for (var mfaToken : List.of("mfa_x", "x".repeat(60_000))) {
                        project.post("/v1/auth/mfa/verify")
                                .json(Map.of("mfaToken", mfaToken, "code", "123456"))
                                .expect(401);
                    }
                }))
                .isEmpty();
    }

    @Test
    void aColdNodePaysMoreOnlyOnce() {
        try (var counted = DatabaseProxy.before(databaseUrl);
                var cold = TestServer.startOn(counted.url(), QUIET, new TestClock())) {
            var there = project.at(cold);

            assertThat(counted.during(() -> there.me(accessToken).expect(200)))
                    .filteredOn(sql -> !OF_WORKERS.matcher(sql).find())
                    .as("its keys, its settings, its API keys, the session")
                    .hasSize(4);
            assertThat(cost(counted, () -> there.me(accessToken).expect(200))).hasSizeLessThanOrEqualTo(1);
            assertThat(cost(counted, () -> there.verify(accessToken).expect(200)))
                    .hasSizeLessThanOrEqualTo(1);
            assertThat(cost(counted, () -> refresh(there))).hasSize(1);
            assertThat(cost(counted, () -> there.signIn(email))).hasSize(5);
        }
    }
}
