package dev.vestibule.json;

import java.util.Optional;
import java.util.UUID;

/** UUIDs in their canonical text form, in upper or lower case (RFC 9562, 4). */
public final class Uuids {
    private static final int LENGTH = 36;

    private Uuids() {}

    /**
     * Empty if the text is not a canonical UUID. {@link UUID#fromString} alone also accepts other texts of 36
     * characters.
     */
    public static Optional<UUID> parse(String text) {
        if (text.length() != LENGTH) {
            return Optional.empty();
        }
        try {
            var uuid = UUID.fromString(text);
            return Optional.of(uuid).filter(parsed -> parsed.toString().equalsIgnoreCase(text));
        } catch (IllegalArgumentException notAUuid) {
            return Optional.empty();
        }
    }
}
