package dev.vestibule.crypto;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the Amazon Corretto Crypto Provider the first choice where its native code loads (Linux x86_64), because its
 * ES256 is about 25 times as fast as that of Java 17. Elsewhere the JDK's own provider stays.
 */
public final class SignatureProvider {
    private static final Logger LOG = LoggerFactory.getLogger(SignatureProvider.class);

    private SignatureProvider() {}

    /** Registers the provider for this JVM, if its native code loads. */
    public static void install() {
        var provider = AmazonCorrettoCryptoProvider.INSTANCE;
        if (provider.getLoadingError() == null) {
            AmazonCorrettoCryptoProvider.install();
        } else {
            LOG.info(
                    "Amazon Corretto Crypto Provider does not load on this machine; the slower provider of the JDK signs tokens");
        }
    }
}
