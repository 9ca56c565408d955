package dev.vestibule.json;

import java.util.Optional;
import java.util.UUID;

/** UUIDs in their one canonical text form. */
public final class Uuids {
    private static final int LENGTH = 36;

    private Uuids() {}

    /** Empty where the text is no canonical UUID; {@link UUID#fromString} alone takes shortened ones too. */
    public static Optional<UUID> parse(String text) {
        if (text.length() != LENGTH) {
            return Optional.empty();
        }
        try {
            return Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException notOne) {
            return Optional.empty();
        }
    }
}
