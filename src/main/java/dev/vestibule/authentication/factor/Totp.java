package dev.vestibule.authentication.factor;

import dev.vestibule.crypto.RandomSecrets;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Time-based one-time passwords (RFC 6238) as every authenticator app generates them: SHA-1, 6 digits, 30 seconds. The
 * JDK has everything that this needs, and the libraries do not check for replays.
 */
final class Totp {
    static final int DIGITS = 6;

    /** As long as the hash, as RFC 4226 recommends. */
    private static final int SECRET_BYTES = 20;

    private static final int MODULUS = 1_000_000;
    private static final int STEP_SECONDS = 30;

    /** For clock skew, and codes that were typed slowly. */
    private static final int DRIFT = 1;

    private static final String ALGORITHM = "HmacSHA1";

    private Totp() {}

    static byte[] newSecret() {
        return RandomSecrets.bytes(SECRET_BYTES);
    }

    /** The time step that an instant is in. */
    static long step(Instant instant) {
        return Math.floorDiv(instant.getEpochSecond(), STEP_SECONDS);
    }

    static String code(byte[] secret, long step) {
        var hash = hmac(secret, ByteBuffer.allocate(Long.BYTES).putLong(step).array());
        var offset = hash[hash.length - 1] & 0xf;
        var number = ByteBuffer.wrap(hash).getInt(offset) & Integer.MAX_VALUE;
        return String.format(Locale.ROOT, "%0" + DIGITS + "d", number % MODULUS);
    }

    /** The step whose code this is: the current one or a neighbour, and after the last one that was accepted. */
    static OptionalLong match(byte[] secret, String code, Instant now, long lastTaken) {
        var current = step(now);
        return LongStream.rangeClosed(current - DRIFT, current + DRIFT)
                .filter(step -> isEqual(code(secret, step), code) && step > lastTaken)
                .findFirst();
    }

    private static boolean isEqual(String code, String given) {
        return MessageDigest.isEqual(code.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] hmac(byte[] secret, byte[] message) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac.doFinal(message);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
        }
    }
}
