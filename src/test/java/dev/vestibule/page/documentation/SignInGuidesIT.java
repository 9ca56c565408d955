package dev.vestibule.page.documentation;

import static dev.vestibule.page.documentation.GuideSamples.answer;
import static dev.vestibule.page.documentation.GuideSamples.isAsShown;
import static dev.vestibule.page.documentation.GuideSamples.run;
import static dev.vestibule.page.documentation.GuideSamples.write;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.vestibule.config.Settings;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs the samples of the guides about ways to sign in, and holds what these guides say. */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("It starts many small programs, and installs a library of Node.")
class SignInGuidesIT {
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final String PHONE = "+4915123456789";

    private final TestDatabase database;
    private final Chromium chromium;
    private final WithMail mail;
    private TestProject project;
    private String email;

    @SuppressWarnings("NullAway.Init")
    SignInGuidesIT(TestDatabase database, Chromium chromium) {
        this.database = database;
        this.chromium = chromium;
        mail = WithMail.start(database);
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @BeforeEach
    void newProject() {
        mail.clock().advance(STEP.multipliedBy(4));
        project = mail.server().newProject();
        email = TestServer.newEmail();
    }

    // Links and codes by mail

    @Test
    void aCodeSignsIn(@TempDir Path folder) throws Exception {
        answer(folder, project, "send-code.sh", email);
        var code = mail.mailbox().awaitCode(email);

        var wrong = run(folder, project, "use-code.sh", email, WithMail.anotherThan(code));
        assertThat(wrong.expectFailure().output()).contains("\"code\":\"wrong_code\"");
        var tokens = answer(folder, project, "use-code.sh", email, code);
        assertThat(GuideSamples.claims(tokens.path("accessToken").asText()).path("amr"))
                .hasToString("[\"mail\"]");
        run(folder, project, "use-code.sh", email, code).expectFailure();
    }

    @Test
    void aNodeProgramSignsInByACode(@TempDir Path folder) throws Exception {
        var signedIn =
                interact(folder, "sign-in-by-code.mjs", () -> mail.mailbox().awaitCode(email), email);
        assertThat(signedIn.expectSuccess().output()).contains("Signed in as " + email);
    }

    @Test
    void aLinkSignsIn(@TempDir Path folder) throws Exception {
        answer(folder, project, "send-link.sh", email);
        assertThat(TestMailbox.text(mail.mailbox().await(email, 1)))
                .as("without a page, a code")
                .containsPattern("\\d{6}");

        run(folder, project, "set-link-page.sh").expectSuccess();
        mail.passAMinute();
        answer(folder, project, "send-link.sh", email);
        var link = Pattern.compile("http://localhost:3000/link\\?token=ml_\\S+")
                .matcher(TestMailbox.text(mail.mailbox().await(email, 2)));
        assertThat(link.find()).isTrue();

        var signedIn = run(folder, project, "sign-in-by-link.mjs", link.group());
        assertThat(signedIn.expectSuccess().output())
                .contains("Signed in as " + email)
                .contains("Another browser asked");
        var again = run(folder, project, "sign-in-by-link.mjs", link.group());
        assertThat(again.expectFailure().output()).contains("invalid_link");
    }

    @Test
    void aServerChecksACode(@TempDir Path folder) throws Exception {
        project.signUp(email);
        project.manage("POST", "/v1/backend/passwordless/send")
                .json(Map.of("email", email, "type", "sign-in"))
                .expect(200);
        var code = mail.mailbox().awaitCodeAmongNotices(email, 2);

        var wrong = run(folder, project, "check-code.sh", email, WithMail.anotherThan(code));
        assertThat(wrong.expectSuccess().output()).isEqualTo("{\"valid\":false}");
        answer(folder, project, "check-code.sh", email, code);
    }

    // Codes by SMS

    @Test
    void aCodeBySmsSignsInAndVerifiesANumber(@TempDir Path folder) throws Exception {
        GuideSamples.npm(folder, "standardwebhooks@1.1.0");
        var port = FreePort.find();
        var log = folder.resolve("endpoint.log").toFile();
        var endpoint = GuideSamples.start(
                folder,
                GuideSamples.command(folder, "sms-endpoint.mjs"),
                log,
                Map.of("PORT", Integer.toString(port), "SMS_SECRET", WithSms.SECRET));
        var settings = Map.of(
                "VESTIBULE_SMS_URL",
                "http://localhost:" + port + "/send",
                "VESTIBULE_SMS_SECRET",
                WithSms.SECRET,
                "VESTIBULE_SMS_COUNTRIES",
                "DE");
        try (var server = TestServer.start(database, settings)) {
            Eventually.until("the endpoint listens", () -> GuideSamples.listens(port));
            var own = server.newProject();
            run(folder, own, "send-sms.sh", PHONE).expectFailure();
            run(folder, own, "enable-sms.sh").expectSuccess();

            answer(folder, own, "send-sms.sh", "0151 23456789");
            answer(folder, own, "use-sms-code.sh", PHONE, awaitSms(log, PHONE));

            var access = own.signUp(email).accessToken();
            var other = "+4915123456780";
            var verified = interact(folder, own, "verify-phone.sh", () -> awaitSms(log, other), access, other);
            assertThat(verified.expectSuccess().output()).contains("\"phoneVerified\":true");
        } finally {
            endpoint.destroyForcibly().waitFor();
        }
    }

    private static String awaitSms(File log, String phone) {
        var sms = Pattern.compile(Pattern.quote(phone) + ": (\\d{6}) is your code");
        Eventually.until(
                "an SMS to " + phone, () -> sms.matcher(GuideSamples.read(log)).find());
        var found = sms.matcher(GuideSamples.read(log));
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    // Bots

    @Test
    void aClientThatIsAskedForACaptchaSolvesIt(@TempDir Path folder) throws Exception {
        run(folder, project, "always-ask.sh").expectSuccess();
        project.post("/v1/auth/signup")
                .json(Map.of("email", email, "password", TestProject.PASSWORD))
                .expect(403);
        var signedUp = run(folder, project, "sign-up.mjs", email, TestProject.PASSWORD);
        assertThat(signedUp.expectSuccess().output()).contains("\"accessToken\":");

        run(folder, project, "refuse-disposable.sh").expectSuccess();
        var refused = run(folder, project, "sign-up.mjs", "a@mailinator.com", TestProject.PASSWORD);
        assertThat(refused.output()).contains("\"code\":\"disposable_email\"");
    }

    @Test
    void theEndpointGetsWhatTheGuideShows(@TempDir Path folder) throws Exception {
        assertThat(Settings.load(Optional.of(write(folder, "sms.yaml")), Map.of(), folder)
                        .sms()
                        .url())
                .isPresent();
        try (var sms = WithSms.start(database)) {
            sms.signIn(sms.newProject(), PHONE);
            isAsShown(
                    "sms.yaml",
                    GuideSamples.parse(
                            sms.carrier().to(WithSms.PATH).get(0).body().toString()));
        }
    }

    // Passkeys

    @Test
    void aBrowserRegistersAPasskeyAndSignsInWithIt(@TempDir Path folder) throws Exception {
        var app = serve(Files.readAllBytes(write(folder, "passkeys.js")));
        var origin = "http://localhost:" + app.getAddress().getPort();
        try {
            run(folder, project, "set-passkey-domain.sh", origin).expectSuccess();
            var access = project.signUp(email).accessToken();
            var base = project.api().base().toString();
            var page = chromium.newPage();
            page.navigate(origin + "/");
            Chromium.addAuthenticator(page);

            var call =
                    "async parts => JSON.stringify(await (await import('/passkeys.js'))[parts[0]](...parts.slice(1)))";
            var made = page.evaluate(call, List.of("registerPasskey", base, access, "Work laptop"));
            isAsShown("passkeys.js", 0, GuideSamples.parse(made.toString()));
            for (var given : List.of(List.of(), List.of(email))) {
                var parts = new ArrayList<Object>(List.of("signInWithPasskey", base, project.publishableKey()));
                parts.addAll(given);
                var tokens = GuideSamples.parse(page.evaluate(call, parts).toString());
                isAsShown("passkeys.js", 1, tokens);
                assertThat(GuideSamples.claims(tokens.path("accessToken").asText())
                                .path("acr")
                                .asText())
                        .isEqualTo("aal2");
            }
            page.context().close();

            var id = GuideSamples.parse(made.toString()).path("id").asText();
            var listed = run(folder, project, "list-passkeys.sh", access)
                    .expectSuccess()
                    .json();
            assertThat(listed.get(0).path("id").asText()).isEqualTo(id);
            assertThat(run(folder, project, "rename-passkey.sh", access, id, "Old laptop")
                            .expectSuccess()
                            .output())
                    .contains("\"name\":\"Old laptop\"");
            answer(folder, project, "remove-passkey.sh", access, id);
            assertThat(run(folder, project, "list-passkeys.sh", access)
                            .expectSuccess()
                            .output())
                    .isEqualTo("[]");
        } finally {
            app.stop(0);
        }
    }

    private static HttpServer serve(byte[] module) throws Exception {
        var app = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        app.createContext("/", exchange -> {
            var isModule = exchange.getRequestURI().getPath().endsWith(".js");
            var body = isModule ? module : "<!DOCTYPE html><title>App</title>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", isModule ? "text/javascript" : "text/html");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        app.start();
        return app;
    }

    // Second factors

    @Test
    void anAuthenticatorAppIsSetUpAndAsked(@TempDir Path folder) throws Exception {
        var access = project.signUp(email).accessToken();
        run(folder, project, "set-up-totp.sh", access).expectFailure();
        mail.server().proveEmail(email);
        var setup = answer(folder, project, "set-up-totp.sh", access);
        assertThat(setup.path("backupCodes")).hasSize(10);
        var app = new Authenticator(setup.path("secret").asText(), mail.clock());
        run(folder, project, "confirm-totp.sh", access, app.wrongCode()).expectFailure();
        answer(folder, project, "confirm-totp.sh", access, app.code());

        mail.clock().advance(STEP);
        var waiting = answer(folder, project, "sign-in.sh", email, TestProject.PASSWORD);
        var mfaToken = waiting.path("mfaToken").asText();
        run(folder, project, "give-code.sh", mfaToken, app.wrongCode()).expectFailure();
        var tokens = answer(folder, project, "give-code.sh", mfaToken, app.code());
        access = tokens.path("accessToken").asText();
        assertThat(GuideSamples.claims(access).path("acr").asText()).isEqualTo("aal2");

        var backupCode = setup.at("/backupCodes/0").asText();
        var signedIn = interact(folder, "sign-in.mjs", () -> backupCode, email, TestProject.PASSWORD);
        assertThat(signedIn.expectSuccess().output()).contains("Signed in as " + email);

        mail.clock().advance(STEP);
        var proved = run(folder, project, "reauthenticate.sh", access, TestProject.PASSWORD, app.code());
        assertThat(GuideSamples.claims(proved.expectSuccess()
                                .json()
                                .path("accessToken")
                                .asText())
                        .path("auth_time")
                        .asLong())
                .isGreaterThan(GuideSamples.claims(access).path("auth_time").asLong());
    }

    @Test
    void aProjectRequiresASecondFactorAndAServerRemovesIt(@TempDir Path folder) throws Exception {
        var signedUp = project.signUp(email);
        mail.server().proveEmail(email);
        var app = enrol(signedUp.accessToken());
        run(folder, project, "require-second-factor.sh").expectSuccess();
        answer(folder, project, "reset-factors.sh", signedUp.text("user/id"));

        var within = run(folder, project, "sign-in.sh", email, TestProject.PASSWORD)
                .expectSuccess()
                .json();
        assertThat(within.path("mfaEnrollmentRequired").asBoolean()).isTrue();
        assertThat(within.path("mfaEnrollmentDeadline").asText()).isNotEmpty();
        mail.clock().advance(Duration.ofDays(8));
        var refused =
                run(folder, project, "sign-in.sh", email, TestProject.PASSWORD).expectFailure();
        assertThat(refused.output()).contains("\"code\":\"mfa_enrollment_required\"", "\"mfaToken\":\"mfa_");
        assertThat(app.code()).hasSize(6);
    }

    private Authenticator enrol(String access) {
        var setup = project.api().post("/v1/auth/mfa/totp/setup").bearer(access).expect(200);
        var app = new Authenticator(setup.text("secret"), mail.clock());
        project.api()
                .post("/v1/auth/mfa/totp/verify-setup")
                .bearer(access)
                .json(Map.of("code", app.code()))
                .expect(200);
        return app;
    }

    // Programs that ask for a code

    private GuideSamples.Result interact(Path folder, String file, Supplier<String> code, String... arguments)
            throws Exception {
        return interact(folder, project, file, code, arguments);
    }

    private static GuideSamples.Result interact(
            Path folder, TestProject of, String file, Supplier<String> code, String... arguments) throws Exception {
        var line = new ArrayList<>(GuideSamples.command(folder, file));
        line.addAll(List.of(arguments));
        var log = folder.resolve(file + ".log").toFile();
        var process = GuideSamples.start(folder, line, log, GuideSamples.environment(of));
        try {
            Eventually.until("it asks", () -> GuideSamples.read(log).contains("Code: ") || !process.isAlive());
            assertThat(process.isAlive()).as(GuideSamples.read(log)).isTrue();
            return GuideSamples.type(process, log, code.get());
        } finally {
            process.destroyForcibly();
        }
    }
}
