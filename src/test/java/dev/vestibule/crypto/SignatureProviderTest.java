package dev.vestibule.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SignatureProviderTest {
    private static final String X86_64 = "com/amazon/corretto/crypto/provider/";
    private static final int MACHINE = 18; // the field e_machine of an ELF header
    private static final int AARCH64 = 0xB7;

    @Test
    void theProviderTakesItsNativeCodeFromAnotherFolder()
            throws ReflectiveOperationException, GeneralSecurityException {
        var provider = SignatureProvider.withNativeCodeOf(X86_64);
        assertThat(provider.getClass()).isNotEqualTo(AmazonCorrettoCryptoProvider.class);
        var generator = KeyPairGenerator.getInstance("EC", provider);
        generator.initialize(256);
        var keys = generator.generateKeyPair();
        var signature = Signature.getInstance("SHA256withECDSA", provider);
        signature.initSign(keys.getPrivate());
        signature.update("a token".getBytes(UTF_8));
        var signed = signature.sign();
        var verifier = Signature.getInstance("SHA256withECDSA", "SunEC");
        verifier.initVerify(keys.getPublic());
        verifier.update("a token".getBytes(UTF_8));
        assertThat(verifier.verify(signed)).isTrue();
    }

    @Test
    void theJarHasNativeCodeForArm64() throws IOException {
        var name = "/native/linux-aarch_64/" + System.mapLibraryName("amazonCorrettoCryptoProvider");
        try (var code = Objects.requireNonNull(SignatureProvider.class.getResourceAsStream(name))) {
            assertThat(code.readNBytes(MACHINE + 1)[MACHINE]).isEqualTo((byte) AARCH64);
        }
    }

    @Test
    void nativeCodeThatDoesNotLoadIsRefused() {
        assertThatThrownBy(() -> SignatureProvider.withNativeCodeOf("no/such/folder/"))
                .isInstanceOf(ReflectiveOperationException.class);
    }
}
