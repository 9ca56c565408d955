package dev.vestibule.authentication.factor;

import dev.vestibule.crypto.CrockfordBase32;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.RandomSecrets;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Codes for a person who has lost the authenticator app, good for one use each. Only keyed hashes of them are kept.
 * Their key is derived from the factor's secret, which is sealed again when the master secret changes: so they outlive
 * that.
 */
final class BackupCodes {
    static final int LENGTH = 10; // 50 bits

    private static final int COUNT = 10;

    private final KeyedHash hash;

    BackupCodes(byte[] totpSecret) {
        this.hash = new KeyedHash(totpSecret, "backup codes");
    }

    static List<String> generate() {
        return Stream.generate(() -> RandomSecrets.text(CrockfordBase32.ALPHABET, LENGTH))
                .limit(COUNT)
                .toList();
    }

    List<Buffer> hashes(List<String> codes) {
        return codes.stream()
                .map(code -> Buffer.buffer(hash.hash(message(code))))
                .toList();
    }

    /** The hash that is kept of this code; empty if there is none, or no more. */
    Optional<Buffer> find(String code, List<Buffer> kept) {
        var message = message(code);
        return kept.stream()
                .filter(candidate -> hash.matches(message, candidate.getBytes()))
                .findFirst();
    }

    private static byte[] message(String code) {
        return code.getBytes(StandardCharsets.UTF_8);
    }
}
