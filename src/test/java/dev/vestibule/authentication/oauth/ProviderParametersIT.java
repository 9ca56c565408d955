package dev.vestibule.authentication.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What some providers need from a project besides the client id and secret. */
@ExtendWith(WithServer.class)
class ProviderParametersIT {
    private static final String ISSUER = "https://login.example.com/realms/a";

    private final TestProject project;

    ProviderParametersIT(TestServer server) {
        this.project = server.newProject();
    }

    private Call put(String provider, Map<String, ?> parameters) {
        var fields = new HashMap<String, @Nullable Object>(
                Map.of("clientId", "an id", "clientSecret", "a client secret", "enabled", true));
        fields.putAll(parameters);
        fields.values().remove("-");
        return project.asOwner("PUT", "/providers/" + provider).json(fields);
    }

    private static String privateKey(String algorithm, String curve) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance(algorithm);
        if (!curve.isEmpty()) {
            generator.initialize(new ECGenParameterSpec(curve));
        }
        var der = generator.generateKeyPair().getPrivate().getEncoded();
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END PRIVATE KEY-----\n";
    }

    @Test
    void anIssuerIsStoredAsWritten() {
        assertThat(put("oidc", Map.of("issuer", ISSUER + "/")).expect(200).text("issuer"))
                .isEqualTo(ISSUER + "/");
    }

    @Test
    void anOpenIdProviderNeedsAnIssuer() {
        assertThat(put("oidc", Map.of()).expect(422).failingFields()).containsExactly("issuer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "login.example.com",
                "http://login.example.com",
                "ftp://login.example.com",
                "https://user@login.example.com",
                "https://login.example.com?tenant=a",
                "https://login.example.com#a",
                "https:///path",
                "https://login.example.com/a b",
                "https://localhost",
                "https://127.0.0.1/realm",
                "https://2130706433",
                "https://[::1]",
                "https://169.254.169.254",
                "https://nul\u0000.example.com",
                "https://lone\udc00.example.com"
            })
    void anIssuerIsAnHttpsUrl(String issuer) {
        assertThat(put("oidc", Map.of("issuer", issuer)).expect(422).failingFields())
                .containsExactly("issuer");
    }

    @Test
    void anIssuerHasALengthLimit() {
        assertThat(put("oidc", Map.of("issuer", "https://a.example/" + "x".repeat(2048)))
                        .expect(422)
                        .failingFields())
                .containsExactly("issuer");
    }

    /** Otherwise anyone who holds an owner's token could have the stored secret sent to a server of their own. */
    @Test
    void aNewIssuerNeedsTheSecretAgain() {
        put("oidc", Map.of("issuer", ISSUER)).expect(200);

        assertThat(put("oidc", Map.of("issuer", "https://evil.example", "clientSecret", "-"))
                        .expect(422)
                        .failingFields())
                .containsExactly("clientSecret");
        put("oidc", Map.of("issuer", ISSUER, "clientSecret", "-")).expect(200);
        put("oidc", Map.of("issuer", "https://moved.example")).expect(200);
    }

    @Test
    void microsoftAcceptsATenantAndAllTenantsByDefault() {
        assertThat(put("microsoft", Map.of()).expect(200).text("tenant")).isEqualTo("common");
        var tenant = "0d2b9d4e-6a2c-4a51-b3ad-8d0c7a6fd8f5";
        assertThat(put("microsoft", Map.of("tenant", tenant)).expect(200).text("tenant"))
                .isEqualTo(tenant);
        for (var wrong :
                new String[] {"", "contoso", "common/../x", tenant.substring(1), tenant.toUpperCase(Locale.ROOT)}) {
            assertThat(put("microsoft", Map.of("tenant", wrong)).expect(422).failingFields())
                    .containsExactly("tenant");
        }
    }

    @Test
    void appleNeedsATeamAKeyIdAndThePrivateKey() throws GeneralSecurityException {
        var key = privateKey("EC", "secp256r1");

        var set = put("apple", Map.of("teamId", "DEF123GHIJ", "keyId", "ABC123DEFG", "clientSecret", key))
                .expect(200);

        assertThat(set.text("teamId")).isEqualTo("DEF123GHIJ");
        assertThat(set.text("keyId")).isEqualTo("ABC123DEFG");
        assertThat(set.body()).doesNotContain("PRIVATE");
        assertThat(put("apple", Map.of("clientSecret", key)).expect(422).failingFields())
                .containsExactly("teamId", "keyId");
        assertThat(put("apple", Map.of("teamId", "a b", "keyId", "", "clientSecret", key))
                        .expect(422)
                        .failingFields())
                .containsExactly("teamId", "keyId");
    }

    @Test
    void aSecretOfAppleThatIsNotAKeyIsRefused() throws GeneralSecurityException {
        var ids = Map.of("teamId", "DEF123GHIJ", "keyId", "ABC123DEFG");
        for (var wrong : new String[] {
            "a client secret",
            "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\nMIG€\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----",
            privateKey("EC", "secp384r1"),
            privateKey("RSA", "")
        }) {
            var fields = new HashMap<>(ids);
            fields.put("clientSecret", wrong);
            assertThat(put("apple", fields).expect(422).failingFields()).containsExactly("clientSecret");
        }
    }

    @Test
    void settingsThatAProviderDoesNotHaveAreRefused() {
        assertThat(put("google", Map.of("issuer", ISSUER, "tenant", "common", "teamId", "A", "keyId", "B"))
                        .expect(422)
                        .failingFields())
                .containsExactly("issuer", "tenant", "teamId", "keyId");
    }

    @Test
    void tokensAreStoredOnlyIfTheProjectAsksForIt() {
        assertThat(put("google", Map.of())
                        .expect(200)
                        .json()
                        .path("storeTokens")
                        .asBoolean(true))
                .isFalse();
        assertThat(put("google", Map.of("storeTokens", true))
                        .expect(200)
                        .json()
                        .path("storeTokens")
                        .asBoolean())
                .isTrue();
        assertThat(put("google", Map.of("storeTokens", "yes")).expect(422).failingFields())
                .containsExactly("storeTokens");
    }
}
