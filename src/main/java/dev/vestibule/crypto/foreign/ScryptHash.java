package dev.vestibule.crypto.foreign;

import dev.vestibule.error.InvalidValueException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.SCrypt;

/** scrypt (RFC 7914) as a PHC string (passlib's form too), or in the forms of Werkzeug and Django. */
final class ScryptHash implements ForeignHash {
    private static final String COST = "r=(?<r>\\d{1,9}),p=(?<p>\\d{1,9})";
    private static final String BASE64 = "[A-Za-z0-9+/]+={0,2}";
    private static final String TEXT_SALT = "[!-~&&[^$]]{1,64}";

    private record Form(
            Pattern pattern, boolean isLogarithm, Function<String, byte[]> salt, Function<String, byte[]> hash) {}

    private static final List<Form> FORMS = List.of(
            new Form(
                    Pattern.compile("\\$scrypt\\$ln=(?<n>\\d{1,2})," + COST + "\\$(?<salt>" + BASE64 + ")\\$(?<hash>"
                            + BASE64 + ")"),
                    true,
                    Encoded::base64,
                    Encoded::base64),
            new Form(
                    Pattern.compile("scrypt:(?<n>\\d{1,9}):(?<r>\\d{1,9}):(?<p>\\d{1,9})\\$(?<salt>" + TEXT_SALT
                            + ")\\$(?<hash>[0-9a-f]+)"),
                    false,
                    Encoded::text,
                    Encoded::hex),
            new Form(
                    Pattern.compile("scrypt\\$(?<n>\\d{1,9})\\$(?<salt>" + TEXT_SALT
                            + ")\\$(?<r>\\d{1,9})\\$(?<p>\\d{1,9})\\$(?<hash>" + BASE64 + ")"),
                    false,
                    Encoded::text,
                    Encoded::base64));

    private static final int MIN_LOG = 10;
    private static final int MAX_LOG = 17;
    private static final int MAX_BLOCK = 32;
    private static final int MAX_LANES = 16;
    private static final long MAX_MEMORY = 128L * 1024 * 1024; // of the heap
    private static final long MAX_WORK = 4 * MAX_MEMORY; // about a second

    private final int n;
    private final int r;
    private final int p;
    private final byte[] salt;
    private final byte[] hash;

    private ScryptHash(int n, int r, int p, byte[] salt, byte[] hash) {
        this.n = n;
        this.r = r;
        this.p = p;
        this.salt = salt;
        this.hash = hash;
    }

    static Optional<ScryptHash> parse(String text) {
        for (var form : FORMS) {
            var parts = form.pattern().matcher(text);
            if (parts.matches()) {
                return Optional.of(read(form, parts));
            }
        }
        return Optional.empty();
    }

    private static ScryptHash read(Form form, Matcher parts) {
        var n = form.isLogarithm()
                ? 1 << Encoded.number(parts.group("n"), MIN_LOG, MAX_LOG, "a scrypt cost (ln)")
                : Encoded.number(parts.group("n"), 1 << MIN_LOG, 1 << MAX_LOG, "a scrypt cost (N)");
        if (Integer.bitCount(n) != 1) {
            throw new InvalidValueException("must have a power of two as its scrypt cost (N)");
        }
        var r = Encoded.number(parts.group("r"), 1, MAX_BLOCK, "a block size (r)");
        var p = Encoded.number(parts.group("p"), 1, MAX_LANES, "lanes (p)");
        var memory = 128L * n * r;
        if (memory > MAX_MEMORY || memory * p > MAX_WORK) {
            throw new InvalidValueException(
                    "must have 128 N r of at most %d, and that times p of at most %d".formatted(MAX_MEMORY, MAX_WORK));
        }
        return new ScryptHash(
                n,
                r,
                p,
                Encoded.salt(form.salt().apply(parts.group("salt"))),
                Encoded.hash(form.hash().apply(parts.group("hash"))));
    }

    @Override
    public HashCost cost() {
        return HashCost.of("scrypt N=%d,r=%d,p=%d".formatted(n, r, p), 0.005 * 128 * n * r * p);
    }

    @Override
    public void check(HashCeilings ceilings) {
        HashCeilings.require("128 N r p", 128L * n * r * p, ceilings.scryptWorkBytes(), "imports.scryptWork");
    }

    @Override
    public boolean matches(byte[] password) {
        return MessageDigest.isEqual(hash, SCrypt.generate(password, salt, n, r, p, hash.length));
    }

    @Override
    public boolean isLarge() {
        return true;
    }
}
