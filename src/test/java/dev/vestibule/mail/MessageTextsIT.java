package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.LongTexts;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a project can write in its mails and SMS; {@link MailContentIT} sends them. */
@ExtendWith(WithServer.class)
class MessageTextsIT {
    private final TestServer server;
    private final TestProject project;

    MessageTextsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Call write(String message, Map<String, ?> texts) {
        return project.asOwner("PUT", "/message-texts/" + message).json(texts);
    }

    private String refusal(String message, Map<String, ?> texts) {
        return write(message, texts).expect(422).text("message");
    }

    @Test
    void everyMessageIsListedWithTheServersTexts() {
        var messages =
                project.asOwner("GET", "/message-texts").expect(200).json().path("messages");

        assertThat(messages.findValuesAsText("message"))
                .contains("verification", "organization_invitation", "notice.new_sign_in", "sms")
                .doesNotContain("invitation");
        assertThat(messages).allSatisfy(message -> {
            assertThat(message.path("language").textValue()).isEqualTo("en");
            assertThat(message.path("ownLanguages")).isEmpty();
            assertThat(message.path("parts")).isNotEmpty().allSatisfy(part -> {
                assertThat(part.path("serverText").textValue()).isNotBlank();
                assertThat(part.path("ownText").isNull()).isTrue();
            });
        });
        project.asOwner("GET", "/message-texts?language=tlh").expect(422);
    }

    @Test
    void theListSpeaksTheLanguageOfTheProject() {
        project.asOwner("PATCH", "").json(Map.of("locale", "de")).expect(200);
        write("magic_link/de", Map.of("title", "Herein")).expect(200);
        write("magic_link/fr", Map.of("title", "Entrez")).expect(200);

        var german = project.asOwner("GET", "/message-texts").expect(200);
        var french = project.asOwner("GET", "/message-texts?language=fr").expect(200);

        assertThat(german.json().findValuesAsText("ownText")).contains("Herein").doesNotContain("Entrez");
        assertThat(french.json().findValuesAsText("ownText")).contains("Entrez").doesNotContain("Herein");
        assertThat(german.json().at("/messages/2/ownLanguages").toString()).isEqualTo("[\"de\",\"fr\"]");
    }

    @Test
    void textsAreReplacedAndTheServersComeBack() {
        var written = write("verification/en", Map.of("subject", " Welcome ", "intro", "First\r\nsecond"))
                .expect(200);
        assertThat(written.text("parts/0/ownText")).isEqualTo("Welcome");
        assertThat(written.text("parts/2/ownText")).isEqualTo("First\nsecond");

        var title = new HashMap<String, Object>(Map.of("title", "Hello"));
        title.put("subject", null);
        write("verification/en", title).expect(200);
        var read = project.asOwner("GET", "/message-texts/verification/en").expect(200);
        assertThat(read.json().at("/parts/0/ownText").isNull()).isTrue();
        assertThat(read.text("parts/1/ownText")).isEqualTo("Hello");

        project.asOwner("DELETE", "/message-texts/verification/en").expect(200);
        project.asOwner("DELETE", "/message-texts/verification/en").expect(404);
        write("verification/en", Map.of("title", "Hello")).expect(200);
        write("verification/en", Map.of()).expect(200);
        project.asOwner("DELETE", "/message-texts/verification/en").expect(404);
    }

    @ParameterizedTest
    @CsvSource({
        "sms/en,                        text,  Your code for {{ brand }},       '{{ code }}'",
        "organization_invitation/en,    intro, You are invited to {{ brand }},  '{{ organization }}'",
        "notice.provider_linked/en,     intro, A provider was linked,           '{{ provider }}'",
        "notice.provider_unlinked/de,   intro, Ein Anbieter wurde entfernt,     '{{ provider }}'"
    })
    void aTextWithoutWhatPeopleNeedIsRefused(String message, String part, String text, String needed) {
        assertThat(refusal(message, Map.of(part, text))).isEqualTo(part + " must contain " + needed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ password }}",
                "{{ email }}",
                "{{ link }}",
                "{{ brand | upper }}",
                "{{ brand.class }}",
                "{{}}",
                "{{ code",
                "}}",
                "{{{{ brand }}}}",
                "{{ Brand }}"
            })
    void onlyPlaceholdersOfTheMessageAreAllowed(String text) {
        assertThat(refusal("verification/en", Map.of("intro", text)))
                .isEqualTo("intro must have no placeholders but {{ brand }}, {{ code }}, {{ minutes }}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Go to https://evil.example/",
                "evil.com",
                "{{ brand }}.com",
                "evil.{{ brand }}",
                "evil.{{ brand }}/path",
                "ann@example.com",
                "//evil.com/",
                "evil\u3002com",
                "e\u200Bvil.com",
                "Done.Com on"
            })
    void aTextHasNoLinks(String text) {
        assertThat(refusal("verification/en", Map.of("intro", text))).startsWith("intro must not hold a link");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Ad astra 🚀👩‍🚀",
                "שלום {{ brand }}",
                "مرحبا {{ brand }}",
                "ようこそ。コムギです。公司",
                "{% if true %} <b> & \"quotes\" {brand} $1 \\",
                "It takes 3.5 minutes. OK? Yes!"
            })
    void anyOtherPlainTextIsKeptAsItIs(String text) {
        assertThat(write("verification/en", Map.of("intro", text, "subject", text))
                        .expect(200)
                        .text("parts/2/ownText"))
                .isEqualTo(text);
    }

    @Test
    void aLineHasNoLineBreaksAndNoTextHasOtherControlCharacters() {
        for (var evil : List.of("a\r\nBcc: b", "a\nb", "a\u0000b", "a\u2028b", "a\u001bb", "\ud800")) {
            assertThat(write("verification/en", Map.of("subject", evil)).send().status())
                    .as(evil)
                    .isIn(400, 422);
        }
        write("verification/en", Map.of("intro", "a\u0000b")).expect(422);
        write("verification/en", Map.of("intro", "a\u2028b")).expect(422);
        write("verification/en", Map.of("intro", "a\u0007b")).expect(422);
        write("verification/en", Map.of("subject", "a".repeat(151))).expect(422);
        write("verification/en", Map.of("subject", "🚀".repeat(150))).expect(200);
        write("verification/en", Map.of("intro", "a".repeat(1001))).expect(422);
        write("verification/en", Map.of("intro", " ")).expect(422);
        write("verification/en", Map.of("intro", 1)).expect(422);
        write("verification/en", Map.of("html", "<b>")).expect(422);
        write("sms/en", Map.of("text", "{{ code }}" + "a".repeat(291))).expect(422);
        write("notice.email_changed/en", Map.of("action", "Nothing")).expect(422);
    }

    /** The operator pays for each part of an SMS, and counts SMS. */
    @Test
    void anSmsIsNoLongerThanItMayBeWhateverTheProjectIsCalled() {
        write("sms/en", Map.of("text", "{{ code }}" + "{{ brand }}".repeat(7))).expect(200);
        assertThat(refusal("sms/en", Map.of("text", "{{ code }}" + "{{ brand }}".repeat(8))))
                .isEqualTo("text must have at most 300 characters, with 40 for each {{ brand }}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"verification/tlh", "verification/EN", "unknown/en", "notice./en", "sms_sign_in/en"})
    void anUnknownMessageOrLanguageIsNotFound(String message) {
        project.asOwner("GET", "/message-texts/" + message).expect(404);
        write(message, Map.of()).expect(404);
        project.asOwner("DELETE", "/message-texts/" + message).expect(404);
        project.asOwner("POST", "/message-texts/" + message + "/preview")
                .json(Map.of())
                .expect(404);
    }

    @Test
    void onlyThoseWhoMayChangeTheBrandingWriteTexts() {
        var stranger = server.newProject().owner();
        project.as(stranger, "PUT", "/message-texts/sms/en").json(Map.of()).expect(404);
        project.as(stranger, "GET", "/message-texts").expect(404);
        for (var role : List.of("support", "viewer")) {
            server.sql().update("UPDATE memberships SET role = ? WHERE project_id = ?::uuid", role, project.id());
            write("verification/en", Map.of("title", "Hello")).expect(403);
            project.asOwner("DELETE", "/message-texts/verification/en").expect(403);
            project.asOwner("GET", "/message-texts").expect(200);
        }
    }

    @Test
    void aChangeIsInTheAuditLogWithoutItsTexts() {
        write("verification/de", Map.of("title", "Secret plan")).expect(200);

        var entry = project.manage("GET", "/v1/dashboard/audit-logs?event=project.message_texts.updated")
                .expect(200)
                .json()
                .toString();

        assertThat(entry).contains("verification", "\"de\"", "title").doesNotContain("Secret plan");
    }

    @Test
    void aPreviewShowsTheDraftAndStoresNothing() {
        for (var message : project.asOwner("GET", "/message-texts")
                .expect(200)
                .json()
                .path("messages")
                .findValuesAsText("message")) {
            var part = message.equals("sms") ? "text" : "intro";
            var draft = "<i>Draft</i> {{ brand }} {{ code }}{{ organization }}{{ provider }}"
                    .replace(message.contains("provider") ? "{{ code }}{{ organization }}" : "{{ provider }}", "")
                    .replace(message.startsWith("organization") ? "{{ code }}" : "{{ organization }}", "")
                    .replace(message.startsWith("notice") || message.startsWith("magic") ? "{{ code }}" : "-", "");
            var shown = project.asOwner("POST", "/message-texts/" + message + "/ja/preview")
                    .json(Map.of("scheme", "dark", "texts", Map.of(part, draft)))
                    .expect(200);
            assertThat(shown.text("html"))
                    .as(message)
                    .contains("&lt;i&gt;Draft&lt;/i&gt; A project", "lang=\"ja\"")
                    .doesNotContain("<script", "light dark");
            assertThat(shown.json().path("subject").isNull()).isEqualTo(message.equals("sms"));
        }
        assertThat(server.sql().count("SELECT count(*) FROM message_texts WHERE project_id = ?::uuid", project.id()))
                .isZero();
        var refused = project.asOwner("POST", "/message-texts/sms/en/preview")
                .json(Map.of("texts", Map.of("text", "Hello")))
                .expect(422);
        assertThat(refused.text("details/0/field")).isEqualTo("texts.text");
    }

    @Test
    void thePreviewOfTheBrandingShowsTheTextsToo() {
        write("verification/fr", Map.of("subject", "Bienvenue")).expect(200);

        var shown = project.asOwner("POST", "/branding/preview")
                .json(Map.of("show", "verificationMail", "language", "fr"))
                .expect(200);

        assertThat(shown.text("subject")).isEqualTo("Bienvenue");
    }

    @Test
    void aLongTextIsAnsweredAtOnce() {
        for (var text : List.of("{{ ".repeat(330), "{".repeat(1000), "\u3002\u3042".repeat(500), "a.".repeat(500))) {
            LongTexts.isAnsweredAtOnce(
                    text.substring(0, 4),
                    () -> write("verification/en", Map.of("intro", text)).send().status());
        }
    }
}
