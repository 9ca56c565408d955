package dev.vestibule.oauth.client;

import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.outcome;
import static dev.vestibule.fixture.OauthProject.parameters;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.RSAKey;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A provider that announces that it names itself in its responses (RFC 9207), like Keycloak. */
@ExtendWith(WithProvider.class)
class IssuerOfResponseIT {
    private final OauthProject app;
    private final FakeIssuer provider = new FakeIssuer(Instant.now());
    private final RSAKey key = FakeIssuer.rsaKey("k");
    private final String subject = newSubject();

    IssuerOfResponseIT(OauthWorld world) {
        app = world.newProject();
        provider.discovery(provider.document().put("authorization_response_iss_parameter_supported", true));
        provider.publish(key);
        app.setUp(Map.of("issuer", provider.issuer()));
    }

    @AfterEach
    void close() {
        provider.close();
    }

    /** Signs the user in, and returns the state with which the browser comes back. */
    private String signedIn(Response url) {
        var asked = parameters(URI.create(url.text("url")));
        provider.gives(FakeIssuer.signed(
                key,
                provider.claims()
                        .subject(subject)
                        .audience("the-app")
                        .claim("nonce", asked.get("nonce"))
                        .claim("email", TestServer.newEmail())
                        .build()));
        return url.text("state");
    }

    @Test
    void anApplicationThatReceivesTheCodeNeedNotNameTheIssuer() {
        app.callback(Map.of("code", "c", "state", signedIn(app.url()))).expect(200);
    }

    @Test
    void anIssuerThatTheApplicationNamesMustBeTheRightOne() {
        app.callback(Map.of("code", "c", "state", signedIn(app.url()), "iss", "https://evil.example"))
                .expect(401);
        assertThat(provider.server().asked("/token")).as("codes sent").isEmpty();
        app.callback(Map.of("code", "another", "state", signedIn(app.url()), "iss", provider.issuer()))
                .expect(200);
    }

    @Test
    void aProviderIsLinkedWithoutTheIssuerToo() {
        var token = app.project().signUp().accessToken();
        var state = signedIn(app.askUrl().bearer(token).expect(200));
        app.project()
                .post("/v1/auth/me/providers/oidc")
                .bearer(token)
                .json(Map.of("code", "c", "state", state))
                .expect(200);
    }

    @Test
    void aCodeThatTheServerReceivesMustComeWithItsIssuer() {
        var without = app.serverUrl("popup");
        var refused = app.redirect(Map.of("code", "c", "state", signedIn(without)));
        assertThat(outcome(refused.expect(200)).at("/message/error").textValue())
                .contains("is not valid");
        var ofAnother = app.serverUrl("popup");
        assertThat(outcome(app.redirect(Map.of(
                                        "code", "c", "state", signedIn(ofAnother), "iss", "https://evil.example"))
                                .expect(200))
                        .at("/message/error")
                        .textValue())
                .contains("is not valid");
        assertThat(provider.server().asked("/token")).as("codes sent").isEmpty();

        var right = app.serverUrl("popup");
        var page = app.redirect(Map.of("code", "c", "state", signedIn(right), "iss", provider.issuer()));
        assertThat(outcome(page.expect(200)).at("/message/tokens/accessToken").textValue())
                .isNotEmpty();
    }
}
