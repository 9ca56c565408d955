package dev.vestibule.page.preview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.LongTexts;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drafts are rendered like saved brandings, with the same rules, and leave nothing behind. */
@ExtendWith(WithServer.class)
class PreviewBrandingIT {
    private static final byte[] PIXEL = Base64.getDecoder()
            .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
    private static final String LOGO =
            "data:image/png;base64," + Base64.getEncoder().encodeToString(PIXEL);

    private final TestServer server;
    private final TestProject project;
    private final ApiClient pages;

    PreviewBrandingIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.pages = ApiClient.undescribed(server.api().base());
    }

    private Call preview(String show, Map<String, ?> draft, String... more) {
        var body = new HashMap<String, Object>(Map.of("show", show, "branding", draft));
        for (int i = 0; i < more.length; i += 2) {
            body.put(more[i], more[i + 1]);
        }
        return project.asOwner("POST", "/branding/preview").json(body);
    }

    private String html(String show, Map<String, ?> draft, String... more) {
        return preview(show, draft, more).expect(200).text("html");
    }

    private void save(Map<String, ?> branding) {
        project.asOwner("PATCH", "/branding").json(branding).expect(200);
    }

    @Test
    void aDraftOfThePageLooksLikeTheSavedPage() {
        var draft = Map.of(
                "brandName", "Engines",
                "primaryColorStart", "#0f766e",
                "customCss", ".card { letter-spacing: 1px }",
                "termsUrl", "https://example.com/terms",
                "logoDataUrl", LOGO);
        var shown = html("signIn", draft);
        save(draft);
        var slug = server.sql()
                .texts("SELECT slug FROM projects WHERE id = ?::uuid", project.id())
                .get(0);
        var page = pages.get("/p/" + slug + "/").expect(200).body();
        var style = pages.get("/p/" + slug + "/style.css").expect(200).body();

        assertThat(shown)
                .contains("--start: #0f766e", ".card { letter-spacing: 1px }", LOGO, "https://example.com/terms");
        assertThat(comparable(shown))
                .isEqualTo(comparable(page.replace(
                        "<link rel=\"stylesheet\" href=\"style.css\">",
                        "<style>"
                                + style.replace("(prefers-color-scheme: dark)", "(max-width: 0)")
                                        .replace("light dark", "light")
                                + "</style>")));
    }

    /** The page without the parts that differ at each visit, and without its script, which a preview does not have. */
    private static String comparable(String page) {
        return page.replace("<base target=\"_blank\">", "")
                .replaceAll("<script type=\"module\" [^>]*/show-password\\.js\"[^>]*></script>\\s*", "")
                .replace("content=\"light dark\"", "content=\"light\"")
                .replaceAll("name=\"formToken\" value=\"[^\"]*\"", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "signIn",
                "signUp",
                "forgotPassword",
                "verificationMail",
                "passwordResetMail",
                "magicLinkMail",
                "signInCodeMail",
                "emailChangeMail",
                "newSignInMail"
            })
    void everyPageAndMailIsShownInEveryLanguageAndInBothSchemes(String show) {
        for (var language : List.of("en", "ko", "ja", "zh", "de", "fr", "es", "pt")) {
            var light = html(show, Map.of("darkBg", "#123456"), "language", language, "scheme", "light");
            var dark = html(show, Map.of("darkBg", "#123456"), "language", language, "scheme", "dark");

            assertThat(light).contains("<html lang=\"" + language + "\">").doesNotContain("prefers-color-scheme");
            assertThat(dark).contains("#123456").doesNotContain("prefers-color-scheme", "light dark");
            assertThat(dark).isNotEqualTo(light);
        }
    }

    @Test
    void aMailShowsItsSubjectAndItsLogo() {
        var mail = preview("verificationMail", Map.of("logoDataUrl", LOGO, "brandName", "Engines"))
                .expect(200);

        assertThat(mail.text("subject")).contains("Engines");
        assertThat(mail.text("html")).contains("src=\"" + LOGO + "\"").doesNotContain("cid:");
        assertThat(preview("signIn", Map.of())
                        .expect(200)
                        .json()
                        .path("subject")
                        .isNull())
                .isTrue();
    }

    @Test
    void aPreviewStoresNothingAndSendsNothing() {
        var before = project.asOwner("GET", "/branding").expect(200).body();
        html("signIn", Map.of("brandName", "Somebody", "customCss", "a { color: red }"));
        html("verificationMail", Map.of("brandName", "Somebody"));

        assertThat(project.asOwner("GET", "/branding").expect(200).body()).isEqualTo(before);
        for (var table : List.of("brandings", "messages", "codes")) {
            assertThat(server.sql()
                            .count("SELECT count(*) FROM " + table + " WHERE project_id = ?::uuid", project.id()))
                    .as(table)
                    .isZero();
        }
    }

    @Test
    void aDraftChangesOnlyTheFieldsItNames() {
        save(Map.of("brandName", "Saved", "primaryColorStart", "#0f766e"));
        var draft = new HashMap<String, Object>();
        draft.put("brandName", null);

        assertThat(html("signIn", draft)).contains("#0f766e").doesNotContain("Saved");
        assertThat(html("signIn", Map.of("primaryColorStart", "#f00"))).contains("--start: #ff0000", "Saved");
    }

    @Test
    void anInvalidValueIsRefusedAtItsField() {
        var refused = preview(
                        "signIn",
                        Map.of(
                                "brandName", "<script>alert(1)</script>",
                                "primaryColorStart", "red",
                                "customCss", "</style><script>alert(1)</script>",
                                "termsUrl", "javascript:alert(1)",
                                "logoDataUrl", "http://example.com/logo.png",
                                "borderRadius", 65))
                .expect(422);

        assertThat(refused.json().path("details").findValuesAsText("field"))
                .containsExactlyInAnyOrder(
                        "branding.brandName",
                        "branding.primaryColorStart",
                        "branding.customCss",
                        "branding.termsUrl",
                        "branding.logoDataUrl",
                        "branding.borderRadius");
        preview("signIn", Map.of("colour", "#fff")).expect(422);
        preview("everything", Map.of()).expect(422);
        preview("signIn", Map.of(), "scheme", "blue").expect(422);
        preview("signIn", Map.of("customCss", "a".repeat(300 * 1024))).expect(413);
    }

    @Test
    void aSavedNameWithMarkupIsEscaped() {
        var evil = server.newProject(server.newDashboardUser(), "<img src=x onerror=alert(1)>");
        for (var show : List.of("signIn", "verificationMail")) {
            var html = evil.asOwner("POST", "/branding/preview")
                    .json(Map.of("show", show))
                    .expect(200)
                    .text("html");
            assertThat(html).doesNotContain("<img src=x");
        }
    }

    /** The checks run on the hashing threads: a check that takes seconds would keep everybody from signing in. */
    @Test
    void aLogoWithExpandingLettersIsAnsweredAtOnce() {
        for (var logo : List.of(
                "<style>" + LongTexts.GROWING.repeat(102_000) + "</style>",
                "<g style=\"" + LongTexts.GROWING.repeat(102_000) + "\"/>",
                "<set attributeName=\"" + LongTexts.GROWING.repeat(102_000) + "\"/>")) {
            var draft = Map.of("logoDataUrl", svg(logo));
            LongTexts.isAnsweredAtOnce(
                    logo.substring(0, 20), () -> preview("signIn", draft).send().status());
        }
    }

    private static String svg(String content) {
        var image = "<svg xmlns=\"http://www.w3.org/2000/svg\">" + content + "</svg>";
        return "data:image/svg+xml;base64,"
                + Base64.getEncoder().encodeToString(image.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void onlyMembersOfTheProjectSeePreviews() {
        project.as(server.newProject().owner(), "POST", "/branding/preview")
                .json(Map.of("show", "signIn"))
                .expect(404);
        server.sql().update("UPDATE memberships SET role = 'viewer' WHERE project_id = ?::uuid", project.id());
        html("signIn", Map.of());
    }

    @Test
    void nothingRunsInTheFrameAndNobodyElseFramesIt() {
        var frame = pages.get("/console/preview").expect(200);

        assertThat(frame.header("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "form-action 'none'", "frame-ancestors 'self'", "sandbox")
                .doesNotContain("script", "allow-forms", "allow-popups", "allow-top");
        assertThat(frame.header("X-Frame-Options")).contains("SAMEORIGIN");
        assertThat(pages.get("/console/").expect(200).header("X-Frame-Options")).contains("DENY");
    }
}
