package dev.vestibule.crypto;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the Amazon Corretto Crypto Provider the first choice where its native code runs (linux x86_64), since its ES256
 * is some twenty-five times as fast as Java 17's; elsewhere the JDK's own provider serves unchanged.
 */
public final class SignatureProvider {
    private static final Logger LOG = LoggerFactory.getLogger(SignatureProvider.class);

    private SignatureProvider() {}

    /** Registers the provider for this JVM; without effect where its native code does not load. */
    public static void install() {
        var provider = AmazonCorrettoCryptoProvider.INSTANCE;
        if (provider.getLoadingError() == null) {
            AmazonCorrettoCryptoProvider.install();
        } else {
            LOG.info("Amazon Corretto Crypto Provider does not load here; the JDK's own provider signs");
        }
    }
}
