package dev.vestibule.crypto;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;

/** Reads private keys from elsewhere, such as Apple's. */
public final class PrivateKeys {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final int P256_BITS = 256;

    private PrivateKeys() {}

    /** A P-256 key from PKCS #8 in PEM (RFC 7468, 10); empty if the text is anything else. */
    public static Optional<ECPrivateKey> p256(String pem) {
        var text = pem.strip();
        if (!text.startsWith(BEGIN) || !text.endsWith(END) || text.length() < BEGIN.length() + END.length()) {
            return Optional.empty();
        }
        try {
            var der = Base64.getMimeDecoder().decode(text.substring(BEGIN.length(), text.length() - END.length()));
            var key = (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
            return Optional.of(key).filter(found -> found.getParams().getOrder().bitLength() == P256_BITS);
        } catch (GeneralSecurityException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
