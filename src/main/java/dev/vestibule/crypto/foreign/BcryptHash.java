package dev.vestibule.crypto.foreign;

import java.util.Optional;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;

/**
 * bcrypt in the versions 2a, 2b and 2y, which are the same for passwords in UTF-8. Django prefixes it with
 * {@code bcrypt$}. Only the first 72 bytes of a password count.
 */
final class BcryptHash implements ForeignHash {
    private static final Pattern FORM = Pattern.compile(
            "(?:bcrypt\\$)?(?<head>\\$2[aby]\\$(?<cost>\\d\\d)\\$[./A-Za-z0-9]{21})(?<saltEnd>[./A-Za-z0-9])"
                    + "(?<hash>[./A-Za-z0-9]{30})(?<hashEnd>[./A-Za-z0-9])");
    private static final String ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int MIN_COST = 4;
    private static final int MAX_COST = 31; // the algorithm's limit
    private static final int MAX_VERIFIED_COST = 14; // about a second
    private static final int BITS_OF_SALT_END = 0b110000; // 128 bits are 21 digits and 2 bits
    private static final int BITS_OF_HASH_END = 0b111100; // 184 bits are 30 digits and 4 bits

    private final int cost;
    private final String canonical;

    private BcryptHash(int cost, String canonical) {
        this.cost = cost;
        this.canonical = canonical;
    }

    static Optional<BcryptHash> parse(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        var cost = HashParts.number(parts.group("cost"), MIN_COST, MAX_COST, "a bcrypt cost");
        return Optional.of(new BcryptHash(
                cost,
                parts.group("head")
                        + withoutPadding(parts.group("saltEnd"), BITS_OF_SALT_END)
                        + parts.group("hash")
                        + withoutPadding(parts.group("hashEnd"), BITS_OF_HASH_END)));
    }

    /** Some implementations left random bits after the last significant one. */
    private static char withoutPadding(String digit, int bits) {
        return ALPHABET.charAt(ALPHABET.indexOf(digit) & bits);
    }

    @Override
    public HashCost cost() {
        return HashCost.of("bcrypt " + cost, 90.0 * (1 << cost), HashMemory.NONE);
    }

    @Override
    public void check(HashCeilings ceilings) {
        HashCeilings.require("a bcrypt cost", cost, ceilings.bcryptCost(), "imports.bcryptCost");
    }

    @Override
    public boolean matches(byte[] password) {
        // An import accepts none above; a project file of another server could contain one.
        return cost <= MAX_VERIFIED_COST && OpenBSDBCrypt.checkPassword(canonical, password);
    }
}
