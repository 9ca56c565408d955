package dev.vestibule.page.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.MultiFormatReader;
import com.google.zxing.NotFoundException;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.common.HybridBinarizer;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The steps of a sign in that follow a first one, in a real browser; skipped if none is installed. */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostedStepsInBrowserIT {
    private static final String CREATE = """
            async text => {
              const options = JSON.parse(text);
              const bytes = part => Uint8Array.from(atob(part.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0));
              const base64 = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer)))
                  .replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=+$/, '');
              const made = await navigator.credentials.create({publicKey: {...options, challenge: bytes(options.challenge),
                user: {...options.user, id: bytes(options.user.id)}, excludeCredentials: []}});
              return {id: made.id, rawId: base64(made.rawId), type: made.type, response: {
                attestationObject: base64(made.response.attestationObject),
                clientDataJSON: base64(made.response.clientDataJSON)}};
            }
            """;

    private final TestReceiver carrier;
    private final WithMail mail;
    private final WithSms sms;
    private final String url;
    private final TestServer server;
    private final List<String> logged = new ArrayList<>();
    private final Chromium chromium;

    HostedStepsInBrowserIT(Chromium chromium, TestDatabase database) {
        this.chromium = chromium;
        carrier = TestReceiver.start();
        var port = FreePort.find();
        url = "http://localhost:" + port;
        mail = WithMail.start(
                database,
                WithSms.settings(
                        carrier, Map.of("VESTIBULE_PUBLIC_URL", url, "VESTIBULE_HTTP_PORT", Integer.toString(port))));
        server = mail.server();
        sms = new WithSms(carrier, server, mail.clock());
    }

    @AfterAll
    void stop() {
        mail.close();
        carrier.close();
    }

    private Page open(TestProject project, Map<String, String> more, boolean withScripts) {
        var page = newPage(withScripts);
        visit(page, project, more);
        return page;
    }

    private Page newPage(boolean withScripts) {
        var page = chromium.newPage(new Browser.NewContextOptions()
                .setJavaScriptEnabled(withScripts)
                .setLocale("en")
                .setViewportSize(Chromium.NARROW, 760));
        Chromium.collectComplaints(page, logged);
        // The application does not exist: it is enough that the browser is sent to it.
        page.route("https://app.example.com/**", route -> route.fulfill());
        return page;
    }

    private static void visit(Page page, TestProject project, Map<String, String> more) {
        page.navigate(new HostedBrowser(project).requestUrl(more));
    }

    private static void submit(Page page) {
        page.click("form button:not([class])");
    }

    private static void signIn(Page page, String email) {
        page.fill("#email", email);
        page.fill("#password", TestProject.PASSWORD);
        submit(page);
    }

    @Test
    void anAuthenticatorAppIsSetUpFromThePictureWithoutScripts() throws IOException, NotFoundException {
        var project = HostedFactorIT.requiring(server);
        var email = HostedFactorIT.longStandingUser(server, project);
        var page = open(project, Map.of(), false);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        signIn(page, email);

        var scanned = scan(page);
        assertThat(scanned).startsWith("otpauth://totp/");
        var secret = scanned.replaceAll(".*[?&]secret=([A-Z2-7]+).*", "$1");
        assertThat(page.textContent(".key").replace(" ", "")).isEqualTo(secret);
        page.fill("#code", new Authenticator(secret, mail.clock()).code());
        submit(page);

        assertThat(page.locator(".codes li").count()).isEqualTo(10);
        Chromium.fits(page, "the page");
        submit(page);
        page.waitForURL(HostedBrowser.APP + "?code=*");
        assertThat(logged).isEmpty();
    }

    /** Reads the picture like the camera of a phone. */
    private static String scan(Page page) throws IOException, NotFoundException {
        var image = ImageIO.read(new ByteArrayInputStream(page.locator("img.qr").screenshot()));
        var pixels = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
        var source = new RGBLuminanceSource(image.getWidth(), image.getHeight(), pixels);
        return new MultiFormatReader()
                .decode(new BinaryBitmap(new HybridBinarizer(source)))
                .getText();
    }

    @Test
    void settingUpAnAppIsAccessibleInBothColourSchemesAndOnSmallScreens() {
        var project = HostedFactorIT.requiring(server);
        server.change(project, "name = '<img src=x onerror=alert(1)> & a name that is rather long'");
        HostedBrowser.allowing(project); // and is in force
        var email = HostedFactorIT.longStandingUser(server, project);
        var page = open(project, Map.of("locale", "de"), true);
        signIn(page, email);
        Chromium.isAccessible(page, "set-up-factor");
        var app = new Authenticator(page.textContent(".key").replace(" ", ""), mail.clock());
        page.fill("#code", app.wrongCode());
        submit(page);
        Chromium.isAccessible(page, "set-up-factor-wrong");
        page.fill("#code", app.code());
        submit(page);
        Chromium.isAccessible(page, "backup-codes");
        page.context().close();
        assertThat(logged).isEmpty();
    }

    @Test
    void aCodeBySmsSignsInWithoutScripts() {
        var project = HostedBrowser.allowing(sms.newProject());
        var phone = WithSms.newNumber();
        var page = open(project, Map.of(), false);
        page.click("button[value=sms-code]");
        page.fill("#phone", phone);
        submit(page);
        page.fill("#code", sms.awaitCode(phone, 1));
        submit(page);
        page.waitForURL(HostedBrowser.APP + "?code=*");
        assertThat(logged).isEmpty();
    }

    @Test
    void signingInBySmsIsAccessibleInBothColourSchemesAndOnSmallScreens() {
        var project = HostedBrowser.allowing(sms.newProject());
        var page = open(project, Map.of("locale", "fr", "screen", "sms-code"), true);
        Chromium.isAccessible(page, "sms-code");
        page.fill("#phone", "12");
        submit(page);
        Chromium.isAccessible(page, "sms-code-refused");
        page.fill("#phone", WithSms.newNumber());
        submit(page);
        Chromium.isAccessible(page, "enter-sms-code");
        page.context().close();
        assertThat(logged).isEmpty();
    }

    /** A project with passkeys that sign in only on the page. */
    private TestProject projectWithPasskeys() {
        var project = HostedBrowser.allowing(server.newProject());
        project.asOwner("PATCH", "")
                .json(Map.of("passkeyRpId", "localhost", "passkeyOrigins", List.of(url)))
                .expect(200);
        return project;
    }

    /**
     * Gives the window an authenticator that accepts everything, with a passkey of a new user; returns the user's
     * email.
     */
    private String registerPasskey(Page page, TestProject project) {
        var email = TestServer.newEmail();
        var token = project.signUp(email).accessToken();
        Chromium.addAuthenticator(page);
        visit(page, project, Map.of("screen", "forgot-password")); // no script asks for a passkey there
        var options = project.post("/v1/auth/passkeys/register/options")
                .bearer(token)
                .expect(200)
                .json()
                .path("options")
                .toString();
        @SuppressWarnings("unchecked")
        var made = (Map<String, Object>) page.evaluate(CREATE, options);
        project.post("/v1/auth/passkeys/register/verify")
                .bearer(token)
                .json(made)
                .expect(200);
        return email;
    }

    private static String redeemed(Page page, TestProject project) {
        page.waitForURL(HostedBrowser.APP + "?code=*");
        var code = HostedBrowser.parameter(URI.create(page.url()), "code");
        return new HostedBrowser(project)
                .redeem(Map.of("code", code, "codeVerifier", HostedBrowser.VERIFIER), 200)
                .text("user/email");
    }

    @Test
    void aPasskeySignsInWithTheButton() {
        var project = projectWithPasskeys();
        var page = newPage(true);
        page.addInitScript("delete PublicKeyCredential.isConditionalMediationAvailable");
        var email = registerPasskey(page, project);
        visit(page, project, Map.of());

        page.click("#passkey button");

        assertThat(redeemed(page, project)).isEqualTo(email);
        assertThat(logged).isEmpty();
    }

    @Test
    void aPasskeySignsInWithTheBrowsersAutofill() {
        var project = projectWithPasskeys();
        var page = newPage(true);
        var email = registerPasskey(page, project);

        visit(page, project, Map.of()); // the authenticator chooses by itself

        assertThat(redeemed(page, project)).isEqualTo(email);
        assertThat(logged).isEmpty();
    }

    @Test
    void aRefusedOrMissingPasskeyIsReportedAccessibly() {
        var project = projectWithPasskeys();
        var page = newPage(true);
        page.addInitScript("delete PublicKeyCredential.isConditionalMediationAvailable");
        registerPasskey(page, project);
        server.sql().update("DELETE FROM passkeys WHERE project_id = ?::uuid", project.id());
        visit(page, project, Map.of());
        page.waitForSelector("#passkey button");
        Chromium.isAccessible(page, "passkey");
        page.click("#passkey button");
        page.waitForSelector("main > .problem");
        assertThat(page.textContent("main > .problem")).contains("This passkey does not sign in here.");
        Chromium.isAccessible(page, "passkey-refused");

        page.evaluate(
                "() => { navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError')); }");
        page.click("#passkey button");
        page.waitForSelector("#passkey-problem");
        Chromium.isAccessible(page, "passkey-not-chosen");
        page.context().close();
        assertThat(logged).isEmpty();
    }

    @Test
    void whereOnlyPasskeysSignInThePageSaysWhatTheyNeed() {
        var project = projectWithPasskeys();
        project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("password", false, "passwordless", false)))
                .expect(200);
        var without = open(project, Map.of(), false);
        assertThat(without.isVisible("#passkey")).isFalse();
        assertThat(without.textContent("main")).contains("try another browser");
        var page = open(project, Map.of(), true);
        page.waitForSelector("#passkey button");
        assertThat(page.textContent("main")).doesNotContain("try another browser");
        Chromium.isAccessible(page, "passkey-only");
        assertThat(logged).isEmpty();
    }

    @Test
    void withoutScriptsOrPasskeysInTheBrowserNoneAreOffered() {
        var project = projectWithPasskeys();
        assertThat(open(project, Map.of(), false).isVisible("#passkey")).isFalse();
        var page = newPage(true);
        page.addInitScript("delete window.PublicKeyCredential");
        visit(page, project, Map.of());
        assertThat(page.isVisible("#passkey")).isFalse();
        var elsewhere = newPage(true);
        elsewhere.navigate(new HostedBrowser(project).requestUrl(Map.of()).replace("localhost", "127.0.0.1"));
        assertThat(elsewhere.isVisible("#passkey")).isFalse();
        assertThat(logged).isEmpty();
    }
}
