package dev.vestibule.crypto.foreign;

import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** scrypt (RFC 7914) as a PHC string (which passlib uses too), or in the formats of Werkzeug and Django. */
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
                    HashParts::base64,
                    HashParts::base64),
            new Form(
                    Pattern.compile("scrypt:(?<n>\\d{1,9}):(?<r>\\d{1,9}):(?<p>\\d{1,9})\\$(?<salt>" + TEXT_SALT
                            + ")\\$(?<hash>[0-9a-f]+)"),
                    false,
                    HashParts::text,
                    HashParts::hex),
            new Form(
                    Pattern.compile("scrypt\\$(?<n>\\d{1,9})\\$(?<salt>" + TEXT_SALT
                            + ")\\$(?<r>\\d{1,9})\\$(?<p>\\d{1,9})\\$(?<hash>" + BASE64 + ")"),
                    false,
                    HashParts::text,
                    HashParts::base64));

    private final ScryptCost cost;
    private final byte[] salt;
    private final byte[] hash;

    private ScryptHash(ScryptCost cost, byte[] salt, byte[] hash) {
        this.cost = cost;
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
        var cost = form.isLogarithm()
                ? ScryptCost.ofLogarithm(parts.group("n"), parts.group("r"), parts.group("p"))
                : ScryptCost.of(parts.group("n"), parts.group("r"), parts.group("p"));
        return new ScryptHash(
                cost,
                HashParts.salt(form.salt().apply(parts.group("salt"))),
                HashParts.hash(form.hash().apply(parts.group("hash"))));
    }

    @Override
    public HashCost cost() {
        return cost.cost();
    }

    @Override
    public void check(HashCeilings ceilings) {
        cost.check(ceilings);
    }

    @Override
    public boolean matches(byte[] password) {
        return MessageDigest.isEqual(hash, cost.derive(password, salt, hash.length));
    }
}
