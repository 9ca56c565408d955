package dev.vestibule.project.member;

import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.project.ProjectId;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The token that an invited person receives by mail. It names the invitation, and its 256-bit secret proves that the
 * mail arrived.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record InvitationToken(ProjectId project, UUID invitation, byte[] secret) {
    private static final String PREFIX = "inv_";
    private static final int SECRET_BYTES = 32;
    private static final int BYTES = 4 * Long.BYTES + SECRET_BYTES;
    /** The last character has four bits that decoding drops. They must be zero, so that a token has only one text. */
    private static final Pattern FORMAT = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{85}[AQgw]");

    static byte[] newSecret() {
        return RandomSecrets.bytes(SECRET_BYTES);
    }

    /** Empty if the text does not have the form of a token. */
    static Optional<InvitationToken> parse(String text) {
        if (!FORMAT.matcher(text).matches()) {
            return Optional.empty();
        }
        var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text.substring(PREFIX.length())));
        var project = new ProjectId(new UUID(bytes.getLong(), bytes.getLong()));
        var invitation = new UUID(bytes.getLong(), bytes.getLong());
        var secret = new byte[SECRET_BYTES];
        bytes.get(secret);
        return Optional.of(new InvitationToken(project, invitation, secret));
    }

    String text() {
        var bytes = ByteBuffer.allocate(BYTES);
        put(bytes, project.value());
        put(bytes, invitation);
        return PREFIX
                + Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(bytes.put(secret).array());
    }

    private static void put(ByteBuffer bytes, UUID id) {
        bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }

    /** Redacted, so that a token never reaches a log. */
    @Override
    public String toString() {
        return "InvitationToken[" + project + "]";
    }
}
