package dev.vestibule.user.key;

import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.project.Environment;
import dev.vestibule.project.ProjectId;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A user's API key, such as {@code uk_live_…}: the prefix, then in base64url the project's id, 24 random bytes and the
 * CRC-32 of all before it.
 */
record UserKey(ProjectId project, String text) {
    private static final int RANDOM_BYTES = 24;
    private static final int CHECKED_BYTES = 2 * Long.BYTES + RANDOM_BYTES;
    private static final int BYTES = CHECKED_BYTES + Integer.BYTES;
    private static final int ENDING = 4;
    private static final Pattern FORMAT = Pattern.compile("(uk_(?:live|test)_)([A-Za-z0-9_-]{59})");

    static UserKey generate(Environment environment, ProjectId project) {
        var prefix = "uk_" + environment.text() + "_";
        var bytes = ByteBuffer.allocate(BYTES)
                .putLong(project.value().getMostSignificantBits())
                .putLong(project.value().getLeastSignificantBits())
                .put(RandomSecrets.bytes(RANDOM_BYTES));
        bytes.putInt(checksum(prefix, bytes.array()));
        return new UserKey(
                project, prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array()));
    }

    private static int checksum(String prefix, byte[] bytes) {
        var crc = new CRC32();
        crc.update(prefix.getBytes(StandardCharsets.US_ASCII));
        crc.update(bytes, 0, CHECKED_BYTES);
        return (int) crc.getValue();
    }

    /** Empty if the text is not a key, as its form and its checksum say; whether it exists is another question. */
    static Optional<UserKey> parse(String text) {
        var parts = FORMAT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        var decoded = Base64.getUrlDecoder().decode(parts.group(2));
        var bytes = ByteBuffer.wrap(decoded);
        var project = new ProjectId(new UUID(bytes.getLong(), bytes.getLong()));
        return bytes.getInt(CHECKED_BYTES) == checksum(parts.group(1), decoded)
                ? Optional.of(new UserKey(project, text))
                : Optional.empty();
    }

    Buffer hash() {
        return Buffer.buffer(Sha256.of(text));
    }

    String ending() {
        return text.substring(text.length() - ENDING);
    }

    /** Redacted, so that a key never reaches a log. */
    @Override
    public String toString() {
        return "UserKey[…" + ending() + "]";
    }
}
