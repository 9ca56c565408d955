package dev.vestibule.crypto.foreign;

import dev.vestibule.error.InvalidValueException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads password hashes of other systems. */
public final class ForeignHashes {
    private static final int LONGEST = 512;

    /** Each finds nothing in a text that is not of its kind, and fails for one that is and costs too much or too little. */
    private static final List<Function<String, Optional<? extends ForeignHash>>> KINDS =
            List.of(Argon2Hash::find, BcryptHash::find, ScryptHash::find, Pbkdf2Hash::find);

    private ForeignHashes() {}

    /** A field rule: the hash as it stands, which can be read again. */
    public static String check(String text) {
        if (find(text).isEmpty()) {
            throw new InvalidValueException(
                    "must be a hash by Argon2, bcrypt, scrypt or PBKDF2 in one of the forms that the API"
                            + " description names");
        }
        return text;
    }

    /** Empty where the form is unknown; fails with an {@link InvalidValueException} where the cost is out of bounds. */
    public static Optional<ForeignHash> find(String text) {
        return text.length() > LONGEST
                ? Optional.empty()
                : KINDS.stream()
                        .<ForeignHash>flatMap(kind -> kind.apply(text).stream())
                        .findFirst();
    }
}
