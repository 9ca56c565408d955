package dev.vestibule.crypto;

import dev.vestibule.crypto.MasterKeys.DerivedKey;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 (RFC 2104) for one purpose, with a key that is not in the database. Hashes made with a previous master
 * secret still verify as long as that is configured.
 */
public final class KeyedHash {
    public static final int BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

    private final List<SecretKeySpec> newestFirst;

    public KeyedHash(MasterKeys masterKeys, String purpose) {
        this.newestFirst = masterKeys.derive(purpose).stream()
                .map(DerivedKey::key)
                .map(key -> new SecretKeySpec(key, ALGORITHM))
                .toList();
    }

    /**
     * With a key derived from a secret that is sealed in the database: for values that live as long as that secret,
     * which is longer than a previous master secret stays configured.
     */
    public KeyedHash(byte[] secret, String purpose) {
        this.newestFirst = List.of(new SecretKeySpec(MasterKeys.key(secret, purpose), ALGORITHM));
    }

    public byte[] hash(byte[] message) {
        return hash(newestFirst.get(0), message);
    }

    /**
     * Hashes with the oldest configured master secret: for values that are not stored, and that must not change while
     * secrets are being replaced.
     */
    public byte[] lastingHash(byte[] message) {
        return hash(newestFirst.get(newestFirst.size() - 1), message);
    }

    /** Whether this is the message's hash, compared in constant time. */
    public boolean matches(byte[] message, byte[] hash) {
        var matches = false;
        for (var key : newestFirst) {
            matches |= MessageDigest.isEqual(hash(key, message), hash);
        }
        return matches;
    }

    private static byte[] hash(SecretKeySpec key, byte[] message) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(message);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
        }
    }
}
