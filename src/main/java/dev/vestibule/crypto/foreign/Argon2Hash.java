package dev.vestibule.crypto.foreign;

import de.mkammerer.argon2.Argon2;
import de.mkammerer.argon2.Argon2Factory;
import de.mkammerer.argon2.Argon2Factory.Argon2Types;
import dev.vestibule.error.InvalidValueException;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/** Argon2id or Argon2i, version 19, as a PHC string. Django prefixes it with {@code argon2}. */
final class Argon2Hash implements ForeignHash {
    /** The reference implementation never matches a hash that has a number with leading zeros. */
    private static final String NUMBER = "0|[1-9]\\d{0,8}";

    private static final Pattern FORM = Pattern.compile("(?:argon2)?(?<phc>\\$argon2(?<type>id|i)\\$v=19"
            + "\\$m=(?<memory>" + NUMBER + "),t=(?<passes>" + NUMBER + "),p=(?<lanes>" + NUMBER + ")"
            + "\\$(?<salt>[A-Za-z0-9+/]+)\\$(?<hash>[A-Za-z0-9+/]+))");
    private static final int MAX_MEMORY_KIB = 256 * 1024;
    private static final int MAX_PASSES = 100;
    private static final int MAX_LANES = 16;
    private static final int MIN_MEMORY_KIB_PER_LANE = 8; // RFC 9106, 3.1
    private static final long MAX_WORK_KIB = 1024 * 1024; // about a second

    private final int memory;
    private final int passes;
    private final int lanes;
    private final String phc;
    private final Argon2 argon2;

    private Argon2Hash(int memory, int passes, int lanes, String phc, Argon2 argon2) {
        this.memory = memory;
        this.passes = passes;
        this.lanes = lanes;
        this.phc = phc;
        this.argon2 = argon2;
    }

    static Optional<Argon2Hash> parse(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        var lanes = HashParts.number(parts.group("lanes"), 1, MAX_LANES, "lanes (p)");
        var memory = HashParts.number(
                parts.group("memory"), MIN_MEMORY_KIB_PER_LANE * lanes, MAX_MEMORY_KIB, "a memory (m, in KiB)");
        var passes = HashParts.number(parts.group("passes"), 1, MAX_PASSES, "passes (t)");
        if ((long) memory * passes > MAX_WORK_KIB) {
            throw new InvalidValueException("must have m times t of at most " + MAX_WORK_KIB);
        }
        HashParts.salt(canonical(parts.group("salt")));
        HashParts.hash(canonical(parts.group("hash")));
        var type = parts.group("type").equals("id") ? Argon2Types.ARGON2id : Argon2Types.ARGON2i;
        return Optional.of(new Argon2Hash(memory, passes, lanes, parts.group("phc"), Argon2Factory.create(type)));
    }

    /** The reference implementation never matches a hash whose Base64 it would have written differently. */
    private static byte[] canonical(String base64) {
        var bytes = HashParts.base64(base64);
        if (!Base64.getEncoder().withoutPadding().encodeToString(bytes).equals(base64)) {
            throw new InvalidValueException("must have its salt and its hash in canonical Base64");
        }
        return bytes;
    }

    @Override
    public HashCost cost() {
        return HashCost.of(
                "argon2 m=%d,t=%d,p=%d".formatted(memory, passes, lanes),
                0.6 * memory * passes,
                HashMemory.ofNative(memory));
    }

    @Override
    public void check(HashCeilings ceilings) {
        HashCeilings.require(
                "an Argon2 memory (m, in KiB)", memory, ceilings.argon2MemoryKib(), "imports.argon2Memory");
        HashCeilings.require("Argon2 lanes (p)", lanes, ceilings.argon2Parallelism(), "imports.argon2Parallelism");
        HashCeilings.require(
                "an Argon2 memory times passes (m t)",
                (long) memory * passes,
                ceilings.argon2Work(),
                "imports.argon2Work");
    }

    @Override
    public boolean matches(byte[] password) {
        return argon2.verify(phc, password);
    }
}
