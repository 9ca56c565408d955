package dev.vestibule.authentication.oauth;

import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.project.ProjectId;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The {@code state} of a sign in (RFC 6749, 10.12): the project id, so that the state is found by primary key, and 256
 * random bits, of which only a hash is stored.
 */
record StateToken(ProjectId project, String text) {
    private static final int PROJECT_BYTES = 16;
    private static final int RANDOM_BYTES = 32;
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9_-]{64}");

    /** Nodes of older releases, which know no trials, must not take such a state for one of theirs. */
    private static final String TRIAL = "trial-";

    static StateToken next(ProjectId project) {
        return new StateToken(project, random(project));
    }

    /** The state of a trial, which never opens a session. Neither can be used in place of the other. */
    static StateToken nextOfTrial(ProjectId project) {
        return new StateToken(project, TRIAL + random(project));
    }

    private static String random(ProjectId project) {
        var bytes = ByteBuffer.allocate(PROJECT_BYTES + RANDOM_BYTES)
                .putLong(project.value().getMostSignificantBits())
                .putLong(project.value().getLeastSignificantBits())
                .put(RandomSecrets.bytes(RANDOM_BYTES))
                .array();
        return base64(bytes);
    }

    /** Empty if the text cannot be a state of this server. */
    static Optional<StateToken> parse(String text) {
        if (!SHAPE.matcher(text).matches()) {
            return Optional.empty();
        }
        var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
        return Optional.of(new StateToken(new ProjectId(new UUID(bytes.getLong(), bytes.getLong())), text));
    }

    /** Empty if the text cannot be the state of a trial. */
    static Optional<StateToken> parseTrial(String text) {
        return text.startsWith(TRIAL)
                ? parse(text.substring(TRIAL.length())).map(random -> new StateToken(random.project(), text))
                : Optional.empty();
    }

    Buffer hash() {
        return Buffer.buffer(Sha256.of(text));
    }

    /**
     * The ID token must repeat it (OpenID Connect Core, 3.1.2.1); it is derived from the state, so it is not stored.
     */
    String nonce() {
        return base64(Sha256.of("nonce " + text));
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Redacted, so that it never reaches a log. */
    @Override
    public String toString() {
        return "StateToken[" + project + "]";
    }
}
