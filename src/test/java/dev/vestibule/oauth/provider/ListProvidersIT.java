package dev.vestibule.oauth.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class ListProvidersIT {
    private static final String NONE = "{\"providers\":[],\"providerConfigs\":{}}";

    private final TestProject project;

    ListProvidersIT(TestServer server) {
        this.project = server.newProject();
    }

    private String listed() {
        return project.get("/v1/auth/providers").expect(200).json().toString();
    }

    private void set(String provider, boolean enabled, String oauthFlow) {
        project.asOwner("PUT", "/providers/" + provider)
                .json(Map.of("clientId", "id", "clientSecret", "s", "enabled", enabled, "oauthFlow", oauthFlow))
                .expect(200);
    }

    @Test
    void aNewProjectHasNoProviders() {
        assertThat(listed()).isEqualTo(NONE);
    }

    @Test
    void everyChangeIsSeenByTheNextRequest() {
        assertThat(listed()).isEqualTo(NONE);
        set("google", false, "auto");
        assertThat(listed()).isEqualTo(NONE);
        set("google", true, "auto");
        assertThat(listed())
                .isEqualTo("{\"providers\":[\"google\"],\"providerConfigs\":{\"google\":{\"oauthFlow\":\"auto\"}}}");
        set("google", true, "popup");
        assertThat(listed())
                .isEqualTo("{\"providers\":[\"google\"],\"providerConfigs\":{\"google\":{\"oauthFlow\":\"popup\"}}}");
        project.asOwner("DELETE", "/providers/google").expect(200);
        assertThat(listed()).isEqualTo(NONE);
    }

    /** A login page shows its buttons in this order, which should not depend on who set up what when. */
    @Test
    void providersComeInTheOrderOfTheCatalogue() {
        set("line", true, "redirect");
        set("kakao", true, "auto");
        set("google", true, "auto");

        assertThat(listed())
                .isEqualTo("{\"providers\":[\"google\",\"kakao\",\"line\"],\"providerConfigs\":{"
                        + "\"google\":{\"oauthFlow\":\"auto\"},"
                        + "\"kakao\":{\"oauthFlow\":\"auto\"},"
                        + "\"line\":{\"oauthFlow\":\"redirect\"}}}");
    }

    @Test
    void aListThatHasNotChangedIsNotSentAgain() {
        set("google", true, "auto");
        var tag = project.get("/v1/auth/providers").expect(200).header("ETag").orElseThrow();

        project.get("/v1/auth/providers").header("If-None-Match", tag).expect(304);
        set("google", true, "popup");
        project.get("/v1/auth/providers").header("If-None-Match", tag).expect(200);
    }
}
