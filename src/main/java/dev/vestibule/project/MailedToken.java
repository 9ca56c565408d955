package dev.vestibule.project;

import dev.vestibule.crypto.RandomSecrets;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** A token that a person receives by mail: it names something of a project, and has a secret of 256 bits. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MailedToken(ProjectId project, UUID id, byte[] secret) {
    private static final int SECRET_BYTES = 32;
    private static final int BYTES = 4 * Long.BYTES + SECRET_BYTES;
    /** The last character has four bits that decoding drops. They must be zero, so that a token has only one text. */
    private static final Pattern FORMAT = Pattern.compile("[A-Za-z0-9_-]{85}[AQgw]");

    public static byte[] newSecret() {
        return RandomSecrets.bytes(SECRET_BYTES);
    }

    /** Empty if the text does not have the form of a token with this prefix. */
    public static Optional<MailedToken> parse(String prefix, String text) {
        if (!text.startsWith(prefix)
                || !FORMAT.matcher(text).region(prefix.length(), text.length()).matches()) {
            return Optional.empty();
        }
        var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text.substring(prefix.length())));
        var project = new ProjectId(new UUID(bytes.getLong(), bytes.getLong()));
        var id = new UUID(bytes.getLong(), bytes.getLong());
        var secret = new byte[SECRET_BYTES];
        bytes.get(secret);
        return Optional.of(new MailedToken(project, id, secret));
    }

    public String text(String prefix) {
        var bytes = ByteBuffer.allocate(BYTES).put(name(project, id)).put(secret);
        return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** The bytes by which a token of the project names this. */
    public static byte[] name(ProjectId project, UUID id) {
        return ByteBuffer.allocate(4 * Long.BYTES)
                .putLong(project.value().getMostSignificantBits())
                .putLong(project.value().getLeastSignificantBits())
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    /** Redacted, so that a token never reaches a log. */
    @Override
    public String toString() {
        return "MailedToken[" + project + "]";
    }
}
