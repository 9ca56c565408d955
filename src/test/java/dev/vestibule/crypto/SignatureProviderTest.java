package dev.vestibule.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.KeyAgreement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignatureProviderTest {
    private static final String CONSCRYPT = "Conscrypt";
    private static final String JDK = "SunEC";
    private static final String ES256 = "SHA256withECDSA";
    private static final byte[] TEXT = {1, 2, 3};

    @BeforeAll
    static void install() {
        SignatureProvider.install();
    }

    @Test
    void onlyEs256AndItsKeysAreTakenFromTheJdk() {
        assertThat(Security.getProvider(CONSCRYPT).getServices())
                .extracting(service -> service.getType() + "." + service.getAlgorithm())
                .containsExactlyInAnyOrder("Signature.SHA256withECDSA", "KeyFactory.EC", "KeyPairGenerator.EC");
    }

    @Test
    void itIsTheFirstChoiceAndNotTheFirstProvider() throws Exception {
        assertThat(Signature.getInstance(ES256).getProvider().getName()).isEqualTo(CONSCRYPT);
        assertThat(Security.getProviders()[0].getName()).isNotEqualTo(CONSCRYPT);
    }

    @Test
    void eachVerifiesWhatTheOtherSigned() throws Exception {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        var pair = generator.generateKeyPair();
        var keys = KeyFactory.getInstance("EC");
        assertThat(keys.getProvider().getName()).isEqualTo(CONSCRYPT);
        var secret =
                keys.generatePrivate(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded()));
        var known = keys.generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded()));

        var signed = sign(CONSCRYPT, secret);
        var signedByJdk = sign(JDK, pair.getPrivate());

        assertThat(verifies(JDK, pair.getPublic(), signed)).isTrue();
        assertThat(verifies(CONSCRYPT, known, signedByJdk)).isTrue();
        signed[signed.length - 1] ^= 1;
        assertThat(verifies(CONSCRYPT, known, signed)).isFalse();
    }

    /** The keys of all curves are Conscrypt's then: of providers that sign by ES384 or ES512, and of TLS. */
    @ParameterizedTest
    @CsvSource({"384, SHA384withECDSA", "521, SHA512withECDSA"})
    void theJdkTakesTheKeysOfLargerCurves(int bits, String algorithm) throws Exception {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(bits);
        var pair = generator.generateKeyPair();
        var keys = KeyFactory.getInstance("EC");
        var secret =
                keys.generatePrivate(new PKCS8EncodedKeySpec(pair.getPrivate().getEncoded()));
        var known = keys.generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded()));

        var signature = Signature.getInstance(algorithm);
        signature.initSign(secret);
        signature.update(TEXT);
        var signed = signature.sign();
        signature.initVerify(known);
        signature.update(TEXT);
        assertThat(signature.verify(signed)).isTrue();

        var agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(secret);
        agreement.doPhase(known, true);
        assertThat(agreement.generateSecret()).isNotEmpty();
    }

    private static byte[] sign(String provider, PrivateKey key) throws Exception {
        var signature = Signature.getInstance(ES256, provider);
        signature.initSign(key);
        signature.update(TEXT);
        return signature.sign();
    }

    private static boolean verifies(String provider, PublicKey key, byte[] signed) throws Exception {
        var signature = Signature.getInstance(ES256, provider);
        signature.initVerify(key);
        signature.update(TEXT);
        return signature.verify(signed);
    }
}
