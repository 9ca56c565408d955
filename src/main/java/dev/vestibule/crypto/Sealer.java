package dev.vestibule.crypto;

import dev.vestibule.crypto.MasterKeys.DerivedKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Authenticated encryption at rest: AES-256-GCM (NIST SP 800-38D) with a key derived from the master secret. A sealed
 * value is {@code version, key id, nonce, ciphertext and tag}; the key id allows the master secret to rotate. The
 * context binds a value to its row: a value that is copied into another row does not open there.
 */
public final class Sealer {
    private static final byte VERSION = 1;
    private static final int KEY_ID_BYTES = 4;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** The number of leading bytes of a sealed value that identify the master secret that sealed it. */
    public static final int PREFIX_BYTES = 1 + KEY_ID_BYTES;

    private static final int HEADER_BYTES = PREFIX_BYTES + NONCE_BYTES;

    private final MasterKeys masterKeys;
    private final String purpose;
    private final List<DerivedKey> newestFirst;

    public Sealer(MasterKeys masterKeys, String purpose) {
        this.masterKeys = masterKeys;
        this.purpose = purpose;
        this.newestFirst = masterKeys.derive(purpose);
    }

    public byte[] seal(byte[] plaintext, byte[] context) {
        var key = newestFirst.get(0);
        var nonce = RandomSecrets.bytes(NONCE_BYTES);
        var ciphertext = apply(Cipher.ENCRYPT_MODE, key, nonce, context, plaintext, 0, plaintext.length);
        return ByteBuffer.allocate(HEADER_BYTES + ciphertext.length)
                .put(VERSION)
                .put(key.id())
                .put(nonce)
                .put(ciphertext)
                .array();
    }

    /**
     * The first bytes of values that a previous master secret sealed. A store uses them to find what it must seal
     * again.
     */
    public List<byte[]> outdatedPrefixes() {
        return newestFirst.stream()
                .filter(key -> !key.isCurrent())
                .map(key -> ByteBuffer.allocate(PREFIX_BYTES)
                        .put(VERSION)
                        .put(key.id())
                        .array())
                .toList();
    }

    /**
     * Fails if the value was changed, belongs to another context, or was sealed with a master secret that this node
     * does not have.
     */
    public byte[] open(byte[] sealed, byte[] context) {
        if (sealed.length < HEADER_BYTES + TAG_BITS / Byte.SIZE || sealed[0] != VERSION) {
            throw new IllegalStateException("not a sealed value");
        }
        var nonce = Arrays.copyOfRange(sealed, PREFIX_BYTES, HEADER_BYTES);
        var key = key(sealed);
        return apply(Cipher.DECRYPT_MODE, key, nonce, context, sealed, HEADER_BYTES, sealed.length - HEADER_BYTES);
    }

    /**
     * Throws an {@link UnknownMasterSecretException} if this node does not have the master secret that sealed the
     * value; the value's first bytes are enough. Anything that is not a sealed value passes: it is damaged, and no
     * secret would help.
     */
    public void checkIsKnown(byte[] sealed) {
        if (sealed.length >= PREFIX_BYTES && sealed[0] == VERSION) {
            key(sealed);
        }
    }

    private DerivedKey key(byte[] sealed) {
        var keyId = Arrays.copyOfRange(sealed, 1, PREFIX_BYTES);
        return newestFirst.stream()
                .filter(candidate -> Arrays.equals(candidate.id(), keyId))
                .findFirst()
                .orElseThrow(() -> unknown(keyId));
    }

    private UnknownMasterSecretException unknown(byte[] keyId) {
        masterKeys.countMiss();
        return new UnknownMasterSecretException(purpose, keyId, newestFirst);
    }

    private static byte[] apply(
            int mode, DerivedKey key, byte[] nonce, byte[] context, byte[] input, int offset, int length) {
        try {
            var cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, new SecretKeySpec(key.key(), "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(context);
            return cipher.doFinal(input, offset, length);
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("a sealed value could not be processed", failure);
        }
    }
}
