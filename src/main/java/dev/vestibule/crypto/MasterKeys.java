package dev.vestibule.crypto;

import at.favre.lib.hkdf.HKDF;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * The operator's master secret and the previous ones. They never encrypt or sign anything themselves: each purpose has
 * its own keys, derived by HKDF-SHA256 (RFC 5869).
 */
public final class MasterKeys {
    private static final int KEY_BYTES = 32;
    private static final int ID_BYTES = 4;

    private final List<byte[]> newestFirst;

    public MasterKeys(byte[] current, List<byte[]> previous) {
        this.newestFirst = Stream.concat(Stream.of(current), previous.stream())
                .map(byte[]::clone)
                .toList();
    }

    /** One key for each master secret, the current one's first. */
    List<DerivedKey> derive(String purpose) {
        return newestFirst.stream()
                .map(secret -> new DerivedKey(
                        expand(secret, purpose + " id", ID_BYTES), expand(secret, purpose + " key", KEY_BYTES)))
                .toList();
    }

    private static byte[] expand(byte[] secret, String info, int bytes) {
        return HKDF.fromHmacSha256()
                .extractAndExpand(
                        "vestibule".getBytes(StandardCharsets.US_ASCII),
                        secret,
                        info.getBytes(StandardCharsets.US_ASCII),
                        bytes);
    }

    /** A key for one purpose; its id says which master secret it was derived from, without revealing the secret. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record DerivedKey(byte[] id, byte[] key) {}
}
