package dev.vestibule.oauth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.FakeProvider;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each provider of the catalogue, with responses of the form that its documentation shows. */
class ProviderAnswersIT {
    private static final String TOKEN = "{\"access_token\":\"an access token\",\"token_type\":\"bearer\"}";

    private final MovedEndpoints moved = new MovedEndpoints();
    private final FakeProvider server = moved.server();

    @AfterEach
    void close() {
        moved.close();
    }

    private ProviderIdentity plain(String provider, String user) {
        server.answers("/tokenEndpoint", 200, TOKEN).answers("/userInfoEndpoint", 200, user.replace('\'', '"'));
        var here = moved.talk(provider, "tokenEndpoint", "userInfoEndpoint", "emailsEndpoint");
        var identity = here.exchange(here.to(provider));
        assertThat(server.asked("/userInfoEndpoint").get(0).headers().get("authorization"))
                .isEqualTo("Bearer an access token");
        return identity;
    }

    private static void assertIdentity(
            ProviderIdentity identity,
            String subject,
            @Nullable String email,
            boolean verified,
            @Nullable String name) {
        assertThat(identity.subject()).isEqualTo(subject);
        assertThat(identity.email()).isEqualTo(email);
        assertThat(identity.emailVerified()).isEqualTo(verified);
        assertThat(identity.displayName()).isEqualTo(name);
    }

    @Test
    void kakaosNestedUserAndNumericIdAreRead() {
        var identity = plain(
                "kakao",
                "{'id':123456789,'connected_at':'2022-04-11T01:45:28Z','kakao_account':{'profile_nickname_needs_agreement':"
                        + "false,'profile':{'nickname':'홍길동','thumbnail_image_url':'http://k.kakaocdn.net/t.jpg',"
                        + "'profile_image_url':'http://k.kakaocdn.net/p.jpg','is_default_image':false},"
                        + "'email_needs_agreement':false,'is_email_valid':true,'is_email_verified':true,"
                        + "'email':'sample@sample.com'}}");
        assertIdentity(identity, "123456789", "sample@sample.com", true, "홍길동");
        assertThat(identity.avatarUrl()).isEqualTo("http://k.kakaocdn.net/p.jpg");
        assertThat(server.asked("/tokenEndpoint").get(0).form())
                .containsEntry("client_id", TestProviderClient.CLIENT_ID)
                .containsEntry("client_secret", TestProviderClient.SECRET)
                .containsEntry("grant_type", "authorization_code")
                .containsEntry("redirect_uri", TestProviderClient.REDIRECT.toString());
    }

    @Test
    void kakaosEmailIsVerifiedOnlyIfValidAndVerified() {
        var identity = plain(
                "kakao",
                "{'id':1,'kakao_account':{'email':'a@b.com','is_email_valid':false,'is_email_verified':true}}");
        assertIdentity(identity, "1", "a@b.com", false, null);
    }

    @Test
    void naversNestedUserIsReadAndItGetsTheState() {
        server.answers(
                        "/tokenEndpoint",
                        200,
                        "{\"access_token\":\"an access token\",\"refresh_token\":\"r\","
                                + "\"token_type\":\"bearer\",\"expires_in\":\"3600\"}")
                .answers(
                        "/userInfoEndpoint",
                        200,
                        ("{'resultcode':'00','message':'success','response':{'email':"
                                        + "'openapi@naver.com','nickname':'OpenAPI','profile_image':'https://ssl.pstatic.net/p.gif',"
                                        + "'age':'40-49','gender':'F','id':'32742776','name':'오픈 API','birthday':'10-01'}}")
                                .replace('\'', '"'));
        var here = moved.talk("naver", "tokenEndpoint", "userInfoEndpoint");

        var identity = here.exchange(here.to("naver"));

        assertIdentity(identity, "32742776", "openapi@naver.com", false, "오픈 API");
        assertThat(identity.avatarUrl()).isEqualTo("https://ssl.pstatic.net/p.gif");
        assertThat(identity.tokens().refreshToken()).isEqualTo("r");
        assertThat(identity.tokens().expiresAt())
                .isEqualTo(here.clock().instant().plusSeconds(3600));
        assertThat(server.asked("/tokenEndpoint").get(0).form()).containsEntry("state", TestProviderClient.STATE);
        assertThat(here.authorizationUrl(here.to("naver"), "challenge").getRawQuery())
                .doesNotContain("scope", "code_challenge");
    }

    @Test
    void naverRefusesCodesWithStatus200() {
        server.answers(
                "/tokenEndpoint",
                200,
                "{\"error\":\"invalid_request\",\"error_description\":\"no valid data in session\"}");
        var here = moved.talk("naver", "tokenEndpoint", "userInfoEndpoint");
        assertThat(here.refusal(here.to("naver"))).isEqualTo(401);
    }

    private static final String GITHUB_USER =
            "{'login':'octocat','id':1,'avatar_url':'https://github.com/images/o.gif',"
                    + "'name':null,'email':'public@github.com'}";

    @Test
    void githubsPrimaryEmailIsUsed() {
        server.answers(
                "/emailsEndpoint",
                200,
                ("[{'email':'other@github.com','primary':false,'verified':true,"
                                + "'visibility':null},{'email':'octocat@github.com','primary':true,'verified':true,'visibility':'private'}]")
                        .replace('\'', '"'));
        var identity = plain("github", GITHUB_USER);
        assertIdentity(identity, "1", "octocat@github.com", true, "octocat");
        assertThat(identity.avatarUrl()).isEqualTo("https://github.com/images/o.gif");
        var request = server.asked("/userInfoEndpoint").get(0);
        assertThat(request.headers().get("user-agent")).isNotEmpty();
        assertThat(server.asked("/tokenEndpoint").get(0).headers().get("accept"))
                .isEqualTo("application/json");
    }

    @Test
    void githubsUnverifiedEmailIsNotCalledVerified() {
        server.answers(
                "/emailsEndpoint", 200, "[{\"email\":\"octocat@github.com\",\"primary\":true,\"verified\":false}]");
        assertIdentity(plain("github", GITHUB_USER), "1", "octocat@github.com", false, "octocat");
    }

    @Test
    void anApplicationThatMayNotSeeGithubsEmailsGetsNone() {
        server.answers("/emailsEndpoint", 403, "{\"message\":\"Resource not accessible by integration\"}");
        assertIdentity(plain("github", GITHUB_USER), "1", null, false, "octocat");
    }

    @Test
    void githubRefusesCodesWithStatus200() {
        server.answers(
                "/tokenEndpoint",
                200,
                "{\"error\":\"bad_verification_code\",\"error_description\":\"The code passed"
                        + " is incorrect or expired.\"}");
        var here = moved.talk("github", "tokenEndpoint");
        assertThat(here.refusal(here.to("github"))).isEqualTo(401);
        server.answers("/tokenEndpoint", 200, "{\"error\":\"incorrect_client_credentials\"}");
        assertThat(here.refusal(here.to("github"))).isEqualTo(502);
    }

    @Test
    void facebooksEmailIsNotCalledVerified() {
        var identity = plain(
                "facebook",
                "{'id':'10158','name':'Ann Lee','email':'ann@example.com','picture':{'data':{'height':200,"
                        + "'is_silhouette':false,'url':'https://platform-lookaside.fbsbx.com/p?a=1','width':200}}}");
        assertIdentity(identity, "10158", "ann@example.com", false, "Ann Lee");
        assertThat(identity.avatarUrl()).isEqualTo("https://platform-lookaside.fbsbx.com/p?a=1");
    }

    @Test
    void discordsAvatarUrlIsBuilt() {
        var identity = plain(
                "discord",
                "{'id':'80351110224678912','username':'nelly','discriminator':'0','global_name':'Nelly',"
                        + "'avatar':'8342729096ea3675442027381ff50dfe','verified':true,'email':'nelly@discord.com'}");
        assertIdentity(identity, "80351110224678912", "nelly@discord.com", true, "Nelly");
        assertThat(identity.avatarUrl())
                .isEqualTo("https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png");
        var expected = TestProviderClient.CLIENT_ID + ":" + TestProviderClient.SECRET.replace(" ", "%20");
        assertThat(server.asked("/tokenEndpoint").get(0).headers().get("authorization"))
                .isEqualTo("Basic " + Base64.getEncoder().encodeToString(expected.getBytes(StandardCharsets.UTF_8)));
        assertThat(server.asked("/tokenEndpoint").get(0).form()).doesNotContainKeys("client_id", "client_secret");
    }

    @Test
    void aDiscordUserMayHaveNoAvatar() {
        var identity = plain("discord", "{'id':'8','username':'nelly','global_name':null,'avatar':null,'email':null}");
        assertIdentity(identity, "8", null, false, "nelly");
        assertThat(identity.avatarUrl()).isNull();
    }

    @Test
    void xSendsAConfirmedEmailAndChecksTheChallenge() {
        var identity = plain(
                "x",
                "{'data':{'id':'2244994945','name':'X Dev','username':'XDevelopers','confirmed_email':'dev@x.com',"
                        + "'profile_image_url':'https://pbs.twimg.com/p_normal.jpg'}}");
        assertIdentity(identity, "2244994945", "dev@x.com", true, "X Dev");
        var here = moved.talk("x", "tokenEndpoint", "userInfoEndpoint");
        assertThat(here.authorizationUrl(here.to("x"), "abc").getRawQuery())
                .contains("code_challenge=abc&code_challenge_method=S256");
        here.exchange(
                here.to("x"),
                new CodeExchange(
                        "c",
                        TestProviderClient.STATE,
                        TestProviderClient.REDIRECT,
                        "the verifier",
                        TestProviderClient.NONCE,
                        null,
                        null,
                        true,
                        null));
        assertThat(server.asked("/tokenEndpoint").get(1).form()).containsEntry("code_verifier", "the verifier");
    }
}
