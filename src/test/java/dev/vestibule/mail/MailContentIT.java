package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The content of mails, as an SMTP server receives it. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MailContentIT {
    private static final String PIXEL =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

    private final WithMail mail;
    private final TestServer server;

    MailContentIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    private MimeMessage welcome(TestProject project, String acceptLanguage) {
        var email = TestServer.newEmail();
        project.post("/v1/auth/signup")
                .header("Accept-Language", acceptLanguage)
                .json(Map.of("email", email, "password", TestProject.PASSWORD, "displayName", "Buy at evil.example"))
                .expect(201);
        return mail.mailbox().await(email, 1);
    }

    private void brand(TestProject project, String name, @Nullable String logoDataUrl) {
        server.sql()
                .update(
                        "INSERT INTO brandings (project_id, brand_name, primary_color_start, logo_data_url)"
                                + " VALUES (?::uuid, ?, '#f00', ?)",
                        project.id(),
                        name,
                        logoDataUrl);
    }

    @Test
    void aMailHasTextAndHtmlAndTheHeadersOfAnAutomaticMail() throws MessagingException {
        var arrived = welcome(server.newProject(), "en");

        assertThat(arrived.getContentType()).startsWith("multipart/alternative");
        assertThat(arrived.getSubject()).isEqualTo("Your code for A project");
        var from = (InternetAddress) arrived.getFrom()[0];
        assertThat(from.getPersonal()).isEqualTo("A project");
        assertThat(from.getAddress()).isEqualTo("no-reply@auth.example.com");
        assertThat(arrived.getHeader("Auto-Submitted", null)).isEqualTo("auto-generated");
        assertThat(arrived.getMessageID()).endsWith("@auth.example.com>");
        assertThat(TestMailbox.html(arrived)).contains(">" + TestMailbox.code(arrived) + "<");
        assertThat(TestMailbox.text(arrived)).contains("10 minutes").doesNotContain("<");
    }

    @ParameterizedTest
    @CsvSource({
        "en-GB,                     Your code for A project",
        "ko-KR,                     A project 인증 코드",
        "ja,                        A project の確認コード",
        "zh-Hant-TW,                A project 验证码",
        "'de-AT,de;q=0.9,en;q=0.8', Ihr Code für A project",
        "'tlh, fr;q=0.5',           Votre code pour A project",
        "es-419,                    Tu código para A project",
        "pt-BR,                     O seu código para A project",
        "tlh,                       Your code for A project",
        "'q=;;,,,',                 Your code for A project"
    })
    void theLanguageFollowsAcceptLanguage(String acceptLanguage, String subject) throws MessagingException {
        assertThat(welcome(server.newProject(), acceptLanguage).getSubject()).isEqualTo(subject);
    }

    @Test
    void theProjectsLocaleOverridesAcceptLanguage() throws MessagingException {
        var project = server.newProject();
        project.asOwner("PATCH", "").json(Map.of("locale", "ko")).expect(200);

        var arrived = welcome(project, "de");

        assertThat(arrived.getSubject()).isEqualTo("A project 인증 코드");
        assertThat(TestMailbox.html(arrived)).contains("lang=\"ko\"");
    }

    @Test
    void aMailShowsTheBrandAndItsLogo() throws MessagingException {
        var project = server.newProject();
        brand(project, "Ünïcode 🚀 GmbH", "data:image/png;base64," + PIXEL);

        var arrived = welcome(project, "en");

        assertThat(arrived.getSubject()).isEqualTo("Your code for Ünïcode 🚀 GmbH");
        assertThat(((InternetAddress) arrived.getFrom()[0]).getPersonal()).isEqualTo("Ünïcode 🚀 GmbH");
        assertThat(TestMailbox.html(arrived))
                .contains("#ff0000")
                .contains("src=\"cid:logo\"")
                .contains("Ünïcode 🚀 GmbH");
        assertThat(TestMailbox.raw(arrived))
                .contains("Content-ID: <logo>")
                .contains("multipart/related")
                .contains(PIXEL.substring(0, 60));
    }

    @Test
    void aLogoThatMailClientsDoNotShowIsLeftOut() {
        var project = server.newProject();
        var svg = Base64.getEncoder().encodeToString("<svg/>".getBytes(StandardCharsets.UTF_8));
        brand(project, "SVG & Co", "data:image/svg+xml;base64," + svg);

        assertThat(TestMailbox.html(welcome(project, "en")))
                .doesNotContain("<img")
                .contains("SVG &amp; Co");
    }

    @Test
    void aBrandNameCannotInjectHeadersOrHtmlOrChangeTheTextDirection() throws MessagingException {
        var project = server.newProject();
        var evil = "x\r\nBcc: all@local\r\n\r\n<script>alert('1')</script> \"<a@b>, \u202eevil\u2028y";
        brand(project, evil, null);

        var arrived = welcome(project, "en");

        var clean = "x Bcc: all@local <script>alert('1')</script> \"<a@b>,  evil y";
        assertThat(arrived.getSubject()).isEqualTo("Your code for " + clean);
        assertThat(arrived.getFrom()).hasSize(1);
        assertThat(((InternetAddress) arrived.getFrom()[0]).getAddress()).isEqualTo("no-reply@auth.example.com");
        assertThat(arrived.getHeader("Bcc")).isNull();
        assertThat(arrived.getAllRecipients()).hasSize(1);
        assertThat(TestMailbox.html(arrived)).contains("&lt;script&gt;").doesNotContain("<script", "\u202e", "<a@b");
        assertThat(TestMailbox.text(arrived)).doesNotContain("\u202e");
    }

    private static void write(TestProject project, String message, Map<String, String> texts) {
        project.asOwner("PUT", "/message-texts/" + message).json(texts).expect(200);
    }

    @Test
    void aMailHasTheTextsThatItsProjectHasWrittenInItsLanguage() throws MessagingException {
        var project = server.newProject();
        write(
                project,
                "verification/en",
                Map.of(
                        "subject",
                        "{{ code }} opens {{brand}} 🚀 שלום",
                        "intro",
                        "Hello <b>you</b>,\nthis is {{ brand }}."));

        var english = welcome(project, "en");
        var german = welcome(project, "de");

        var code = TestMailbox.code(english);
        assertThat(english.getSubject()).isEqualTo(code + " opens A project 🚀 שלום");
        assertThat(TestMailbox.text(english).lines())
                .containsSequence("Hello <b>you</b>,", "this is A project.", "", "    " + code);
        assertThat(TestMailbox.html(english))
                .containsPattern("Hello &lt;b&gt;you&lt;/b&gt;,\\R" + "this is A project.")
                .contains("Confirm your email address");
        assertThat(german.getSubject()).isEqualTo("Ihr Code für A project");

        project.asOwner("DELETE", "/message-texts/verification/en").expect(200);
        assertThat(welcome(project, "en").getSubject()).isEqualTo("Your code for A project");
    }

    /** As they could only be by another way than the API, such as the backup of a version with other rules. */
    @Test
    void whateverTheTextsAreAMailHasNoOtherLinksAndNoOtherHeaders() throws MessagingException {
        var project = server.newProject();
        server.sql()
                .update(
                        "INSERT INTO message_texts (project_id, message, language, texts)"
                                + " VALUES (?::uuid, 'verification', 'en', ?::jsonb)",
                        project.id(),
                        "{\"subject\": \"A\\r\\nBcc: all@local {% 7 %}\", \"intro\": \"Go to https://evil.example/ now\"}");

        var arrived = welcome(project, "en");

        assertThat(arrived.getSubject()).startsWith("A Bcc: all").contains("{% 7 %}");
        assertThat(arrived.getHeader("Bcc")).isNull();
        assertThat(TestMailbox.text(arrived)).doesNotContain("evil.example", "https://");
    }

    /** A placeholder is short, and what it stands for may have a hundred characters. */
    @ParameterizedTest
    @ValueSource(strings = {"B", "\u3316", "\ud83d\ude80"})
    void aMailIsSentHoweverLongItsTextBecomes(String letter) throws MessagingException {
        var project = server.newProject();
        var brand = letter.repeat(100);
        project.asOwner("PATCH", "/branding").json(Map.of("brandName", brand)).expect(200);
        var texts = Map.of("subject", "{{brand}}".repeat(16), "intro", "{{brand}}".repeat(111));
        write(project, "verification/en", texts);

        var preview = project.asOwner("POST", "/message-texts/verification/en/preview")
                .json(Map.of("texts", texts))
                .expect(200);

        assertThat(preview.text("html")).contains(brand + brand);
        assertThat(TestMailbox.text(welcome(project, "en"))).contains(brand + brand);
    }

    /** It comes from the operator, to a person who does not know the project. */
    @Test
    void theInvitationToAProjectHasTheTextsOfTheServer() throws MessagingException {
        var project = server.newProject();
        server.sql()
                .update(
                        "INSERT INTO message_texts (project_id, message, language, texts)"
                                + " VALUES (?::uuid, 'invitation', 'en', '{\"subject\": \"Win a prize\"}')",
                        project.id());
        var email = TestServer.newEmail();
        project.asOwner("POST", "/members")
                .json(Map.of("email", email, "role", "viewer"))
                .send();

        assertThat(mail.mailbox().await(email, 1).getSubject()).isEqualTo("You are invited to manage A project");
        project.asOwner("PUT", "/message-texts/invitation/en")
                .json(Map.of("subject", "Win a prize"))
                .expect(404);
    }

    /** Otherwise anyone could send an advertisement to any address as the name of a new account. */
    @Test
    void aMailGreetsByNameOnlyIfTheAddressIsVerified() {
        var project = server.newProject();
        var email = TestServer.newEmail();
        project.post("/v1/auth/signup")
                .json(Map.of("email", email, "password", TestProject.PASSWORD, "displayName", "<b>Ann</b>"))
                .expect(201);
        var welcome = mail.mailbox().await(email, 1);
        assertThat(TestMailbox.text(welcome)).doesNotContain("Ann", "Hello");
        assertThat(TestMailbox.html(welcome)).doesNotContain("Ann");

        project.post("/v1/auth/verify-email")
                .json(Map.of("email", email, "code", TestMailbox.code(welcome)))
                .expect(200);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        var reset = mail.mailbox().await(email, 2);
        assertThat(TestMailbox.text(reset)).contains("Hello <b>Ann</b>,");
        assertThat(TestMailbox.html(reset))
                .contains("Hello &lt;b&gt;Ann&lt;/b&gt;,")
                .doesNotContain("<b>");
    }

    @Test
    void aMailToAnInternationalDomainUsesItsAsciiForm() throws MessagingException {
        var project = server.newProject();
        project.signUp("ann@bücher.example");

        var arrived = mail.mailbox().await("ann@xn--bcher-kva.example", 1);

        assertThat(arrived.getAllRecipients()[0].toString().toLowerCase(Locale.ROOT))
                .isEqualTo("ann@xn--bcher-kva.example");
    }

    @Test
    void aResetMailHasALinkToTheProjectsPageUntilThePageIsCleared() throws MessagingException {
        var project = server.newProject();
        var email = "a+b." + TestServer.newEmail();
        project.signUp(email);
        project.asOwner("PATCH", "")
                .json(Map.of("passwordResetUrl", "https://app.example.com/?page=reset#top"))
                .expect(200);
        mail.mailbox().await(email, 1);
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);

        var withLink = mail.mailbox().await(email, 2);
        var code = TestMailbox.code(withLink);
        var link = "https://app.example.com/?page=reset&code=" + code + "&email="
                + URLEncoder.encode(email, StandardCharsets.UTF_8) + "#top";
        assertThat(TestMailbox.text(withLink)).contains("on this page:").contains(link);
        assertThat(TestMailbox.html(withLink)).contains("href=\"" + link.replace("&", "&amp;") + "\"");
        assertThat(TestMailbox.text(mail.mailbox().await(email, 1))).doesNotContain("https://app.example.com");
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", code, "password", "another long password"))
                .expect(200);
        mail.mailbox().await(email, 3); // the notice of the reset

        project.asOwner("PATCH", "")
                .json(Collections.singletonMap("passwordResetUrl", null))
                .expect(200);
        mail.passAMinute();
        project.post("/v1/auth/password/forgot").json(Map.of("email", email)).expect(200);
        var withoutLink = mail.mailbox().await(email, 4);
        assertThat(withoutLink.getSubject()).startsWith("Reset your password");
        assertThat(TestMailbox.text(withoutLink)).doesNotContain("https://app.example.com", "on this page");
        assertThat(TestMailbox.html(withoutLink)).doesNotContain("https://app.example.com", "<a ");
    }
}
