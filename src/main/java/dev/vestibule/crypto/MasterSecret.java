package dev.vestibule.crypto;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A master secret, read from its text as bytes. The text of a setting has always been used as written, and the file of
 * an embedded database has always been decoded from base64. So a text that can be read both ways has two readings:
 * wherever the text is given, both open what they sealed. New values are sealed with the first reading.
 */
public final class MasterSecret {
    static final int BYTES = 32;

    private final List<byte[]> readings;

    private MasterSecret(List<byte[]> readings) {
        this.readings = readings;
    }

    /** Reads the text of {@code secret} or {@code previousSecrets}. */
    public static MasterSecret fromSetting(String text) {
        return new MasterSecret(
                Stream.concat(Stream.of(written(text)), decoded(text).stream()).toList());
    }

    /** Reads the text of the file in the data folder; empty if it is not 32 bytes or more in base64. */
    static Optional<MasterSecret> fromFile(String text) {
        return decoded(text).map(decoded -> new MasterSecret(List.of(decoded, written(text))));
    }

    private static byte[] written(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Optional<byte[]> decoded(String text) {
        try {
            return Optional.of(Base64.getDecoder().decode(text)).filter(bytes -> bytes.length >= BYTES);
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    List<byte[]> readings() {
        return readings;
    }

    /** Whether both have the same readings in the same order, compared in constant time. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MasterSecret secret
                && MessageDigest.isEqual(readings.get(0), secret.readings.get(0))
                && readings.size() == secret.readings.size();
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(readings.get(0));
    }

    @Override
    public String toString() {
        return "[redacted]";
    }
}
