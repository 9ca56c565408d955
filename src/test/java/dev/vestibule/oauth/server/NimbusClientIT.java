package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.APP;
import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.register;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.ClientCredentialsGrant;
import com.nimbusds.oauth2.sdk.GrantType;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.ResponseMode;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenIntrospectionRequest;
import com.nimbusds.oauth2.sdk.TokenIntrospectionResponse;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.TokenRevocationRequest;
import com.nimbusds.oauth2.sdk.as.AuthorizationServerMetadata;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.UserInfoRequest;
import com.nimbusds.openid.connect.sdk.UserInfoResponse;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.token.OIDCTokens;
import com.nimbusds.openid.connect.sdk.validators.AccessTokenValidator;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** Nimbus, a strict client, and an API in Spring, which builds on it, know the server by its issuer alone. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NimbusClientIT {
    private final TestServer server;
    private final String email = TestServer.newEmail();
    private TestProject project;
    private Issuer issuer;
    private OIDCProviderMetadata metadata;

    NimbusClientIT(TestDatabase database) throws Exception {
        var port = Integer.toString(FreePort.find());
        server = TestServer.start(
                database, Map.of("VESTIBULE_HTTP_PORT", port, "VESTIBULE_PUBLIC_URL", "http://localhost:" + port));
        newProject();
    }

    @BeforeEach
    void newProject() throws Exception {
        project = server.newProject();
        project.signUp(email);
        issuer = new Issuer(project.api().base() + OauthBrowser.issuerPath(project));
        metadata = OIDCProviderMetadata.resolve(issuer);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private TokenResponse send(ClientAuthentication client, AuthorizationGrant grant) throws Exception {
        return OIDCTokenResponseParser.parse(new TokenRequest.Builder(metadata.getTokenEndpointURI(), client, grant)
                .build()
                .toHTTPRequest()
                .send());
    }

    private OIDCTokens tokens(ClientAuthentication client, AuthorizationGrant grant) throws Exception {
        return ((OIDCTokenResponse) send(client, grant).toSuccessResponse()).getOIDCTokens();
    }

    private boolean isActive(ClientAuthentication client, AccessToken token) throws Exception {
        var request = new TokenIntrospectionRequest(metadata.getIntrospectionEndpointURI(), client, token);
        return TokenIntrospectionResponse.parse(request.toHTTPRequest().send())
                .toSuccessResponse()
                .isActive();
    }

    @Test
    void itSignsInRefreshesAsksAndRevokes() throws Exception {
        for (var algorithm : List.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256)) {
            var registered = register(project, "web", Map.of("idTokenAlgorithm", algorithm.getName()));
            var id = new ClientID(registered.text("clientId"));
            var secret = new Secret(registered.text("clientSecret"));
            var state = new State();
            var nonce = new Nonce();
            var verifier = new CodeVerifier();
            var request = new AuthenticationRequest.Builder(
                            ResponseType.CODE, new Scope("openid", "email", "offline_access"), id, URI.create(APP))
                    .state(state)
                    .nonce(nonce)
                    .codeChallenge(verifier, CodeChallengeMethod.S256)
                    .build();
            var browser = new OauthBrowser(project);
            browser.authorize(request.toQueryString());
            var answer = AuthenticationResponseParser.parse(onward(browser.signIn(email)))
                    .toSuccessResponse();
            assertThat(answer.getState()).isEqualTo(state);
            assertThat(answer.getIssuer()).isEqualTo(issuer);

            var client = new ClientSecretBasic(id, secret);
            var tokens = tokens(
                    client, new AuthorizationCodeGrant(answer.getAuthorizationCode(), URI.create(APP), verifier));
            var claims = new IDTokenValidator(
                            issuer, id, algorithm, metadata.getJWKSetURI().toURL())
                    .validate(tokens.getIDToken(), nonce);
            AccessTokenValidator.validate(tokens.getAccessToken(), algorithm, claims.getAccessTokenHash());
            var userinfo = UserInfoResponse.parse(
                            new UserInfoRequest(metadata.getUserInfoEndpointURI(), tokens.getBearerAccessToken())
                                    .toHTTPRequest()
                                    .send())
                    .toSuccessResponse()
                    .getUserInfo();
            assertThat(userinfo.getSubject()).isEqualTo(claims.getSubject());
            assertThat(userinfo.getEmailAddress()).isEqualTo(email);

            var refreshed = tokens(new ClientSecretPost(id, secret), new RefreshTokenGrant(tokens.getRefreshToken()));
            assertThat(isActive(client, refreshed.getAccessToken())).isTrue();
            var revocation = new TokenRevocationRequest(
                    metadata.getRevocationEndpointURI(), client, refreshed.getRefreshToken());
            assertThat(revocation.toHTTPRequest().send().getStatusCode()).isEqualTo(200);
            assertThat(isActive(client, refreshed.getAccessToken())).isFalse();
            var refused = send(client, new RefreshTokenGrant(tokens.getRefreshToken()));
            assertThat(refused.toErrorResponse().getErrorObject().getCode()).isEqualTo("invalid_grant");
        }
    }

    @Test
    void itUnderstandsErrors() throws Exception {
        var id = new ClientID(register(project, "spa", Map.of()).text("clientId"));
        var request = new AuthenticationRequest.Builder(ResponseType.CODE, new Scope("openid"), id, URI.create(APP))
                .state(new State())
                .build();
        var answer = AuthenticationResponseParser.parse(
                        onward(new OauthBrowser(project).authorize(request.toQueryString())))
                .toErrorResponse();
        assertThat(answer.getErrorObject().getCode()).isEqualTo("invalid_request");
        assertThat(answer.getIssuer()).isEqualTo(issuer);
        var stranger = new ClientSecretBasic(new ClientID("nobody"), new Secret("a wrong secret of some length"));
        assertThat(send(stranger, new ClientCredentialsGrant())
                        .toErrorResponse()
                        .getErrorObject()
                        .getHTTPStatusCode())
                .isEqualTo(401);
    }

    @Test
    void itFindsTheServerByThePathOfRfc8414() throws Exception {
        var found = AuthorizationServerMetadata.resolve(issuer);
        assertThat(found.getTokenEndpointURI()).isEqualTo(metadata.getTokenEndpointURI());
        assertThat(found.getGrantTypes()).contains(GrantType.AUTHORIZATION_CODE, GrantType.CLIENT_CREDENTIALS);
        assertThat(found.getResponseModes()).contains(ResponseMode.QUERY, ResponseMode.FORM_POST);
        assertThat(found.supportsAuthorizationResponseIssuerParam()).isTrue();
    }

    @Test
    void anApiInSpringTakesTheTokensThatAreForItAlone() throws Exception {
        var api = "https://orders.example.com/";
        for (var uri : List.of(api, "https://stock.example.com/")) {
            project.asOwner("POST", "/oauth-apis")
                    .json(Map.of("uri", uri, "name", "API", "scopes", List.of(Map.of("name", "read"))))
                    .expect(201);
        }
        var validator = JwtValidators.createAtJwtValidator()
                .issuer(issuer.getValue())
                .audience(api)
                .validators(all -> all.put("client_id", new JwtClaimValidator<>("client_id", Objects::nonNull)))
                .build();
        for (var algorithm : List.of("RS256", "ES256")) {
            var decoder = NimbusJwtDecoder.withIssuerLocation(issuer.getValue())
                    .jwsAlgorithms(all -> all.addAll(List.of(SignatureAlgorithm.ES256, SignatureAlgorithm.RS256)))
                    .validateType(false)
                    .build();
            decoder.setJwtValidator(validator);
            var client = register(project, "web", Map.of("idTokenAlgorithm", algorithm));
            var ours = tokens(client, api);
            var decoded = decoder.decode(ours.getAccessToken().getValue());
            assertThat(decoded.getAudience()).containsExactly(api);
            assertThat(decoded.getClaimAsString("scope")).isEqualTo("openid read");
            for (var other : List.of(
                    tokens(client, "https://stock.example.com/")
                            .getAccessToken()
                            .getValue(),
                    ours.getIDTokenString(),
                    project.signIn(email).accessToken())) {
                assertThatThrownBy(() -> decoder.decode(other)).isInstanceOf(JwtException.class);
            }
        }
    }

    private OIDCTokens tokens(Response client, String api) throws Exception {
        var code = new OauthBrowser(project)
                .code(client.text("clientId"), email, Map.of("scope", "openid read", "resource", api));
        return tokens(
                new ClientSecretBasic(new ClientID(client.text("clientId")), new Secret(client.text("clientSecret"))),
                new AuthorizationCodeGrant(
                        new AuthorizationCode(code), URI.create(APP), new CodeVerifier(OauthBrowser.VERIFIER)));
    }
}
