package dev.vestibule.authentication.passkey;

import static dev.vestibule.fixture.PasskeyDevice.ATTESTED;
import static dev.vestibule.fixture.PasskeyDevice.BACKED_UP;
import static dev.vestibule.fixture.PasskeyDevice.BACKUP_ELIGIBLE;
import static dev.vestibule.fixture.PasskeyDevice.PRESENT;
import static dev.vestibule.fixture.PasskeyDevice.VERIFIED;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.PasskeyDevice.Kind;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Passkeys from their registration to their removal, and what comes from authenticators that no browser would send. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PasskeyIT {
    private static final String ORIGIN = "https://app.example.com";
    private static final String PASSKEYS = "/v1/auth/passkeys";

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private TestProject project;
    private String email;
    private Response signedUp;

    PasskeyIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_SESSIONS_SWEEP_SECONDS", "1"), clock);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newUser() {
        clock.advance(Duration.ofMinutes(1));
        project = newProject();
        email = TestServer.newEmail();
        signedUp = project.signUp(email);
    }

    private TestProject newProject() {
        var made = server.newProject();
        set(made, Map.of("allowedOrigins", List.of(ORIGIN)));
        return made;
    }

    private static void set(TestProject where, Map<String, ?> settings) {
        where.asOwner("PATCH", "").json(settings).expect(200);
    }

    private Call with(Response tokens, String method, String path) {
        return server.api().call(method, PASSKEYS + path).bearer(tokens.accessToken());
    }

    private JsonNode creation(Response tokens) {
        return with(tokens, "POST", "/register/options").expect(200).json().path("options");
    }

    private Call register(Response tokens, PasskeyDevice device) {
        return with(tokens, "POST", "/register/verify").json(device.create(creation(tokens)));
    }

    private PasskeyDevice registered(Response tokens) {
        var device = new PasskeyDevice(ORIGIN);
        register(tokens, device).expect(200);
        return device;
    }

    private PasskeyDevice registered() {
        return registered(signedUp);
    }

    private static JsonNode request(TestProject where) {
        return where.post(PASSKEYS + "/authenticate/options").expect(200).json().path("options");
    }

    private static Call signIn(TestProject where, PasskeyDevice device) {
        return where.post(PASSKEYS + "/authenticate/verify").json(device.get(request(where)));
    }

    private Call signIn(PasskeyDevice device) {
        return signIn(project, device);
    }

    private String user() {
        return signedUp.text("user/id");
    }

    private long passkeys() {
        return server.sql().count("SELECT count(*) FROM passkeys WHERE project_id = ?::uuid", project.id());
    }

    private long challenges() {
        return server.sql().count("SELECT count(*) FROM passkey_challenges WHERE project_id = ?::uuid", project.id());
    }

    private List<String> audited(String event) {
        return server.sql()
                .texts(
                        "SELECT concat_ws(' ', actor_type, target_id, metadata ->> 'reason') FROM audit_log"
                                + " WHERE project_id = ?::uuid AND event = ? ORDER BY created_at, id",
                        project.id(),
                        event);
    }

    private static String amr(Response tokens) {
        return Jwt.parse(tokens.accessToken()).claims().path("amr").toString();
    }

    private Authenticator setUpTotp(Response tokens) {
        server.proveEmail(email);
        var setup = server.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(tokens.accessToken())
                .expect(200);
        var app = new Authenticator(setup.text("secret"), clock);
        server.api()
                .post("/v1/auth/mfa/totp/verify-setup")
                .bearer(tokens.accessToken())
                .json(Map.of("code", app.code()))
                .expect(200);
        return app;
    }

    @ParameterizedTest
    @EnumSource
    void aUserRegistersAPasskeyAndSignsInWithIt(Kind kind) {
        var device = new PasskeyDevice(ORIGIN, kind);
        var begun = with(signedUp, "POST", "/register/options")
                .json(Map.of("name", "Work laptop"))
                .expect(200)
                .json();
        assertThat(begun.path("challenge")).isEqualTo(begun.at("/options/challenge"));
        assertThat(begun.at("/options/rp/id").asText()).isEqualTo("app.example.com");
        assertThat(begun.at("/user/name").asText()).isEqualTo(email);
        assertThat(PasskeyDevice.decode(begun.path("challenge").asText())).hasSize(32);

        var made = with(signedUp, "POST", "/register/verify")
                .json(device.create(begun.path("options")))
                .expect(200);
        assertThat(made.text("name")).isEqualTo("Work laptop");
        assertThat(made.json().path("lastUsedAt").isNull()).isTrue();

        var tokens = signIn(device).expect(200);
        assertThat(tokens.text("user/id")).isEqualTo(user());
        assertThat(amr(tokens)).isEqualTo("[\"hwk\",\"user\",\"mfa\"]");
        project.me(tokens.accessToken()).expect(200);
        assertThat(amr(project.refresh(tokens.refreshToken()).expect(200))).isEqualTo("[\"hwk\",\"user\",\"mfa\"]");
        var listed = with(signedUp, "GET", "").expect(200).json();
        assertThat(listed).hasSize(1);
        assertThat(listed.at("/0/id").asText()).isEqualTo(made.text("id"));
        assertThat(listed.at("/0/lastUsedAt").isNull()).isFalse();
        assertThat(audited("auth.passkey.register")).containsExactly("user " + user());
    }

    @Test
    void aPasskeyOnSeveralDevicesIsASoftwareKey() {
        var device = new PasskeyDevice(ORIGIN).flags(PRESENT | BACKUP_ELIGIBLE);
        register(signedUp, device).expect(200);
        assertThat(amr(signIn(device).expect(200))).isEqualTo("[\"swk\"]");
        assertThat(amr(signIn(device.flags(PRESENT | VERIFIED | BACKUP_ELIGIBLE | BACKED_UP))
                        .expect(200)))
                .isEqualTo("[\"swk\",\"user\",\"mfa\"]");
        assertThat(server.sql().texts("SELECT backed_up FROM passkeys WHERE project_id = ?::uuid", project.id()))
                .containsExactly("t");
    }

    @Test
    void aPasskeyWorksFromAllOriginsOfTheDomain() {
        var app = "android:apk-key-hash:" + PasskeyDevice.encode(PasskeyDevice.random(32));
        set(
                project,
                Map.of(
                        "passkeyRpId",
                        "example.com",
                        "passkeyOrigins",
                        List.of("https://example.com", app, "https://example.org")));
        var device = registered();
        for (var origin : List.of(ORIGIN, "https://example.com", app)) {
            signIn(device.at(origin)).expect(200);
        }
        for (var origin : List.of("https://example.org", "https://evil.example.com", "http://example.com")) {
            assertThat(signIn(device.at(origin)).expect(401).text("message")).contains("passkeyOrigins");
        }
    }

    @Test
    void aSignInNeedsNoKeyIfTheBodyNamesTheProject() {
        var device = registered();
        var options = server.api()
                .post(PASSKEYS + "/authenticate/options")
                .json(Map.of("projectId", project.id()))
                .expect(200)
                .json();
        var body = new HashMap<String, Object>(device.get(options));
        body.put("projectId", project.id());
        var tokens =
                server.api().post(PASSKEYS + "/authenticate/verify").json(body).expect(200);
        project.refreshAccessToken(tokens.refreshToken()).expect(200);
    }

    private JsonNode requestFor(String asked) {
        return project.post(PASSKEYS + "/authenticate/options")
                .json(Map.of("email", asked))
                .expect(200)
                .json()
                .path("options");
    }

    private static List<String> allowed(JsonNode options) {
        return options.path("allowCredentials").findValuesAsText("id");
    }

    @Test
    void aSecurityKeyWithoutStorageWorksWithTheEmail() {
        var selection = creation(signedUp).path("authenticatorSelection");
        assertThat(selection.path("residentKey").asText()).isEqualTo("preferred");
        assertThat(selection.path("requireResidentKey").asBoolean()).isFalse();
        var first = registered();
        clock.advance(Duration.ofSeconds(1));
        var second = registered();

        var options = requestFor(" " + email.toUpperCase(Locale.ROOT));
        assertThat(allowed(options))
                .containsExactly(PasskeyDevice.encode(first.id()), PasskeyDevice.encode(second.id()));
        var tokens = project.post(PASSKEYS + "/authenticate/verify")
                .json(second.userHandle(null).get(options))
                .expect(200);
        assertThat(tokens.text("user/id")).isEqualTo(user());
    }

    @Test
    void anEmailWithoutAPasskeyGetsAListThatLooksTheSame() {
        registered();
        var withoutPasskey = TestServer.newEmail();
        project.signUp(withoutPasskey);
        var real = requestFor(email);
        for (var asked : List.of(withoutPasskey, TestServer.newEmail())) {
            var options = requestFor(asked);
            assertThat(options.fieldNames()).toIterable().containsExactlyElementsOf(real::fieldNames);
            assertThat(options.at("/allowCredentials/0").fieldNames())
                    .toIterable()
                    .containsExactlyElementsOf(real.at("/allowCredentials/0")::fieldNames);
            assertThat(allowed(options)).isNotEmpty().hasSizeLessThanOrEqualTo(3);
            assertThat(allowed(options)).isEqualTo(allowed(requestFor(asked.toUpperCase(Locale.ROOT))));
        }
        assertThat(request(project).path("allowCredentials")).isEmpty();
    }

    @Test
    void anEmailWithFormerPasskeysOrOnesOfAnotherDomainGetsItsDecoys() {
        var before = allowed(requestFor(email));
        var made = register(signedUp, new PasskeyDevice(ORIGIN)).expect(200).text("id");
        assertThat(allowed(requestFor(email))).isNotEqualTo(before);
        set(project, Map.of("passkeyRpId", "example.com"));
        assertThat(allowed(requestFor(email))).isEqualTo(before);
        with(signedUp, "DELETE", "/" + made).expect(200);
        assertThat(allowed(requestFor(email))).isEqualTo(before);
    }

    @Test
    void anotherUsersPasskeyCannotSignInForAnEmail() {
        var other = TestServer.newEmail();
        var device = registered();
        var others = registered(project.signUp(other));
        for (var asked : List.of(other, TestServer.newEmail())) {
            var body = device.get(requestFor(asked));
            project.post(PASSKEYS + "/authenticate/verify").json(body).expect(401);
            project.post(PASSKEYS + "/authenticate/verify").json(body).expect(401);
        }
        project.post(PASSKEYS + "/authenticate/verify")
                .json(others.get(requestFor(other)))
                .expect(200);
        // A client cannot get around this by changing the list.
        project.post(PASSKEYS + "/authenticate/verify")
                .json(device.userHandle(null).get(requestFor(other)))
                .expect(401);
        signIn(device).expect(200);
    }

    @Test
    void aChallengeForAnEmailIsInvalidAfterTheAccountsEmailChanges() {
        var device = registered();
        var body = device.get(requestFor(email));
        server.sql()
                .update(
                        "UPDATE users SET email = ? WHERE project_id = ?::uuid AND email = ?",
                        TestServer.newEmail(),
                        project.id(),
                        email);
        project.post(PASSKEYS + "/authenticate/verify").json(body).expect(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no email", "a\u0000b@example.com", "+14155550123"})
    void anEmailOfAnyOtherFormIsRefused(String asked) {
        project.post(PASSKEYS + "/authenticate/options")
                .json(Map.of("email", asked))
                .expect(422);
    }

    @Test
    void theUserHandleIsRandomAndStable() {
        var first = creation(signedUp);
        assertThat(PasskeyDevice.decode(first.at("/user/id").asText())).hasSize(32);
        var device = new PasskeyDevice(ORIGIN);
        with(signedUp, "POST", "/register/verify").json(device.create(first)).expect(200);
        var second = creation(signedUp);
        assertThat(second.at("/user/id")).isEqualTo(first.at("/user/id"));
        assertThat(second.at("/excludeCredentials/0/id").asText()).isEqualTo(PasskeyDevice.encode(device.id()));
        assertThat(creation(project.signUp()).at("/user/id")).isNotEqualTo(first.at("/user/id"));
    }

    @Test
    void fiftyConcurrentRegistrationsShareOneHandle() {
        var handles = Parallel.send(20, number -> with(signedUp, "POST", "/register/options")).stream()
                .map(answer -> answer.json().at("/user/id").asText())
                .distinct();
        assertThat(handles).hasSize(1);
    }

    @Test
    void aChallengeWorksOnce() {
        var device = registered();
        var body = device.get(request(project));
        project.post(PASSKEYS + "/authenticate/verify").json(body).expect(200);
        project.post(PASSKEYS + "/authenticate/verify").json(body).expect(401);

        var created = new PasskeyDevice(ORIGIN).create(creation(signedUp));
        with(signedUp, "POST", "/register/verify").json(created).expect(200);
        with(signedUp, "POST", "/register/verify").json(created).expect(400);
        assertThat(challenges()).isZero();
    }

    @Test
    void aRefusedTryUsesUpTheChallenge() {
        var device = registered();
        var options = request(project);
        project.post(PASSKEYS + "/authenticate/verify")
                .json(device.signature(PasskeyIT::flip).get(options))
                .expect(401);
        project.post(PASSKEYS + "/authenticate/verify")
                .json(device.signature(bytes -> bytes).get(options))
                .expect(401);
        Eventually.until(
                "it is noted",
                () -> audited("auth.signin.failed").equals(List.of("user " + user() + " passkey_wrong")));
    }

    @Test
    void ofTwentyConcurrentUsesOfOneChallengeOneOpensASession() {
        var body = registered().get(request(project));
        var answers = Parallel.send(
                20, number -> project.post(PASSKEYS + "/authenticate/verify").json(body));
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() == 401)).hasSize(19);
    }

    @Test
    void ofTwentyConcurrentUsesOfOneCountOneOpensASession() {
        var device = registered().count(7);
        var bodies = IntStream.range(0, 20)
                .mapToObj(number -> device.get(request(project)))
                .toList();
        var answers = Parallel.send(
                20, number -> project.post(PASSKEYS + "/authenticate/verify").json(bodies.get(number)));
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
    }

    @Test
    void aChallengeExpiresAndIsRemoved() {
        var device = registered();
        var signIn = device.get(request(project));
        var creation = new PasskeyDevice(ORIGIN).create(creation(signedUp));
        clock.advance(Duration.ofMinutes(5));
        project.post(PASSKEYS + "/authenticate/verify").json(signIn).expect(401);
        with(signedUp, "POST", "/register/verify").json(creation).expect(400);
        Eventually.until("they are removed", () -> challenges() == 0);
    }

    @Test
    void aChallengeIsValidForOneCeremony() {
        var device = registered();
        var forSignIn = request(project);
        var forRegistration = creation(signedUp);
        project.post(PASSKEYS + "/authenticate/verify")
                .json(device.get(PasskeyDevice.withChallenge(
                        forSignIn, forRegistration.path("challenge").asText())))
                .expect(401);
        with(signedUp, "POST", "/register/verify")
                .json(new PasskeyDevice(ORIGIN)
                        .create(PasskeyDevice.withChallenge(
                                forRegistration, forSignIn.path("challenge").asText())))
                .expect(400);
        assertThat(passkeys()).isEqualTo(1);
    }

    @Test
    void aChallengeIsValidForOneUserAndSession() {
        var options = creation(signedUp);
        for (var other : List.of(project.signUp(), project.signIn(email))) {
            with(other, "POST", "/register/verify")
                    .json(new PasskeyDevice(ORIGIN).create(options))
                    .expect(400);
        }
        with(signedUp, "POST", "/register/verify")
                .json(new PasskeyDevice(ORIGIN).create(options))
                .expect(200);
    }

    @Test
    void anotherProjectKnowsNeitherChallengeNorPasskey() {
        var device = registered();
        var other = newProject();
        signIn(other, device).expect(401);
        other.post(PASSKEYS + "/authenticate/verify")
                .json(device.get(request(project)))
                .expect(401);
        signIn(device).expect(200);

        var same = new PasskeyDevice(ORIGIN).id(device.id());
        register(other.signUp(), same).expect(200);
        assertThat(signIn(other, same).expect(200).text("user/id")).isNotEqualTo(user());
        signIn(same).expect(401);
    }

    @Test
    void noUserCanTakeThePasskeyOfAnother() {
        var device = registered();
        var other = project.signUp();
        register(other, new PasskeyDevice(ORIGIN).id(device.id())).expect(409);
        assertThat(signIn(device).expect(200).text("user/id")).isEqualTo(user());
        signIn(device.userHandle(
                        PasskeyDevice.decode(creation(other).at("/user/id").asText())))
                .expect(401);
        signIn(device.userHandle(null)).expect(200);
    }

    @Test
    void aCounterThatGoesBackIsRefusedAndRecorded() {
        var device = registered();
        signIn(device.count(5)).expect(200);
        signIn(device.count(5)).expect(401);
        signIn(device.count(4)).expect(401);
        signIn(device.count(0)).expect(401);
        signIn(device.count(6)).expect(200);
        assertThat(audited("auth.passkey.cloned"))
                .hasSize(3)
                .allSatisfy(entry -> assertThat(entry).endsWith(user()));
    }

    @Test
    void aBannedUserIsRefusedAndADeletedOneUnknown() {
        var device = registered();
        server.ban(user());
        signIn(device).expect(403);
        server.sql().update("UPDATE users SET is_banned = false WHERE id = ?::uuid", user());
        signIn(device).expect(200);
        project.manage("DELETE", "/v1/dashboard/users/" + user()).expect(200);
        signIn(device).expect(401);
        assertThat(passkeys()).isZero();
    }

    @Test
    void aPasskeyThatVerifiesThePersonIsTwoFactorsAndOneThatDoesNotIsOne() {
        var device = registered();
        setUpTotp(signIn(device).expect(200));
        assertThat(signIn(device).expect(200).text("user/id")).isEqualTo(user());
        assertThat(signIn(device.flags(PRESENT)).expect(403).text("message")).contains("second factor");
    }

    @Test
    void ifAVerifiedEmailIsRequiredAPasskeyDoesNotReplaceIt() {
        var device = registered();
        set(project, Map.of("requireEmailVerification", true, "confirm", true));
        assertThat(signIn(device).expect(403).text("message")).contains("email");
        server.sql().update("UPDATE users SET email_verified = true WHERE id = ?::uuid", user());
        signIn(device).expect(200);
    }

    @Test
    void aUserHasAtMostTwentyPasskeys() {
        var waiting = creation(signedUp);
        IntStream.range(0, 20).forEach(number -> registered());
        with(signedUp, "POST", "/register/options").expect(409);
        with(signedUp, "POST", "/register/verify")
                .json(new PasskeyDevice(ORIGIN).create(waiting))
                .expect(409);
        assertThat(with(signedUp, "GET", "").expect(200).json()).hasSize(20);
    }

    @Test
    void onlyItsOwnerRenamesAndRemovesAPasskey() {
        var device = new PasskeyDevice(ORIGIN);
        var passkey = "/" + register(signedUp, device).expect(200).text("id");
        assertThat(with(signedUp, "PATCH", passkey)
                        .json(Map.of("name", "  Phone "))
                        .expect(200)
                        .text("name"))
                .isEqualTo("Phone");
        for (var name : List.of("", "a\u0000b", "a\nb", "x".repeat(101))) {
            with(signedUp, "PATCH", passkey).json(Map.of("name", name)).expect(422);
        }
        var other = project.signUp();
        with(other, "PATCH", passkey).json(Map.of("name", "mine")).expect(404);
        with(other, "DELETE", passkey).expect(404);
        assertThat(with(other, "GET", "").expect(200).json()).isEmpty();

        with(signedUp, "DELETE", passkey).expect(200);
        with(signedUp, "DELETE", passkey).expect(404);
        signIn(device).expect(401);
        assertThat(audited("auth.passkey.renamed")).hasSize(1);
        assertThat(audited("auth.passkey.removed")).hasSize(1);
    }

    @Test
    void theLastSignInMethodCannotBeRemoved() {
        var first =
                "/" + register(signedUp, new PasskeyDevice(ORIGIN)).expect(200).text("id");
        var second =
                "/" + register(signedUp, new PasskeyDevice(ORIGIN)).expect(200).text("id");
        server.sql().update("UPDATE users SET password_hash = NULL WHERE id = ?::uuid", user());
        with(signedUp, "DELETE", first).expect(200);
        with(signedUp, "DELETE", second).expect(409);
        assertThat(passkeys()).isEqualTo(1);

        server.sql()
                .update(
                        "INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)"
                                + " VALUES (?::uuid, 'google', 'https://accounts.google.com', ?, ?::uuid, now())",
                        project.id(),
                        email,
                        user());
        var unlink = server.api().call("DELETE", "/v1/auth/me/providers/google").bearer(signedUp.accessToken());
        set(project, Map.of("factors", Map.of("passkeys", false)));
        unlink.expect(409);
        set(project, Map.of("factors", Map.of("passkeys", true)));
        unlink.expect(200);
    }

    @Test
    void managementSeesAndRemovesPasskeys() {
        var device = new PasskeyDevice(ORIGIN);
        var passkey = register(signedUp, device).expect(200).text("id");
        server.sql().update("UPDATE users SET password_hash = NULL WHERE id = ?::uuid", user());
        var path = "/v1/backend/users/" + user() + "/passkeys";
        assertThat(project.manage("GET", path).expect(200).json().at("/0/id").asText())
                .isEqualTo(passkey);
        var other = newProject();
        other.manage("GET", path).expect(404);
        other.manage("DELETE", path + "/" + passkey).expect(404);
        project.manage("DELETE", "/v1/backend/users/" + project.signUp().text("user/id") + "/passkeys/" + passkey)
                .expect(404);
        project.manage("DELETE", path + "/" + passkey).expect(200);
        project.manage("DELETE", path + "/" + passkey).expect(404);
        signIn(device).expect(401);
        assertThat(audited("admin.user.passkey.removed")).hasSize(1);
    }

    @Test
    void aResetOfTheFactorsRemovesPasskeysToo() {
        var device = registered();
        var tokens = signIn(device).expect(200);
        var waiting = creation(tokens);
        setUpTotp(tokens);
        project.manage("DELETE", "/v1/dashboard/users/" + user() + "/factors").expect(200);
        signIn(device).expect(401);
        with(tokens, "POST", "/register/verify")
                .json(new PasskeyDevice(ORIGIN).create(waiting))
                .expect(400);
        assertThat(project.signIn(email).json().has("accessToken")).isTrue();
    }

    @Test
    void registrationAndRemovalNeedARecentSignInIfTheProjectRequiresOne() {
        var passkey =
                "/" + register(signedUp, new PasskeyDevice(ORIGIN)).expect(200).text("id");
        var waiting = creation(signedUp);
        set(project, Map.of("requireRecentSignIn", 60));
        clock.advance(Duration.ofMinutes(2));
        for (var call : List.of(
                with(signedUp, "POST", "/register/options"),
                with(signedUp, "POST", "/register/verify").json(new PasskeyDevice(ORIGIN).create(waiting)),
                with(signedUp, "DELETE", passkey))) {
            assertThat(call.expect(403).text("reason")).isEqualTo("reauthentication_required");
        }
    }

    @Test
    void aSessionThatEndsDuringTheRegistrationAddsNoPasskey() {
        var waiting = creation(signedUp);
        project.manage("DELETE", "/v1/dashboard/users/" + user() + "/sessions").expect(200);
        with(signedUp, "POST", "/register/verify")
                .json(new PasskeyDevice(ORIGIN).create(waiting))
                .expect(401);
        assertThat(passkeys()).isZero();
    }

    @Test
    void anImpersonatorCannotChangePasskeys() {
        var passkey =
                "/" + register(signedUp, new PasskeyDevice(ORIGIN)).expect(200).text("id");
        var acting = project.asOwner("POST", "/users/" + user() + "/impersonate")
                .json(Map.of("reason", "A test"))
                .expect(200);
        for (var call : List.of(
                with(acting, "POST", "/register/options"),
                with(acting, "PATCH", passkey).json(Map.of("name", "mine")),
                with(acting, "DELETE", passkey))) {
            assertThat(call.expect(403).text("reason")).isEqualTo("impersonated_session");
        }
    }

    @Test
    void aProjectWithoutPasskeysHasNone() {
        var device = registered();
        set(project, Map.of("factors", Map.of("passkeys", false)));
        for (var call : List.of(
                with(signedUp, "GET", ""),
                with(signedUp, "POST", "/register/options"),
                with(signedUp, "POST", "/register/verify").json(Map.of()),
                project.post(PASSKEYS + "/authenticate/options"),
                project.post(PASSKEYS + "/authenticate/verify").json(Map.of()))) {
            call.expect(404);
        }
        assertThat(project.get("/v1/auth/branding")
                        .expect(200)
                        .json()
                        .path("showPasskey")
                        .asBoolean())
                .isFalse();
        set(project, Map.of("factors", Map.of("passkeys", true)));
        signIn(device).expect(200);
        assertThat(project.get("/v1/auth/branding")
                        .expect(200)
                        .json()
                        .path("showPasskey")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aProjectWithoutADomainOrAnOriginSaysWhatToSet() {
        var bare = server.newProject();
        assertThat(bare.post(PASSKEYS + "/authenticate/options").expect(409).text("message"))
                .contains("passkeyRpId", "allowedOrigins");
        set(bare, Map.of("callbackUrl", "https://login.example.com/back"));
        assertThat(bare.post(PASSKEYS + "/authenticate/options").expect(409).text("message"))
                .contains("passkeyOrigins", "login.example.com");
        set(bare, Map.of("allowedOrigins", List.of("http://127.0.0.1:3000")));
        bare.post(PASSKEYS + "/authenticate/options").expect(409);
        set(bare, Map.of("allowedOrigins", List.of("http://localhost:3000")));
        assertThat(bare.post(PASSKEYS + "/authenticate/options").expect(200).text("rpId"))
                .isEqualTo("localhost");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com",
                "co.uk",
                "github.io",
                "anything.ck",
                "xn--55qx5d.cn",
                "192.0.2.1",
                "[::1]",
                "example",
                "example.com.",
                ".example.com",
                "https://example.com",
                "exa mple.com",
                "ex\u00e4mple.com",
                "a\u0000.com",
                "",
                "*.example.com",
                "example.com:443"
            })
    void onlyADomainOfTheProjectIsAccepted(String rpId) {
        assertThat(project.asOwner("PATCH", "")
                        .json(Map.of("passkeyRpId", rpId))
                        .expect(422)
                        .failingFields())
                .containsExactly("passkeyRpId");
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.com", "www.ck", "localhost", "xn--exmple-cua.com", "a.b.co.uk"})
    void aDomainOfItsOwnIsAccepted(String rpId) {
        var changed =
                project.asOwner("PATCH", "").json(Map.of("passkeyRpId", rpId)).expect(200);
        assertThat(changed.text("project/passkeyRpId")).isEqualTo(rpId);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"android:apk-key-hash:short", "android:evil", "ios:bundle-id:x", "https://example.com/path", "x"
            })
    void anOriginThatNoBrowserSendsIsRefused(String origin) {
        assertThat(project.asOwner("PATCH", "")
                        .json(Map.of("passkeyOrigins", List.of(origin)))
                        .expect(422)
                        .failingFields())
                .containsExactly("passkeyOrigins");
    }

    @Test
    void aChangeOfTheDomainMakesPasskeysUseless() {
        var device = registered();
        set(project, Map.of("passkeyRpId", "example.com"));
        signIn(device).expect(401);
        assertThat(creation(signedUp).path("excludeCredentials")).isEmpty();
        project.asOwner("PATCH", "").text("{\"passkeyRpId\":null}").expect(200);
        signIn(device).expect(200);
    }

    private static byte[] flip(byte[] bytes) {
        var other = bytes.clone();
        other[other.length - 1] ^= 1;
        return other;
    }

    private static byte[] cut(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length - 1);
    }

    private static Named<Consumer<PasskeyDevice>> case_(String name, Consumer<PasskeyDevice> change) {
        return Named.of(name, change);
    }

    private static Consumer<PasskeyDevice> attestation(java.util.function.UnaryOperator<byte[]> change) {
        return device -> device.attestationObject(change);
    }

    private static byte[] nested(int depth) {
        var all = new byte[depth + 1];
        Arrays.fill(all, (byte) 0x81);
        all[depth] = 0;
        return all;
    }

    /** Sequences of an indefinite length in each other. */
    private static byte[] nestedCertificate() {
        var all = new byte[12_000];
        for (int i = 0; i < all.length; i += 2) {
            all[i] = 0x30;
            all[i + 1] = (byte) 0x80;
        }
        return all;
    }

    static List<Named<Consumer<PasskeyDevice>>> badRegistrations() {
        var hugeLength = new byte[] {(byte) 0xa1, 0x63, 'f', 'm', 't', 0x5b, 0x7f, -1, -1, -1, -1, -1, -1, -1};
        return List.of(
                case_("an origin of nobody", device -> device.at("https://evil.example")),
                case_("an origin below", device -> device.at("https://x.app.example.com")),
                case_("an origin with another port", device -> device.at(ORIGIN + ":8443")),
                case_("an origin in capitals", device -> device.at("https://APP.example.com")),
                case_("an origin with a path", device -> device.at(ORIGIN + "/")),
                case_("a frame of another origin", device -> device.clientData(",\"crossOrigin\":true")),
                case_("a frame that says so in text", device -> device.clientData(",\"crossOrigin\":\"true\"")),
                case_("a top origin", device -> device.clientData(",\"topOrigin\":\"https://evil.example\"")),
                case_("another ceremony", device -> device.type("webauthn.get")),
                case_("a key twice", device -> device.clientData(",\"origin\":\"" + ORIGIN + "\"")),
                case_("NUL", device -> device.clientData(",\"a\":\"\u0000\"")),
                case_("deep JSON", device -> device.clientData(",\"a\":" + "[".repeat(900) + "]".repeat(900))),
                case_("another domain", device -> device.rpId("evil.example")),
                case_("nobody present", device -> device.flags(VERIFIED)),
                case_("backed up though it cannot be", device -> device.flags(PRESENT | BACKED_UP)),
                case_(
                        "no key at all",
                        device -> device.authenticatorData(data -> {
                            var without = Arrays.copyOf(data, 37);
                            without[32] &= ~ATTESTED;
                            return without;
                        })),
                case_("authenticator data cut short", device -> device.authenticatorData(PasskeyIT::cut)),
                case_(
                        "authenticator data of 36 bytes",
                        device -> device.authenticatorData(data -> Arrays.copyOf(data, 36))),
                case_(
                        "authenticator data with more behind",
                        device -> device.authenticatorData(data -> PasskeyDevice.concat(data, new byte[3]))),
                case_(
                        "a length of the id beyond the data",
                        device -> device.authenticatorData(data -> {
                            data[53] = (byte) 0xff;
                            return data;
                        })),
                case_("CBOR cut short", attestation(PasskeyIT::cut)),
                case_("CBOR that is empty", attestation(object -> new byte[] {(byte) 0xa0})),
                case_("CBOR that is no map", attestation(object -> PasskeyDevice.text("x"))),
                case_("CBOR that is nested deeply", attestation(object -> nested(10_000))),
                case_("CBOR that claims exabytes", attestation(object -> hugeLength)),
                case_(
                        "a certificate that is nested deeply",
                        attestation(object -> PasskeyDevice.map(
                                PasskeyDevice.text("fmt"),
                                PasskeyDevice.text("fido-u2f"),
                                PasskeyDevice.text("attStmt"),
                                PasskeyDevice.map(
                                        PasskeyDevice.text("x5c"),
                                        PasskeyDevice.array(PasskeyDevice.bytes(nestedCertificate())),
                                        PasskeyDevice.text("sig"),
                                        PasskeyDevice.bytes(new byte[64])),
                                PasskeyDevice.text("authData"),
                                PasskeyDevice.bytes(new byte[37])))),
                case_("CBOR without an end", attestation(object -> new byte[] {(byte) 0xbf, 0x61, 'a'})),
                case_(
                        "an unknown algorithm",
                        device -> device.coseKey(PasskeyDevice.ecKey(-35, new byte[32], new byte[32]))),
                case_(
                        "a point off the curve",
                        device -> device.coseKey(PasskeyDevice.ecKey(-7, new byte[32], new byte[32]))),
                case_(
                        "a point without an end",
                        device -> device.coseKey(PasskeyDevice.ecKey(-7, new byte[1000], new byte[0]))),
                case_(
                        "an Edwards point of small order",
                        device -> device.coseKey(PasskeyDevice.edwardsKey(smallOrder()))),
                case_(
                        "an Edwards point that is too short",
                        device -> device.coseKey(PasskeyDevice.edwardsKey(new byte[31]))),
                case_("an RSA key of 1024 bits", device -> device.coseKey(PasskeyDevice.rsaKey(1024))),
                case_("an RSA key of 16384 bits", device -> device.coseKey(PasskeyDevice.rsaKey(16_384))),
                case_(
                        "an RSA key with an endless exponent",
                        device -> device.coseKey(PasskeyDevice.rsaKey(
                                BigInteger.ONE.shiftLeft(2047).setBit(0),
                                BigInteger.ONE.shiftLeft(2000).setBit(0)))),
                case_("a key that is no map", device -> device.coseKey(PasskeyDevice.array())),
                case_("an id of 1024 bytes", device -> device.authenticatorData(PasskeyIT::withLongId)));
    }

    /** The point of order 1. */
    private static byte[] smallOrder() {
        var point = new byte[32];
        point[0] = 1;
        return point;
    }

    private static byte[] withLongId(byte[] data) {
        var head = Arrays.copyOf(data, 53);
        var key = Arrays.copyOfRange(data, 55 + 32, data.length);
        return PasskeyDevice.concat(head, new byte[] {4, 0}, new byte[1024], key);
    }

    @ParameterizedTest
    @MethodSource("badRegistrations")
    void anInvalidPasskeyIsNotRegistered(Consumer<PasskeyDevice> change) {
        var device = new PasskeyDevice(ORIGIN);
        change.accept(device);
        var answer = register(signedUp, device).send();
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.text("message")).doesNotContain("webauthn4j").hasSizeLessThan(250);
        assertThat(passkeys()).isZero();
    }

    static List<Named<Consumer<PasskeyDevice>>> badSignIns() {
        return List.of(
                case_("a signature with another bit", device -> device.signature(PasskeyIT::flip)),
                case_("a signature cut short", device -> device.signature(PasskeyIT::cut)),
                case_("a signature of zeros", device -> device.signature(bytes -> new byte[bytes.length])),
                case_("a signature of one byte", device -> device.signature(bytes -> new byte[1])),
                case_("an origin of nobody", device -> device.at("https://evil.example")),
                case_("an origin in clear", device -> device.at("http://app.example.com")),
                case_("a frame of another origin", device -> device.clientData(",\"crossOrigin\":true")),
                case_("another ceremony", device -> device.type("webauthn.create")),
                case_("another domain", device -> device.rpId("example.com")),
                case_("nobody present", device -> device.flags(VERIFIED)),
                case_("eligible for backup now", device -> device.flags(PRESENT | VERIFIED | BACKUP_ELIGIBLE)),
                case_("authenticator data cut short", device -> device.authenticatorData(PasskeyIT::cut)),
                case_(
                        "authenticator data with more behind",
                        device -> device.authenticatorData(data -> PasskeyDevice.concat(data, new byte[9]))),
                case_("a user handle of nobody", device -> device.userHandle(new byte[32])),
                case_("an unknown id", device -> device.id(new byte[32])));
    }

    @ParameterizedTest
    @MethodSource("badSignIns")
    void anInvalidResponseOpensNoSession(Consumer<PasskeyDevice> change) {
        var device = registered();
        change.accept(device);
        signIn(device).expect(401);
        assertThat(audited("auth.signin")).isEmpty();
    }

    @Test
    void aSignatureByAnotherKeyIsRefused() {
        var device = registered();
        signIn(new PasskeyDevice(ORIGIN).id(device.id())).expect(401);
        signIn(new PasskeyDevice(ORIGIN, Kind.EDDSA).id(device.id())).expect(401);
    }

    @Test
    void malformedFieldsAreRefused() {
        var right = new PasskeyDevice(ORIGIN).create(creation(signedUp));
        for (var field : List.of("id", "rawId", "type", "response")) {
            for (var value : wrongValues().toList()) {
                var body = new HashMap<String, Object>(right);
                body.put(field, value);
                var status = with(signedUp, "POST", "/register/verify")
                        .json(body)
                        .send()
                        .status();
                assertThat(status).as(field + " " + value).isIn(413, 422);
            }
            var body = new HashMap<String, Object>(right);
            body.remove(field);
            with(signedUp, "POST", "/register/verify").json(body).expect(422);
            project.post(PASSKEYS + "/authenticate/verify").json(body).expect(422);
        }
        for (var field : List.of("attestationObject", "clientDataJSON")) {
            for (var value : wrongValues().toList()) {
                var response = new HashMap<Object, Object>((Map<?, ?>) right.get("response"));
                response.put(field, value);
                var body = new HashMap<String, Object>(right);
                body.put("response", response);
                var status = with(signedUp, "POST", "/register/verify")
                        .json(body)
                        .send()
                        .status();
                assertThat(status).as(field + " " + value).isIn(400, 413, 422);
            }
        }
        with(signedUp, "POST", "/register/verify").json(right).expect(200);
    }

    private static Stream<Object> wrongValues() {
        return Stream.of(
                "",
                "=",
                "not base64",
                "\u0000",
                "A".repeat(1_000_000),
                1,
                true,
                List.of(),
                new ArrayList<>(List.of(1)));
    }
}
