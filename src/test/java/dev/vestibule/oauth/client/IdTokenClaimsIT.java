package dev.vestibule.oauth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ID tokens with a valid signature that are not for us, not for now, or not for this sign in. */
class IdTokenClaimsIT {
    private static final RSAKey KEY = FakeIssuer.rsaKey("key-1");

    private final TestProviderClient talk = TestProviderClient.builtIn(true);
    private final FakeIssuer issuer = new FakeIssuer(talk.clock().instant());

    IdTokenClaimsIT() {
        issuer.publish(KEY);
    }

    @AfterEach
    void close() {
        issuer.close();
        talk.close();
    }

    private ProviderConnection connection() {
        return talk.to("oidc", issuer.issuer(), null);
    }

    private int statusOf(JWTClaimsSet claims) {
        issuer.gives(FakeIssuer.signed(KEY, claims));
        return talk.refusal(connection());
    }

    static List<Map.Entry<String, Object>> wrongClaims() {
        var far = 4_000_000_000L;
        return FakeIssuer.changes(
                "iss",
                "https://login.example.com",
                "iss",
                List.of(),
                "iss",
                7,
                "aud",
                "another-client",
                "aud",
                List.of(),
                "aud",
                List.of("another-client"),
                "aud",
                List.of(TestProviderClient.CLIENT_ID, "another-client"),
                "azp",
                "another-client",
                "exp",
                1,
                "exp",
                "4000000000",
                "iat",
                far,
                "nbf",
                far,
                "nonce",
                "another nonce",
                "nonce",
                List.of(TestProviderClient.NONCE));
    }

    @ParameterizedTest
    @MethodSource("wrongClaims")
    void aWrongClaimIsRefused(Map.Entry<String, Object> claim) {
        assertThat(statusOf(
                        issuer.claims().claim(claim.getKey(), claim.getValue()).build()))
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"iss", "aud", "exp", "iat", "nonce"})
    void aMissingClaimIsRefused(String name) {
        assertThat(statusOf(issuer.claims().claim(name, null).build())).isEqualTo(401);
    }

    @Test
    void severalAudiencesNeedTheAuthorizedParty() {
        var claims = issuer.claims()
                .audience(List.of("another", TestProviderClient.CLIENT_ID))
                .claim("azp", TestProviderClient.CLIENT_ID)
                .build();
        assertThat(statusOf(claims)).isEqualTo(200);
    }

    @Test
    void clocksMayDifferALittle() {
        issuer.gives(FakeIssuer.signed(KEY, issuer.claims().build()));
        talk.clock().advance(Duration.ofSeconds(359));
        assertThat(talk.refusal(connection())).isEqualTo(200);
        talk.clock().advance(Duration.ofSeconds(1));
        assertThat(talk.refusal(connection())).isEqualTo(401);
    }

    /** Clocks may differ by a minute. */
    @Test
    void whereASignInHasToBeFreshAnOlderOneIsRefusedIfTheProviderSaysWhenItWas() {
        var begun = talk.clock().instant();
        var second = begun.getEpochSecond();
        for (var old : List.<Object>of(second - 61, 0, -1, "now", String.valueOf(second), List.of(second), 1e30)) {
            var claims = issuer.claims().claim("auth_time", old).build();
            assertThat(statusOf(claims)).as("%s", old).isEqualTo(200);
            assertThat(statusOfFresh(claims, begun)).as("%s", old).isEqualTo(401);
        }
        for (var fresh : List.of(second - 60, second, second + 1)) {
            assertThat(statusOfFresh(issuer.claims().claim("auth_time", fresh).build(), begun))
                    .as("%s", fresh)
                    .isEqualTo(200);
        }
        assertThat(statusOfFresh(issuer.claims().build(), begun)).isEqualTo(200);
    }

    private int statusOfFresh(JWTClaimsSet claims, Instant begun) {
        issuer.gives(FakeIssuer.signed(KEY, claims));
        return talk.refusal(connection(), TestProviderClient.code("a code", begun));
    }

    @Test
    void userInfoFillsMissingClaimsAndMustBeAboutTheSameUser() {
        var open = issuer.claims()
                .claim("email", null)
                .claim("email_verified", null)
                .build();
        issuer.server()
                .answers("/userinfo", new JsonObject().put("sub", "subject-1").put("email", "bob@example.com"));
        issuer.gives(FakeIssuer.signed(KEY, open));
        var identity = talk.exchange(connection());
        assertThat(identity.email()).isEqualTo("bob@example.com");
        assertThat(identity.emailVerified()).isFalse();
        assertThat(issuer.server().asked("/userinfo").get(0).headers().get("authorization"))
                .isEqualTo("Bearer an access token");

        issuer.server()
                .answers("/userinfo", new JsonObject().put("sub", "subject-2").put("email", "bob@example.com"));
        assertThat(talk.refusal(connection())).isEqualTo(401);
        issuer.server().answers("/userinfo", new JsonObject().put("email", "bob@example.com"));
        assertThat(talk.refusal(connection())).isEqualTo(401);
    }

    /** A flag that belongs to one address must not vouch for another. */
    @Test
    void anEmailIsVerifiedOnlyByTheSourceThatNamesIt() {
        issuer.gives(FakeIssuer.signed(KEY, issuer.claims().claim("email", null).build()));
        issuer.server()
                .answers("/userinfo", new JsonObject().put("sub", "subject-1").put("email", "eve@example.com"));
        assertThat(talk.exchange(connection()).emailVerified()).isFalse();
    }
}
