package dev.vestibule.oauth.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The OpenID providers of a project, which have names and icons of its own. */
@ExtendWith(WithProvider.class)
class NamedProvidersIT {
    private final TestProject project;
    private final String issuer;

    NamedProvidersIT(OauthWorld world) {
        this.project = world.server().newProject();
        this.issuer = world.provider().newIssuer();
    }

    private Call put(String provider, Object fields) {
        return project.asOwner("PUT", "/providers/" + provider).json(fields);
    }

    private Map<String, @Nullable Object> own(String field, @Nullable Object value) {
        var fields = new HashMap<String, @Nullable Object>(
                Map.of("clientId", "an id", "clientSecret", "a secret", "issuer", issuer));
        fields.put(field, value);
        return fields;
    }

    private static String picture(String type, String content) {
        return "data:image/" + type + ";base64,"
                + Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void anOpenIdProviderHasTheNameAndTheIconThatTheProjectGivesIt() {
        var icon = picture("svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>");
        var fields = own("name", "  <b>Ä社</b> ");
        fields.put("icon", icon);
        var set = put("oidc-acme", fields).expect(200);
        put("oidc", own("name", null)).expect(200);

        assertThat(set.text("name")).isEqualTo("<b>Ä社</b>");
        assertThat(set.text("icon")).isEqualTo(icon);
        var offered = project.get("/v1/auth/providers").expect(200).json();
        assertThat(offered.path("providers")).hasToString("[\"oidc\",\"oidc-acme\"]");
        assertThat(offered.at("/providerConfigs/oidc-acme/name").asText()).isEqualTo("<b>Ä社</b>");
        assertThat(offered.at("/providerConfigs/oidc-acme/icon").asText()).isEqualTo(icon);
        assertThat(offered.at("/providerConfigs/oidc"))
                .hasToString("{\"oauthFlow\":\"auto\",\"name\":\"OpenID Connect\"}");
        assertThat(project.asOwner("GET", "/providers").expect(200).json().path("available"))
                .filteredOn(one -> one.path("provider").asText().equals("oidc-acme"))
                .singleElement()
                .satisfies(one -> assertThat(one.path("redirectUri").asText())
                        .endsWith("/v1/auth/oauth/redirect/" + project.id() + ".oidc-acme"));

        var kept = Map.of("clientId", "an id", "issuer", issuer);
        assertThat(put("oidc-acme", kept).expect(200).json().path("icon").isNull())
                .isTrue();
        assertThat(project.get("/v1/auth/providers").expect(200).json().at("/providerConfigs/oidc-acme"))
                .hasToString("{\"oauthFlow\":\"auto\",\"name\":\"Acme\"}");
    }

    @ParameterizedTest
    @MethodSource("badLooks")
    void aNameOrAnIconThatPagesCannotShowIsRefused(String field, Object value) {
        assertThat(put("oidc-acme", own(field, value)).expect(422).failingFields())
                .containsExactly(field);
    }

    static List<Object[]> badLooks() {
        return Arrays.asList(
                new Object[] {"name", ""},
                new Object[] {"name", "x".repeat(101)},
                new Object[] {"name", "two\nlines"},
                new Object[] {"name", "nul\u0000"},
                new Object[] {"name", 7},
                new Object[] {"icon", "https://cdn.example.com/icon.png"},
                new Object[] {"icon", "data:text/html;base64,PGI+"},
                new Object[] {"icon", picture("png", "no picture")},
                new Object[] {"icon", picture("png", "\u0089PNG\r\n\u001a\n" + "x".repeat(17_000))},
                new Object[] {
                    "icon",
                    picture("svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
                },
                new Object[] {"icon", picture("svg+xml", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
                });
    }

    @Test
    void aKnownProviderKeepsItsNameAndItsMark() {
        var fields = own("name", "G");
        fields.put("icon", picture("svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>"));
        assertThat(put("google", fields).expect(422).failingFields())
                .containsExactlyInAnyOrder("name", "icon", "issuer");
    }

    @Test
    void aProjectNamesAsManyProvidersAsTheServerAllows() {
        var fields = own("issuer", issuer);
        for (int i = 1; i <= 8; i++) {
            put("oidc-" + i, fields).expect(200);
        }
        var answers = Stream.of("a", "b", "c", "d")
                .map(name -> put("oidc-" + name, fields).sendAsync())
                .toList();

        assertThat(answers.stream().map(answer -> answer.join().status()))
                .containsExactlyInAnyOrder(200, 200, 409, 409);
        put("oidc-1", fields).expect(200);
        assertThat(put("oidc-e", fields).expect(409).text("code")).isEqualTo("limit_reached");
        put("oidc", fields).expect(200);
    }
}
