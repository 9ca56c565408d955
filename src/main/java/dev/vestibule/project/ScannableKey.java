package dev.vestibule.project;

import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A key that scanners for leaked secrets recognize, such as {@code uk_live_…}: the kind and the environment, then in
 * base64url the project's id, 24 random bytes and the CRC-32 of all before it. The database has only its hash.
 */
public record ScannableKey(ProjectId project, String text) {
    private static final int RANDOM_BYTES = 24;
    private static final int CHECKED_BYTES = 2 * Long.BYTES + RANDOM_BYTES;
    private static final int BYTES = CHECKED_BYTES + Integer.BYTES;
    private static final int ENDING = 4;
    private static final Pattern FORMAT = Pattern.compile("([a-z]{2,8})(_(?:live|test)_)([A-Za-z0-9_-]{59})");

    /** The kinds of keys, by what they give access to. */
    public enum Kind {
        /** An API key of a user. */
        USER("uk"),
        /** An API key of an organization. */
        ORGANIZATION("ok"),
        /** The token with which a directory provisions the members of an organization. */
        DIRECTORY("scim");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }
    }

    public static ScannableKey generate(Kind kind, Environment environment, ProjectId project) {
        var prefix = kind.prefix + "_" + environment.text() + "_";
        var bytes = ByteBuffer.allocate(BYTES)
                .putLong(project.value().getMostSignificantBits())
                .putLong(project.value().getLeastSignificantBits())
                .put(RandomSecrets.bytes(RANDOM_BYTES));
        bytes.putInt(checksum(prefix, bytes.array()));
        return new ScannableKey(
                project, prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array()));
    }

    private static int checksum(String prefix, byte[] bytes) {
        var crc = new CRC32();
        crc.update(prefix.getBytes(StandardCharsets.US_ASCII));
        crc.update(bytes, 0, CHECKED_BYTES);
        return (int) crc.getValue();
    }

    /**
     * Empty if the text is no key of the kind, as its form and its checksum say; whether it exists is another question.
     */
    public static Optional<ScannableKey> parse(Kind kind, String text) {
        var parts = FORMAT.matcher(text);
        if (!parts.matches() || !parts.group(1).equals(kind.prefix)) {
            return Optional.empty();
        }
        var decoded = Base64.getUrlDecoder().decode(parts.group(3));
        var bytes = ByteBuffer.wrap(decoded);
        var project = new ProjectId(new UUID(bytes.getLong(), bytes.getLong()));
        return bytes.getInt(CHECKED_BYTES) == checksum(parts.group(1) + parts.group(2), decoded)
                ? Optional.of(new ScannableKey(project, text))
                : Optional.empty();
    }

    public Buffer hash() {
        return Buffer.buffer(Sha256.of(text));
    }

    /** The last characters, to tell two keys apart. */
    public String ending() {
        return text.substring(text.length() - ENDING);
    }

    /** Redacted, so that a key never reaches a log. */
    @Override
    public String toString() {
        return "ScannableKey[…" + ending() + "]";
    }
}
