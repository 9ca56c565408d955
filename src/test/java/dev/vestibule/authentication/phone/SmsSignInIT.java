package dev.vestibule.authentication.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sign in with a code by SMS. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SmsSignInIT {
    private final TestDatabase database;
    private final WithSms sms;
    private TestProject project;
    private String phone = "";

    SmsSignInIT(TestDatabase database) {
        this.database = database;
        this.sms = WithSms.start(database);
        this.project = sms.newProject();
    }

    @BeforeEach
    void fresh() {
        project = sms.newProject();
        phone = WithSms.newNumber();
    }

    @AfterAll
    void stop() {
        sms.close();
    }

    private static void change(TestProject project, Map<String, ?> settings) {
        project.asOwner("PATCH", "").json(settings).expect(200);
    }

    private static String wrong(String code) {
        return WithMail.anotherThan(code);
    }

    private long users() {
        return sms.server().sql().count("SELECT count(*) FROM users WHERE project_id = ?::uuid", project.id());
    }

    /** A user with an email, a password and a verified number. */
    private Response userWithNumber() {
        var user = project.signUp();
        sms.own(project, user.accessToken(), phone);
        return user;
    }

    @Test
    void anUnknownNumberSignsUpAUserWithoutAnEmail() {
        var signedUp = sms.signIn(project, phone);

        assertThat(signedUp.text("user/phone")).isEqualTo(phone);
        assertThat(signedUp.json().at("/user/phoneVerified").asBoolean()).isTrue();
        assertThat(signedUp.json().at("/user/email").isNull()).isTrue();
        assertThat(signedUp.json().at("/user/emailVerified").asBoolean()).isFalse();
        assertThat(Jwt.parse(signedUp.accessToken()).claims().path("amr").toString())
                .isEqualTo("[\"sms\"]");
        project.me(signedUp.accessToken()).expect(200);
        project.refresh(signedUp.refreshToken()).expect(200);
    }

    @Test
    void theSameNumberSignsInTheSameUserAgain() {
        var first = sms.signIn(project, phone);
        sms.passAMinute();

        var second = sms.signIn(project, phone);

        assertThat(second.text("user/id")).isEqualTo(first.text("user/id"));
        assertThat(users()).isEqualTo(1);
    }

    @Test
    void aNumberWhoseAccountWasDeletedHasNoNewWeekToSetUpAFactor() {
        change(project, Map.of("requireMfa", "required"));
        var created = sms.signIn(project, phone);
        sms.clock().advance(Duration.ofDays(7));
        project.manage("DELETE", "/v1/dashboard/users/" + created.text("user/id"))
                .expect(200);
        var again = WithSms.verify(project, phone, sms.code(project, phone)).expect(403);
        assertThat(again.text("reason")).isEqualTo("mfa_enrollment_required");
    }

    @Test
    void theNumberMayBeTypedAsPeopleDoAndNamedAsThePhone() {
        change(project, Map.of("defaultCountry", "DE"));
        var typed = "0" + phone.substring(3, 6) + " " + phone.substring(6);
        project.post("/v1/auth/passwordless/sms-otp")
                .json(Map.of("phone", typed))
                .expect(200);
        var code = sms.awaitCode(phone, 1);

        project.post("/v1/auth/passwordless/verify")
                .json(Map.of("phone", typed, "code", " " + code + " "))
                .expect(200);
    }

    @Test
    void variantBSignsInToo() {
        var api = sms.server().api();
        api.post("/v1/auth/passwordless/sms-otp")
                .json(Map.of("projectId", project.id(), "phone", phone))
                .expect(200);
        var answer = api.post("/v1/auth/passwordless/verify")
                .json(Map.of("projectId", project.id(), "phone", phone, "code", sms.awaitCode(phone, 1)))
                .expect(200);

        project.refreshAccessToken(answer.refreshToken()).expect(200);
    }

    @Test
    void aVerifiedNumberSignsInItsUserAndAnUnverifiedOneGivesNothing() {
        var owner = userWithNumber();
        var other = project.signUp();
        project.api()
                .patch("/v1/auth/me")
                .bearer(other.accessToken())
                .json(Map.of("phone", phone))
                .expect(200);
        sms.passAMinute();

        assertThat(sms.signIn(project, phone).text("user/id")).isEqualTo(owner.text("user/id"));

        var free = WithSms.newNumber();
        project.api()
                .patch("/v1/auth/me")
                .bearer(other.accessToken())
                .json(Map.of("phone", free))
                .expect(200);
        assertThat(sms.signIn(project, free).text("user/id")).isNotEqualTo(other.text("user/id"));
    }

    @Test
    void aNumberThatItsUserHasGivenUpSignsInNobodyElsesAccount() {
        var owner = userWithNumber();
        project.api()
                .patch("/v1/auth/me")
                .bearer(owner.accessToken())
                .json(Map.of("phone", WithSms.newNumber()))
                .expect(200);
        sms.passAMinute();

        assertThat(sms.signIn(project, phone).text("user/id")).isNotEqualTo(owner.text("user/id"));
    }

    @Test
    void aNumberThatIsTheOnlyWayToSignInIsNotGivenUp() {
        var owner = sms.signIn(project, phone);
        for (var other : new String[] {null, WithSms.newNumber()}) {
            var refused = project.api()
                    .patch("/v1/auth/me")
                    .bearer(owner.accessToken())
                    .json(Collections.singletonMap("phone", other))
                    .expect(409);
            assertThat(refused.text("code")).isEqualTo("last_sign_in_method");
        }
        sms.passAMinute();
        assertThat(sms.signIn(project, phone).text("user/id")).isEqualTo(owner.text("user/id"));
    }

    @Test
    void aNumberIsGivenUpWhereACodeByMailSignsInToo() {
        var owner = sms.signIn(project, phone);
        project.manage("PATCH", "/v1/dashboard/users/" + owner.text("user/id"))
                .json(Map.of("email", TestServer.newEmail(), "emailVerified", true))
                .expect(200);
        project.api()
                .patch("/v1/auth/me")
                .bearer(owner.accessToken())
                .json(Collections.singletonMap("phone", null))
                .expect(200);
    }

    @Test
    void wrongExpiredAndUsedCodesGetTheSameResponse() {
        var code = sms.code(project, phone);
        var refused = WithSms.verify(project, phone, wrong(code)).expect(401).body();
        WithSms.verify(project, phone, code).expect(200);
        assertThat(WithSms.verify(project, phone, code).expect(401).body()).isEqualTo(refused);

        sms.passAMinute();
        var late = sms.code(project, phone);
        sms.clock().advance(Duration.ofMinutes(10));
        assertThat(WithSms.verify(project, phone, late).expect(401).body()).isEqualTo(refused);
        assertThat(WithSms.verify(project, WithSms.newNumber(), code)
                        .expect(401)
                        .body())
                .isEqualTo(refused);
    }

    @Test
    void afterFiveWrongTriesARightCodeIsRefused() {
        var code = sms.code(project, phone);
        for (int i = 0; i < 5; i++) {
            WithSms.verify(project, phone, wrong(code)).expect(401);
        }

        WithSms.verify(project, phone, code).expect(401);
    }

    @Test
    void aNumberHasTwentyWrongCodesADayWhateverCodesItHad() {
        for (int codes = 0; codes < 4; codes++) {
            var code = sms.code(project, phone);
            for (int i = 0; i < 5; i++) {
                WithSms.verify(project, phone, wrong(code)).expect(401);
            }
            sms.passAMinute();
        }
        var right = sms.code(project, phone);

        var refused = WithSms.verify(project, phone, right).expect(429);

        assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow()))
                .isBetween(80_000, 86_400);
    }

    @Test
    void anUnlockOfTheUserResetsTheTriesOfTheNumber() {
        var user = sms.signIn(project, phone);
        for (int codes = 0; codes < 4; codes++) {
            sms.passAMinute();
            var code = sms.code(project, phone);
            for (int i = 0; i < 5; i++) {
                WithSms.verify(project, phone, wrong(code)).expect(401);
            }
        }
        sms.passAMinute();
        var right = sms.code(project, phone);
        WithSms.verify(project, phone, right).expect(429);

        project.manage("POST", "/v1/dashboard/users/" + user.text("user/id") + "/unlock")
                .expect(200);

        WithSms.verify(project, phone, right).expect(200);
    }

    @Test
    void ofFiftyConcurrentUsesOfOneCodeOneOpensASession() {
        var code = sms.code(project, phone);
        var answers = Parallel.send(50, number -> WithSms.verify(project, phone, code));
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(sms.server().sql().count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(1);
    }

    @Test
    void aNewCodeInvalidatesTheLastOne() {
        var first = sms.code(project, phone);
        sms.passAMinute();
        var second = sms.code(project, phone);

        if (!first.equals(second)) {
            WithSms.verify(project, phone, first).expect(401);
        }
        WithSms.verify(project, phone, second).expect(200);
    }

    @Test
    void ofFiftyConcurrentRightCodesOneOpensASessionAndOneUserIsCreated() {
        var code = sms.code(project, phone);

        var answers = Parallel.send(50, number -> WithSms.verify(project, phone, code));

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers).filteredOn(answer -> answer.status() == 401).hasSize(49);
        assertThat(users()).isEqualTo(1);
    }

    @Test
    void aCodeOfAnotherProjectOrPurposeOrNumberIsWrong() {
        var other = sms.newProject();
        var code = sms.code(project, phone);
        WithSms.verify(other, phone, code).expect(401);
        WithSms.verify(project, WithSms.newNumber(), code).expect(401);
        var user = project.signUp();
        WithSms.verifyOwn(project, user.accessToken(), phone, code).expect(401);
        WithSms.verify(project, phone, code).expect(200);

        var number = WithSms.newNumber();
        var own = sms.ownCode(project, user.accessToken(), number);
        WithSms.verify(project, number, own).expect(401);
        WithSms.verifyOwn(project, user.accessToken(), number, own).expect(200);
    }

    @Test
    void onlyTheRightCodeTellsABannedUser() {
        var user = userWithNumber();
        sms.passAMinute();
        var code = sms.code(project, phone);
        sms.server().ban(user.text("user/id"));

        WithSms.verify(project, phone, wrong(code)).expect(401);
        assertThat(WithSms.verify(project, phone, code).expect(403).text("message"))
                .contains("banned");
        WithSms.verify(project, phone, code).expect(401);
    }

    @Test
    void aBannedUsersNumberGetsNoSmsWhetherOrNotOthersSignUp() {
        var user = userWithNumber();
        sms.server().ban(user.text("user/id"));
        var before = sms.to(phone).size();
        for (var signsUp : List.of(true, false)) {
            change(project, Map.of("passwordlessSignUp", signsUp));
            sms.passAMinute();
            WithSms.ask(project, phone).expect(200);
            Eventually.until(
                    "nothing waits",
                    () -> sms.server()
                                    .sql()
                                    .count("SELECT count(*) FROM messages WHERE project_id = ?::uuid", project.id())
                            == 0);
        }

        assertThat(sms.to(phone)).hasSize(before);
    }

    @Test
    void anSmsDoesNotReplaceASecondFactor() {
        var user = userWithNumber();
        sms.server().proveEmail(user.text("user/email"));
        var setup = project.post("/v1/auth/mfa/totp/setup")
                .bearer(user.accessToken())
                .expect(200);
        var app = new Authenticator(setup.text("secret"), sms.clock());
        project.post("/v1/auth/mfa/totp/verify-setup")
                .bearer(user.accessToken())
                .json(Map.of("code", app.code()))
                .expect(200);
        sms.passAMinute();
        var code = sms.code(project, phone);

        WithSms.verify(project, phone, wrong(code)).expect(401);
        assertThat(WithSms.verify(project, phone, code).expect(403).text("message"))
                .contains("password");
        WithSms.verify(project, phone, code).expect(401);
    }

    @Test
    void anSmsDoesNotReplaceAPasskey() {
        project.asOwner("PATCH", "")
                .json(Map.of("allowedOrigins", List.of("https://app.example.com")))
                .expect(200);
        var user = userWithNumber();
        sms.server().proveEmail(user.text("user/email"));
        register(user);
        sms.passAMinute();
        var code = sms.code(project, phone);
        assertThat(WithSms.verify(project, phone, code).expect(403).text("reason"))
                .isEqualTo("passkey_required");
        WithSms.verify(project, phone, code).expect(401);
    }

    private PasskeyDevice register(Response user) {
        var device = new PasskeyDevice("https://app.example.com");
        var options = project.post("/v1/auth/passkeys/register/options")
                .bearer(user.accessToken())
                .expect(200)
                .json();
        project.post("/v1/auth/passkeys/register/verify")
                .bearer(user.accessToken())
                .json(device.create(options))
                .expect(200);
        return device;
    }

    /** No mail can report it, and nobody can undo it. */
    @Test
    void aPasskeyThatNoMailAnnouncesLocksNoOwnerOut() {
        change(project, Map.of("allowedOrigins", List.of("https://app.example.com")));
        var stolen = sms.signIn(project, phone);
        register(stolen);
        sms.passAMinute();

        var owner = sms.signIn(project, phone);
        var passkey = project.api()
                .get("/v1/auth/passkeys")
                .bearer(owner.accessToken())
                .expect(200)
                .text("0/id");
        change(project, Map.of("requireMfa", "required"));
        project.api()
                .call("DELETE", "/v1/auth/passkeys/" + passkey)
                .bearer(owner.accessToken())
                .expect(200);
    }

    @Test
    void aPasskeyLocksNoOwnerOutIfTheEmailIsNotVerified() {
        change(project, Map.of("allowedOrigins", List.of("https://app.example.com")));
        register(userWithNumber());
        sms.passAMinute();
        sms.signIn(project, phone);
    }

    @Test
    void aUserWithoutAnEmailIsNotLockedOutByASecondFactor() {
        var number = WithSms.newNumber();
        var user = WithSms.verify(project, number, sms.code(project, number)).expect(200);

        var refused = project.post("/v1/auth/mfa/totp/setup")
                .bearer(user.accessToken())
                .expect(409);

        assertThat(refused.text("message")).contains("email");
        sms.passAMinute();
        WithSms.verify(project, number, sms.code(project, number)).expect(200);
    }

    private Call mfa(String path, Map<String, ?> body) {
        return project.post("/v1/auth/mfa/" + path).json(body);
    }

    @Test
    void aUserWithoutAnEmailSetsUpTheFactorThatIsRequiredAndSignsInWithIt() {
        change(project, Map.of("requireMfa", "required"));
        var user = sms.signIn(project, phone).text("user/id");
        sms.clock().advance(Duration.ofDays(8));
        var toSetUp = Map.of(
                "mfaToken",
                WithSms.verify(project, phone, sms.code(project, phone))
                        .expect(403)
                        .text("mfaToken"));
        var setup = mfa("totp/setup", toSetUp).expect(200);
        var app = new Authenticator(setup.text("secret"), sms.clock());
        mfa("totp/verify-setup", Map.of("mfaToken", toSetUp.get("mfaToken"), "code", app.code()))
                .expect(200);
        sms.passAMinute();

        var first = WithSms.verify(project, phone, sms.code(project, phone))
                .expect(200)
                .text("mfaToken");
        var tokens =
                mfa("verify", Map.of("mfaToken", first, "code", app.code())).expect(200);
        assertThat(Jwt.parse(tokens.accessToken()).claims().path("amr")).hasToString("[\"sms\",\"otp\",\"mfa\"]");

        project.manage("PATCH", "/v1/dashboard/users/" + user)
                .json(Map.of("email", TestServer.newEmail()))
                .expect(200);
        assertThat(sms.server().sql().texts("SELECT second_factors::text FROM users WHERE id = ?::uuid", user))
                .containsExactly("{held,totp}"); // a typing error of the support desk removes nothing
    }

    @Test
    void withoutSignUpsAnUnknownNumberGetsTheSameResponseAndNoSms() {
        userWithNumber();
        change(project, Map.of("passwordlessSignUp", false));
        sms.passAMinute();
        var unknown = WithSms.newNumber();

        var answer = WithSms.ask(project, unknown).expect(200).body();
        assertThat(WithSms.ask(project, phone).expect(200).body()).isEqualTo(answer);
        sms.awaitCode(phone, 2); // asked for after the other

        assertThat(sms.to(unknown)).isEmpty();
        WithSms.verify(project, unknown, "123456").expect(401);
    }

    @Test
    void anAccountThatMustVerifyItsEmailFirstCannotSignInByItsNumber() {
        userWithNumber();
        change(project, Map.of("requireEmailVerification", true, "confirm", true));
        sms.passAMinute();

        WithSms.verify(project, phone, sms.code(project, phone)).expect(403);
    }

    @Test
    void aNumberThatAnImportHasVerifiedForTwoUsersSignsInNeither() {
        for (int i = 0; i < 2; i++) {
            project.manage("POST", "/v1/dashboard/users")
                    .json(Map.of("email", TestServer.newEmail(), "phone", phone, "phoneVerified", true))
                    .expect(201);
        }

        WithSms.verify(project, phone, sms.code(project, phone)).expect(409);
    }

    @Test
    void anImportedVerifiedNumberSignsIn() {
        var user = project.manage("POST", "/v1/dashboard/users")
                .json(Map.of("email", TestServer.newEmail(), "phone", phone, "phoneVerified", true))
                .expect(201);

        assertThat(sms.signIn(project, phone).text("user/id")).isEqualTo(user.text("id"));
    }

    @Test
    void switchedOffItIsNotFound() {
        var off = sms.server().newProject();
        var user = off.signUp();

        WithSms.ask(off, phone).expect(404);
        WithSms.verify(off, phone, "123456").expect(404);
        WithSms.askForOwn(off, user.accessToken(), phone).expect(404);
        WithSms.verifyOwn(off, user.accessToken(), phone, "123456").expect(404);
        change(project, Map.of("factors", Map.of("sms", false)));
        WithSms.ask(project, phone).expect(404);
    }

    @Test
    void aServerWithoutAnEndpointOffersNoSmsWhateverAProjectSets() {
        try (var server = TestServer.start(database, Map.of())) {
            var there = WithSms.on(server.newProject());
            WithSms.ask(there, phone).expect(404);
            WithSms.verify(there, phone, "123456").expect(404);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"+33612345678", "+4930123456", "+499001234567", "123", "", "+4915123456789\u0000", "a@b.example"
            })
    void aNumberThatGetsNoSmsIsRefused(String number) {
        assertThat(WithSms.ask(project, number).expect(422).body()).contains("phone");
    }

    @Test
    void incompleteBodiesAreRefused() {
        project.post("/v1/auth/passwordless/sms-otp").json(Map.of()).expect(422);
        project.post("/v1/auth/passwordless/sms-otp")
                .json(Map.of("phone", 4915123456789L))
                .expect(422);
        project.post("/v1/auth/passwordless/sms-otp").text("[]").expect(400);
        project.post("/v1/auth/passwordless/verify")
                .json(Map.of("email", phone))
                .expect(422);
        project.post("/v1/auth/passwordless/verify")
                .json(Map.of("phone", phone, "code", "12345"))
                .expect(422);
        sms.server()
                .api()
                .post("/v1/auth/passwordless/sms-otp")
                .json(Map.of("phone", phone))
                .expect(401);
    }

    @Test
    void aSignInIsInTheAuditLogAndAWebhookReportsANewUser() {
        var user = sms.signIn(project, phone).text("user/id");

        var log =
                project.manage("GET", "/v1/backend/audit-logs?actorId=" + user).expect(200);
        assertThat(log.body()).contains("auth.signup", "auth.signin", "\"sms\"").doesNotContain(phone);
    }
}
