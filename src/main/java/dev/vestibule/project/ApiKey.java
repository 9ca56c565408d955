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
 * An API key, such as {@code pk_live_…} or {@code sk_test_…}. The prefix is followed by the base64url of the project's
 * id and 24 random bytes, so that a key identifies its project. The database stores only a hash.
 */
public record ApiKey(Kind kind, Environment environment, ProjectId project, String text) {
    private static final int RANDOM_BYTES = 24;
    private static final int BYTES = 2 * Long.BYTES + RANDOM_BYTES;
    private static final Pattern FORMAT = Pattern.compile("(pk|sk)_(live|test)_([A-Za-z0-9_-]{54})");

    /** Who can hold a key: anyone (it can be in web pages), or servers only. */
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

        /** Reads the kind from a field of a request or of a row. */
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

    /** Whether the text begins like an API key, valid or not, so that it cannot be an access token. */
    public static boolean looksLikeKey(String text) {
        return text.startsWith("pk_") || text.startsWith("sk_");
    }

    /** Empty if the text does not have the format of a key. Does not check that the project has such a key. */
    public static Optional<ApiKey> parse(String text) {
        var parts = FORMAT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(parts.group(3)));
        return Optional.of(new ApiKey(
                parts.group(1).equals(Kind.SECRET.prefix) ? Kind.SECRET : Kind.PUBLISHABLE,
                Environment.of(parts.group(2)),
                new ProjectId(new UUID(bytes.getLong(), bytes.getLong())),
                text));
    }

    public byte[] hash() {
        return Sha256.of(text);
    }

    public String lastFour() {
        return text.substring(text.length() - 4);
    }

    /** The part of a secret key that can be shown. */
    public static String hint(Kind kind, Environment environment, String lastFour) {
        return kind.prefix + "_" + environment.text() + "_…" + lastFour;
    }

    /** Redacted, so that a key never reaches a log. */
    @Override
    public String toString() {
        return hint(kind, environment, lastFour());
    }
}
