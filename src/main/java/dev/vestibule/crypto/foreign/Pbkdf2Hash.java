package dev.vestibule.crypto.foreign;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * PBKDF2 (RFC 8018) with SHA-1, SHA-256 or SHA-512, as a PHC string or in the formats of passlib, Django and Werkzeug.
 */
final class Pbkdf2Hash implements ForeignHash {
    private static final String DIGEST = "(?<digest>sha1|sha256|sha512)";
    private static final String ITERATIONS = "(?<iterations>\\d{1,9})";
    private static final String TEXT_SALT = "(?<salt>[!-~&&[^$]]{1,64})";

    private record Form(Pattern pattern, Function<String, byte[]> salt, Function<String, byte[]> hash) {}

    private static final List<Form> FORMS = List.of(
            new Form(
                    Pattern.compile("\\$pbkdf2(?:-" + DIGEST + ")?\\$(?:i=)?" + ITERATIONS + "(?:,l=\\d{1,3})?"
                            + "\\$(?<salt>[A-Za-z0-9+/.]+={0,2})\\$(?<hash>[A-Za-z0-9+/.]+={0,2})"),
                    HashParts::base64,
                    HashParts::base64),
            new Form(
                    Pattern.compile("pbkdf2_" + DIGEST + "\\$" + ITERATIONS + "\\$" + TEXT_SALT
                            + "\\$(?<hash>[A-Za-z0-9+/]+={0,2})"),
                    HashParts::text,
                    HashParts::base64),
            new Form(
                    Pattern.compile(
                            "pbkdf2:" + DIGEST + ":" + ITERATIONS + "\\$" + TEXT_SALT + "\\$(?<hash>[0-9a-f]+)"),
                    HashParts::text,
                    HashParts::hex));

    private static final int MIN_ITERATIONS = 1000; // RFC 2898, 4.2, of the year 2000
    private static final int MAX_ITERATIONS = 2_000_000; // about a second

    private final String algorithm;
    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private Pbkdf2Hash(String algorithm, int iterations, byte[] salt, byte[] hash) {
        this.algorithm = algorithm;
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    static Optional<Pbkdf2Hash> parse(String text) {
        for (var form : FORMS) {
            var parts = form.pattern().matcher(text);
            if (parts.matches()) {
                return Optional.of(read(form, parts));
            }
        }
        return Optional.empty();
    }

    private static Pbkdf2Hash read(Form form, Matcher parts) {
        var digest = Objects.requireNonNullElse(parts.group("digest"), "sha1"); // passlib leaves it out
        return new Pbkdf2Hash(
                "PBKDF2WithHmac" + digest.toUpperCase(Locale.ROOT),
                HashParts.number(parts.group("iterations"), MIN_ITERATIONS, MAX_ITERATIONS, "PBKDF2 iterations"),
                HashParts.salt(form.salt().apply(parts.group("salt"))),
                HashParts.hash(form.hash().apply(parts.group("hash"))));
    }

    @Override
    public HashCost cost() {
        return HashCost.of(algorithm + " " + iterations, 0.8 * iterations, HashMemory.NONE);
    }

    @Override
    public void check(HashCeilings ceilings) {
        HashCeilings.require("PBKDF2 iterations", iterations, ceilings.pbkdf2Iterations(), "imports.pbkdf2Iterations");
    }

    @Override
    public boolean matches(byte[] password) {
        var characters =
                new String(password, StandardCharsets.UTF_8).toCharArray(); // the JDK encodes it as UTF-8 again
        var key = new PBEKeySpec(characters, salt, iterations, hash.length * Byte.SIZE);
        try {
            return MessageDigest.isEqual(
                    hash,
                    SecretKeyFactory.getInstance(algorithm).generateSecret(key).getEncoded());
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("every Java platform has " + algorithm, failure);
        } finally {
            key.clearPassword();
        }
    }
}
