package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.error.InvalidValueException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * An API key's text: {@code pk_live_…}, {@code sk_test_…}. What follows the prefix is base64url of the project's id and
 * 24 random bytes, so that a key alone tells which project to look in; the whole is known only to those who hold it,
 * since the database keeps a hash.
 */
public record ApiKey(Kind kind, Environment environment, ProjectId project, String text) {
    private static final int RANDOM_BYTES = 24;
    private static final int BYTES = 2 * Long.BYTES + RANDOM_BYTES;
    private static final Pattern SHAPE = Pattern.compile("(pk|sk)_(live|test)_([A-Za-z0-9_-]{54})");

    /** Who may hold a key: anyone (it is in web pages), or servers alone. */
    public enum Kind {
        PUBLISHABLE("publishable", "pk"),
        SECRET("secret", "sk");

        private final String text;
        private final String prefix;

        Kind(String text, String prefix) {
            this.text = text;
            this.prefix = prefix;
        }

        @JsonValue
        public String text() {
            return text;
        }

        /** A field rule. */
        public static Kind of(String text) {
            return switch (text) {
                case "publishable" -> PUBLISHABLE;
                case "secret" -> SECRET;
                default -> throw new InvalidValueException("must be publishable or secret");
            };
        }
    }

    public static ApiKey generate(Kind kind, Environment environment, ProjectId project) {
        var bytes = ByteBuffer.allocate(BYTES)
                .putLong(project.value().getMostSignificantBits())
                .putLong(project.value().getLeastSignificantBits())
                .put(RandomSecrets.bytes(RANDOM_BYTES))
                .array();
        var text = kind.prefix + "_" + environment.text() + "_"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        return new ApiKey(kind, environment, project, text);
    }

    /** Whether the text means to be a key of ours, good or not: it is then no access token. */
    public static boolean looksLikeKey(String text) {
        return text.startsWith("pk_") || text.startsWith("sk_");
    }

    /** Empty where the text has not the shape of a key; whether the project knows the key is another question. */
    public static Optional<ApiKey> parse(String text) {
        var shape = SHAPE.matcher(text);
        if (!shape.matches()) {
            return Optional.empty();
        }
        var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(shape.group(3)));
        return Optional.of(new ApiKey(
                shape.group(1).equals(Kind.SECRET.prefix) ? Kind.SECRET : Kind.PUBLISHABLE,
                Environment.of(shape.group(2)),
                new ProjectId(new UUID(bytes.getLong(), bytes.getLong())),
                text));
    }

    public byte[] hash() {
        return Sha256.of(text);
    }

    public String lastFour() {
        return text.substring(text.length() - 4);
    }

    /** What may be shown of a key that is a secret. */
    public static String hint(Kind kind, Environment environment, String lastFour) {
        return kind.prefix + "_" + environment.text() + "_…" + lastFour;
    }

    /** Redacted, so that a key never reaches a log. */
    @Override
    public String toString() {
        return hint(kind, environment, lastFour());
    }
}
