package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.error.InvalidValueException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * An API key, such as {@code pk_live_…} or {@code sk_test_…}. The prefix is followed by the base64url of the project's
 * id and 24 random bytes, so that a key identifies its project. The database stores only a hash.
 */
public record ApiKey(Kind kind, Environment environment, ProjectId project, String text) {
    private static final int RANDOM_BYTES = 24;
    private static final int BYTES = 2 * Long.BYTES + RANDOM_BYTES;
    private static final int PREFIX = "pk_live_".length();
    private static final int LENGTH = PREFIX + 54;

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

    /**
     * Empty if the text does not have the format of a key. Does not check that the project has such a key. It uses no
     * regular expression, since that took a twelfth of the time of a request that is answered from memory.
     */
    public static Optional<ApiKey> parse(String text) {
        if (text.length() != LENGTH || !endsInBase64Url(text)) {
            return Optional.empty();
        }
        return switch (text.substring(0, PREFIX)) {
            case "pk_live_" -> Optional.of(read(text, Kind.PUBLISHABLE, Environment.LIVE));
            case "pk_test_" -> Optional.of(read(text, Kind.PUBLISHABLE, Environment.TEST));
            case "sk_live_" -> Optional.of(read(text, Kind.SECRET, Environment.LIVE));
            case "sk_test_" -> Optional.of(read(text, Kind.SECRET, Environment.TEST));
            default -> Optional.empty();
        };
    }

    private static boolean endsInBase64Url(String text) {
        for (var i = PREFIX; i < LENGTH; i++) {
            var c = text.charAt(i);
            var isBase64Url =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
            if (!isBase64Url) {
                return false;
            }
        }
        return true;
    }

    private static ApiKey read(String text, Kind kind, Environment environment) {
        var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text.substring(PREFIX)));
        return new ApiKey(kind, environment, new ProjectId(new UUID(bytes.getLong(), bytes.getLong())), text);
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
