package dev.vestibule.project.branding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class GetBrandingIT {
    private static final String OTHER = "\"" + "A".repeat(43) + "\"";

    private final TestProject project;

    GetBrandingIT(TestServer server) {
        this.project = server.newProject();
    }

    private Response get() {
        return project.get("/v1/auth/branding").expect(200);
    }

    private String etag() {
        return get().header("ETag").orElseThrow();
    }

    private Response change(Map<String, ?> fields) {
        return project.asOwner("PATCH", "/branding").json(fields).expect(200);
    }

    @Test
    void aNewProjectHasItsNameAndTheDefaults() {
        var branding = get().json();

        assertThat(branding.path("brandName").asText()).isEqualTo("A project");
        assertThat(branding.fieldNames())
                .toIterable()
                .containsExactly(
                        "brandName",
                        "primaryColorStart",
                        "primaryColorEnd",
                        "lightBg",
                        "lightText",
                        "darkBg",
                        "darkText",
                        "borderRadius",
                        "showEmailPassword",
                        "showDivider",
                        "termsUrl",
                        "privacyUrl",
                        "logoDataUrl",
                        "providerOrder",
                        "hiddenProviders",
                        "customCss",
                        "locale",
                        "showSecuredBy",
                        "showPasswordless",
                        "passwordlessMethod",
                        "showPasskey",
                        "showWeb3",
                        "captchaEnabled",
                        "turnstileSiteKey");
        assertThat(branding.path("showEmailPassword").asBoolean()).isTrue();
    }

    @Test
    void featuresThatTheServerDoesNotOfferAreNotShown() {
        var branding = get().json();

        for (var field : List.of("showWeb3", "showPasskey", "captchaEnabled", "showSecuredBy")) {
            assertThat(branding.path(field).isBoolean()).as(field).isTrue();
            assertThat(branding.path(field).asBoolean()).as(field).isFalse();
        }
        assertThat(branding.path("passwordlessMethod").asText()).isEqualTo("email_otp");
        assertThat(branding.path("showPasswordless").asBoolean()).isTrue();
        assertThat(branding.path("customCss")).hasToString("\"\"");
        assertThat(branding.path("borderRadius").isInt()).isTrue();
        assertThat(branding.path("providerOrder")).isEmpty();
        assertThat(branding.path("hiddenProviders")).isEmpty();
    }

    @Test
    void providersThatClientsDoNotKnowAreHiddenAutomatically() {
        get();
        var settings = Map.of("clientId", "an app", "clientSecret", "a secret", "enabled", true);
        project.asOwner("PUT", "/providers/google").json(settings).expect(200);
        assertThat(get().json().path("hiddenProviders")).isEmpty();

        var oidc = new HashMap<String, Object>(settings);
        oidc.put("issuer", "https://issuer.invalid");
        project.asOwner("PUT", "/providers/oidc").json(oidc).expect(200);
        assertThat(get().json().path("hiddenProviders")).hasToString("[\"oidc\"]");
        change(Map.of("hiddenProviders", List.of("google", "oidc")));
        assertThat(get().json().path("hiddenProviders")).hasToString("[\"google\",\"oidc\"]");

        oidc.put("enabled", false);
        project.asOwner("PUT", "/providers/oidc").json(oidc).expect(200);
        change(Map.of("hiddenProviders", List.of("google")));
        assertThat(get().json().path("hiddenProviders")).hasToString("[\"google\"]");
    }

    @Test
    void theLocaleIsTheProjectsOrEnglish() {
        assertThat(get().text("locale")).isEqualTo("en");
        project.asOwner("PATCH", "").json(Map.of("locale", "ko")).expect(200);
        assertThat(get().text("locale")).isEqualTo("ko");
    }

    /** Clients write it into their page unescaped. */
    @Test
    void aProjectsNameCannotInjectMarkup() {
        project.asOwner("PATCH", "")
                .json(Map.of("name", "<img src=x onerror=\"alert('1')\">`Joe's`"))
                .expect(200);

        assertThat(get().text("brandName"))
                .doesNotContain("<", ">", "\"", "'", "`")
                .contains("Joe\u2019s");
    }

    @Test
    void bothKindsOfKeysAreAccepted() {
        assertThat(project.manage("GET", "/v1/auth/branding").expect(200).json())
                .isEqualTo(get().json());
    }

    @Test
    void theBrandNameFollowsTheProjectsNameUnlessItIsSet() {
        get();
        project.asOwner("PATCH", "").json(Map.of("name", "Another name")).expect(200);
        assertThat(get().text("brandName")).isEqualTo("Another name");

        change(Map.of("brandName", "A brand"));
        project.asOwner("PATCH", "").json(Map.of("name", "Yet another")).expect(200);
        assertThat(get().text("brandName")).isEqualTo("A brand");
    }

    @Test
    void aCachedResponseIsRevalidatedAndVariesByCredential() {
        var answer = get();

        assertThat(answer.header("Cache-Control")).contains("private, no-cache");
        assertThat(answer.header("Vary")).contains("Origin, x-api-key, Authorization");
    }

    @Test
    void aMatchingEntityTagIsNotModified() {
        var tag = etag();

        for (var known : List.of(tag, "W/" + tag, OTHER + ", " + tag, "W/\"a,b\",W/" + tag + " ,", "*")) {
            var answer = project.get("/v1/auth/branding")
                    .header("If-None-Match", known)
                    .expect(304);
            assertThat(answer.header("ETag")).contains(tag);
            assertThat(answer.header("Cache-Control")).contains("private, no-cache");
            assertThat(answer.header("Vary")).contains("Origin, x-api-key, Authorization");
            assertThat(answer.header("Content-Type")).isEmpty();
        }
        project.get("/v1/auth/branding")
                .header("If-None-Match", OTHER)
                .header("If-None-Match", tag)
                .expect(304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "\"", "\"\"", "nonsense", "W/", "**", "\"a\" *"})
    void anotherEntityTagGetsTheBranding(String condition) {
        var answer = project.get("/v1/auth/branding")
                .header("If-None-Match", condition)
                .expect(200);

        assertThat(answer.json()).isEqualTo(get().json());
        project.get("/v1/auth/branding")
                .header("If-None-Match", etag().replace("\"", ""))
                .expect(200);
    }

    @Test
    void headHasTheHeadersOfGet() {
        var tag = etag();
        var head = project.api().call("HEAD", "/v1/auth/branding").key(project.publishableKey());

        assertThat(head.expect(200).header("ETag")).contains(tag);
        head.header("If-None-Match", tag).expect(304);
    }

    @Test
    void theEntityTagChangesOnlyWithTheBranding() {
        var before = etag();
        project.asOwner("PATCH", "")
                .json(Map.of("emailUndoUrl", "https://app.example.com"))
                .expect(200);
        assertThat(etag()).isEqualTo(before);

        change(Map.of("lightBg", "#eee"));
        var after = etag();
        assertThat(after).isNotEqualTo(before);
        project.get("/v1/auth/branding").header("If-None-Match", before).expect(200);
        project.get("/v1/auth/branding").header("If-None-Match", after).expect(304);
    }

    @Test
    void anErrorIsNeverNotModified() {
        project.api()
                .get("/v1/auth/branding")
                .key("pk_live_nonsense")
                .header("If-None-Match", "*")
                .expect(401);
    }
}
