package dev.vestibule.mail;

import dev.vestibule.project.ProjectId;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The token that undoes an email change: it names the change, and has 256 bits that only this server can compute. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record UndoToken(ProjectId project, UUID change, byte[] secret) {
    private static final String PREFIX = "undo_";
    private static final int SECRET_BYTES = 32;
    private static final int BYTES = 4 * Long.BYTES + SECRET_BYTES;
    /** The last character has four bits that decoding drops. They must be zero, so that a token has only one text. */
    private static final Pattern FORMAT = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{85}[AQgw]");

    /** Empty if the text does not have the form of a token. */
    static Optional<UndoToken> parse(String text) {
        if (!FORMAT.matcher(text).matches()) {
            return Optional.empty();
        }
        var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text.substring(PREFIX.length())));
        var project = new ProjectId(new UUID(bytes.getLong(), bytes.getLong()));
        var change = new UUID(bytes.getLong(), bytes.getLong());
        var secret = new byte[SECRET_BYTES];
        bytes.get(secret);
        return Optional.of(new UndoToken(project, change, secret));
    }

    String text() {
        var bytes = ByteBuffer.allocate(BYTES).put(message(project, change)).put(secret);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** The message whose keyed hash is the secret. */
    static byte[] message(ProjectId project, UUID change) {
        return ByteBuffer.allocate(4 * Long.BYTES)
                .putLong(project.value().getMostSignificantBits())
                .putLong(project.value().getLeastSignificantBits())
                .putLong(change.getMostSignificantBits())
                .putLong(change.getLeastSignificantBits())
                .array();
    }

    /** Redacted, so that a token never reaches a log. */
    @Override
    public String toString() {
        return "UndoToken[" + project + "]";
    }
}
