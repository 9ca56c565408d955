package dev.vestibule.crypto;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;

/**
 * The operator's master secret and the previous ones. They never encrypt or sign anything themselves: each purpose has
 * its own keys, derived by HKDF-SHA256 (RFC 5869).
 */
public final class MasterKeys {
    private static final int KEY_BYTES = 32;
    private static final int ID_BYTES = 4;
    private static final byte[] SALT = "vestibule".getBytes(StandardCharsets.US_ASCII);

    private final List<Source> newestFirst = new ArrayList<>();
    private final LongAdder misses = new LongAdder();

    public MasterKeys(MasterSecret current, List<MasterSecret> previous) {
        add("secret", true, current.readings());
        for (int i = 0; i < previous.size(); i++) {
            add("previousSecrets number " + (i + 1), false, previous.get(i).readings());
        }
    }

    private void add(String setting, boolean isCurrent, List<byte[]> readings) {
        readings.forEach(reading -> newestFirst.add(new Source(setting, isCurrent, reading)));
    }

    /** How often this node was asked to open a value that none of these secrets sealed. */
    public long misses() {
        return misses.sum();
    }

    void countMiss() {
        misses.increment();
    }

    /** One key for each reading of each master secret, the one for new values first. */
    List<DerivedKey> derive(String purpose) {
        return newestFirst.stream()
                .map(source -> new DerivedKey(
                        source.setting(),
                        source.isCurrent(),
                        expand(source.secret(), purpose + " id", ID_BYTES),
                        key(source.secret(), purpose)))
                .toList();
    }

    /** The key for a purpose that this secret, which may be another than a master secret, gives. */
    static byte[] key(byte[] secret, String purpose) {
        return expand(secret, purpose + " key", KEY_BYTES);
    }

    private static byte[] expand(byte[] secret, String info, int bytes) {
        var generator = new HKDFBytesGenerator(new SHA256Digest());
        generator.init(new HKDFParameters(secret, SALT, info.getBytes(StandardCharsets.US_ASCII)));
        var key = new byte[bytes];
        generator.generateBytes(key, 0, bytes);
        return key;
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Source(String setting, boolean isCurrent, byte[] secret) {}

    /**
     * A key for one purpose.
     *
     * @param setting the setting that its master secret comes from, for messages
     * @param isCurrent whether that secret is the current one, so that values sealed with it need not be sealed again
     * @param id says which master secret it was derived from, without revealing the secret
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record DerivedKey(String setting, boolean isCurrent, byte[] id, byte[] key) {}
}
