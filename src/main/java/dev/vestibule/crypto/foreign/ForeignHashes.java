package dev.vestibule.crypto.foreign;

import dev.vestibule.error.InvalidValueException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Parses password hashes of other systems. */
public final class ForeignHashes {
    private static final int MAX_LENGTH = 512;

    /**
     * Each returns empty for a hash of another algorithm, and throws for a hash of its own algorithm with a cost out of
     * bounds.
     */
    private static final List<Function<String, Optional<? extends ForeignHash>>> PARSERS =
            List.of(Argon2Hash::parse, BcryptHash::parse, ScryptHash::parse, FirebaseHash::parse, Pbkdf2Hash::parse);

    private ForeignHashes() {}

    /** A field rule: returns the hash unchanged if it can be verified and does not exceed the ceilings. */
    public static String check(String text, HashCeilings ceilings) {
        var hash = parse(text)
                .orElseThrow(() ->
                        new InvalidValueException("must be an Argon2, bcrypt, scrypt or PBKDF2 hash in one of the forms"
                                + " that the API description lists"));
        hash.check(ceilings);
        ceilings.requireMemoryFor(hash.cost().memory());
        return text;
    }

    /** Empty if the format is unknown; throws an {@link InvalidValueException} if the cost is out of bounds. */
    public static Optional<ForeignHash> parse(String text) {
        return text.length() > MAX_LENGTH
                ? Optional.empty()
                : PARSERS.stream()
                        .<ForeignHash>flatMap(parser -> parser.apply(text).stream())
                        .findFirst();
    }
}
