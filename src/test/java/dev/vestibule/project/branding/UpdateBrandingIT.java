package dev.vestibule.project.branding;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class UpdateBrandingIT {
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final Map<String, Object> ALL = Map.ofEntries(
            Map.entry("brandName", "Café ☕ 브랜드"),
            Map.entry("primaryColorStart", "#0f766e"),
            Map.entry("primaryColorEnd", "#0f766f"),
            Map.entry("lightBg", "#fffffe"),
            Map.entry("lightText", "#000000"),
            Map.entry("darkBg", "#000001"),
            Map.entry("darkText", "#ffffff"),
            Map.entry("borderRadius", 7),
            Map.entry("showEmailPassword", false),
            Map.entry("showDivider", false),
            Map.entry("termsUrl", "https://www.example.com/terms?lang=en#top"),
            Map.entry("privacyUrl", "http://예시.example/privacy"),
            Map.entry("logoDataUrl", png(64)),
            Map.entry("customCss", ".modal { border: 1px solid rgba(0, 0, 0, .2) }"),
            Map.entry("showSecuredBy", true));

    private final TestServer server;
    private final TestProject project;

    UpdateBrandingIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private static String png(int bytes) {
        return "data:image/png;base64," + Base64.getEncoder().encodeToString(Arrays.copyOf(PNG, bytes));
    }

    private Response update(Object fields) {
        return project.asOwner("PATCH", "/branding").json(fields).expect(200);
    }

    private Response served() {
        return project.get("/v1/auth/branding").expect(200);
    }

    private Response read() {
        return project.asOwner("GET", "/branding").expect(200);
    }

    @Test
    void everyFieldIsReturnedAsSet() {
        var updated = update(ALL);

        ALL.forEach((field, value) -> assertThat(updated.text(field)).as(field).isEqualTo(value.toString()));
        assertThat(served().json()).isEqualTo(updated.json());
        assertThat(read().json()).isEqualTo(updated.json());
    }

    @Test
    void onlyGivenFieldsChange() {
        update(ALL);
        ObjectNode expected = read().json().deepCopy();

        assertThat(update(Map.of("darkBg", "#123456")).json()).isEqualTo(expected.put("darkBg", "#123456"));
        assertThat(update(Map.of()).json()).isEqualTo(expected);
    }

    @Test
    void nullResetsEachFieldToItsDefault() {
        var standard = read().json();
        for (var field : ALL.keySet()) {
            update(ALL);
            ObjectNode expected = read().json().deepCopy();
            expected.set(field, standard.path(field));

            assertThat(update(Collections.singletonMap(field, null)).json()).isEqualTo(expected);
        }
    }

    @Test
    void providersAreOrderedAndHidden() {
        var updated = update(Map.of("providerOrder", List.of("kakao", "google"), "hiddenProviders", List.of("x")));

        assertThat(updated.json().path("providerOrder")).hasToString("[\"kakao\",\"google\"]");
        assertThat(updated.json().path("hiddenProviders")).hasToString("[\"x\"]");
        assertThat(served().json()).isEqualTo(updated.json());
        var reset = new HashMap<String, Object>();
        reset.put("providerOrder", null);
        reset.put("hiddenProviders", null);
        assertThat(update(reset).json().path("providerOrder")).isEmpty();
        assertThat(served().json().path("hiddenProviders")).isEmpty();
    }

    @Test
    void coloursAreKeptInTheLongForm() {
        assertThat(update(Map.of("lightBg", "#AbC")).text("lightBg")).isEqualTo("#aabbcc");
        assertThat(update(Map.of("lightBg", "#4F46E5")).text("lightBg")).isEqualTo("#4f46e5");
        assertThat(server.sql().texts("SELECT light_bg FROM brandings WHERE project_id = ?::uuid", project.id()))
                .containsExactly("#4f46e5");
    }

    @Test
    void wholePixelsAreIntegers() {
        for (var radius : List.of("0", "8", "64")) {
            var answer = project.asOwner("PATCH", "/branding").text("{\"borderRadius\":" + radius + "}");
            assertThat(answer.expect(200).body()).contains("\"borderRadius\":" + radius + ",");
        }
        for (var radius : List.of("8.0", "0.8e1")) {
            var answer = project.asOwner("PATCH", "/branding").text("{\"borderRadius\":" + radius + "}");
            assertThat(answer.expect(200).body()).contains("\"borderRadius\":8,");
        }
    }

    @Test
    void aChangeIsServedFromTheNextRequest() {
        served();
        for (int i = 0; i < 20; i++) {
            update(Map.of("brandName", "Brand " + i));
            assertThat(served().text("brandName")).isEqualTo("Brand " + i);
        }
    }

    @ParameterizedTest
    @MethodSource("badFields")
    void anInvalidFieldIsRejected(String field, @Nullable Object value) {
        assertThat(project.asOwner("PATCH", "/branding")
                        .json(Collections.singletonMap(field, value))
                        .expect(422)
                        .failingFields())
                .containsExactly(field);
    }

    static List<Object[]> badFields() {
        return Arrays.asList(
                new Object[] {"brandName", ""},
                new Object[] {"brandName", " "},
                new Object[] {"brandName", "x".repeat(101)},
                new Object[] {"brandName", "two\nlines"},
                new Object[] {"brandName", "nul\u0000"},
                new Object[] {"brandName", "lone \ud800 surrogate"},
                new Object[] {"brandName", 7},
                new Object[] {"primaryColorStart", "4f46e5"},
                new Object[] {"primaryColorStart", "#4f46e"},
                new Object[] {"primaryColorEnd", "#4f46e5800"},
                new Object[] {"lightBg", "#ffff"},
                new Object[] {"lightText", "#ggg"},
                new Object[] {"darkBg", "red"},
                new Object[] {"darkText", "#fff;background:url(x)"},
                new Object[] {"darkText", "#fff\n"},
                new Object[] {"darkText", List.of("#fff")},
                new Object[] {"brandName", "<script>"},
                new Object[] {"brandName", "a \" onload=x"},
                new Object[] {"brandName", "Joe's"},
                new Object[] {"brandName", "a `b`"},
                new Object[] {"darkText", "#ffffffff"},
                new Object[] {"darkText", "rgb(1, 2, 3)"},
                new Object[] {"borderRadius", 7.5},
                new Object[] {"borderRadius", -0.5},
                new Object[] {"borderRadius", 64.01},
                new Object[] {"borderRadius", 1e300},
                new Object[] {"borderRadius", "12"},
                new Object[] {"borderRadius", true},
                new Object[] {"showEmailPassword", "true"},
                new Object[] {"showDivider", 0},
                new Object[] {"termsUrl", "javascript:alert(1)"},
                new Object[] {"termsUrl", "/terms"},
                new Object[] {"termsUrl", "https://a.example/'onclick='x"},
                new Object[] {"termsUrl", "https://a.example/\"onclick=\"x"},
                new Object[] {"termsUrl", "https://a.example/<b>"},
                new Object[] {"providerOrder", "google"},
                new Object[] {"providerOrder", List.of("Google")},
                new Object[] {"hiddenProviders", List.of("<b>")},
                new Object[] {"hiddenProviders", List.of(1)},
                new Object[] {"customCss", "</style><script>alert(1)</script>"},
                new Object[] {"customCss", "@import 'https://evil.example/x.css';"},
                new Object[] {"customCss", "a{background:url(javascript:alert(1))}"},
                new Object[] {"customCss", "a{background:url(https://evil.example/x)}"},
                new Object[] {"customCss", "#url(data:image/png,/*) \" */ ) {} a{b:url(http://evil.example/x)} /* \"{}"
                },
                new Object[] {
                    "customCss", "\u00e9url(data:image/png,/*) \" */ ) {} a{b:url(http://evil.example)} /* \"{}"
                },
                new Object[] {"customCss", 1},
                new Object[] {"showSecuredBy", "no"},
                new Object[] {"locale", "ko"},
                new Object[] {"showWeb3", true},
                new Object[] {"privacyUrl", "https://a.example/" + "x".repeat(2048)},
                new Object[] {"privacyUrl", "https://a.example/\u0000"},
                new Object[] {"logoDataUrl", "https://a.example/logo.png"},
                new Object[] {"logoDataUrl", "data:image/png;base64,AAAA"},
                new Object[] {"logoDataUrl", png(200 * 1024 + 1)},
                new Object[] {"logoDataUrl", Map.of("url", png(64))});
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "-1e999999999"})
    void anOversizedNumberIsRejected(String number) {
        project.asOwner("PATCH", "/branding")
                .text("{\"borderRadius\":" + number + "}")
                .expect(422);
    }

    @Test
    void allInvalidFieldsAreListedAndNothingChanges() {
        var answer = project.asOwner("PATCH", "/branding")
                .json(Map.of("brandName", "A brand", "darkBg", "red", "borderRadius", 65, "logoDataUrl", ""))
                .expect(422);

        assertThat(answer.failingFields()).containsExactlyInAnyOrder("darkBg", "borderRadius", "logoDataUrl");
        assertThat(served().text("brandName")).isEqualTo("A project");
    }

    @Test
    void aBodyThatIsNotAnObjectIsABadRequest() {
        for (var body : List.of("", "[]", "null", "{", "\"text\"")) {
            project.asOwner("PATCH", "/branding").text(body).expect(400);
        }
    }

    @Test
    void aLogoOf200KibibytesIsServed() {
        var logo = png(200 * 1024);

        assertThat(update(Map.of("logoDataUrl", logo)).text("logoDataUrl")).isEqualTo(logo);
        assertThat(served().text("logoDataUrl")).isEqualTo(logo);
        assertThat(served().text("logoDataUrl")).isEqualTo(logo);
    }

    @Test
    void aLogoIsServedToManySimultaneously() {
        var logo = png(200 * 1024);
        update(Map.of("logoDataUrl", logo));

        var answers = Stream.generate(() -> project.get("/v1/auth/branding").sendAsync())
                .limit(50)
                .toList();

        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.join().text("logoDataUrl")).isEqualTo(logo));
    }

    @Test
    void onlyThisOperationAcceptsABodyOf300Kibibytes() {
        project.asOwner("PATCH", "/branding").text(ofLength(307_200)).expect(200);
        project.asOwner("PATCH", "/branding").text(ofLength(307_201)).expect(413);
        project.asOwner("PATCH", "/branding").text(ofLength(1_000_000)).expect(413);
        project.asOwner("PATCH", "").text(ofLength(65_537)).expect(413);
        project.asOwner("PUT", "/providers/google").text(ofLength(65_537)).expect(413);
    }

    private static String ofLength(int bytes) {
        var body = "{\"showDivider\":true";
        return body + " ".repeat(bytes - body.length() - 1) + "}";
    }

    @Test
    void aChangeDoesNotAffectOtherProjects() {
        var other = server.newProject(project.owner(), "Another");
        update(ALL);

        assertThat(other.get("/v1/auth/branding").expect(200).text("brandName")).isEqualTo("Another");
        assertThat(other.asOwner("GET", "/branding").expect(200).text("termsUrl"))
                .isEqualTo("null");
    }

    @Test
    void aViewerCanReadButNotChange() {
        var viewer = server.newMember(project, "viewer");

        project.as(viewer, "PATCH", "/branding")
                .json(Map.of("brandName", "Mine"))
                .expect(403);
        assertThat(project.as(viewer, "GET", "/branding").expect(200).text("brandName"))
                .isEqualTo("A project");
    }
}
