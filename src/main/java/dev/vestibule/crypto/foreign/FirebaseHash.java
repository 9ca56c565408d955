package dev.vestibule.crypto.foreign;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.util.Arrays;

/**
 * Firebase's variant of scrypt, in the format of Supabase Auth: scrypt derives an AES key from the password, and the
 * hash is the project's signer key encrypted with that AES key.
 */
final class FirebaseHash implements ForeignHash {
    private static final String BASE64 = "[A-Za-z0-9+/_-]+={0,2}";
    private static final Pattern FORM =
            Pattern.compile("\\$fbscrypt\\$v=1,n=(?<n>\\d{1,2}),r=(?<r>\\d{1,9}),p=(?<p>\\d{1,9})"
                    + "(?:,ss=(?<separator>" + BASE64 + "))?,sk=(?<key>" + BASE64 + ")"
                    + "\\$(?<salt>" + BASE64 + ")\\$(?<hash>" + BASE64 + ")");
    private static final int AES_KEY_BYTES = 32;
    private static final int AES_BLOCK_BYTES = 16;

    private final ScryptCost cost;
    private final byte[] salt;
    private final byte[] signerKey;
    private final byte[] hash;

    private FirebaseHash(ScryptCost cost, byte[] salt, byte[] signerKey, byte[] hash) {
        this.cost = cost;
        this.salt = salt;
        this.signerKey = signerKey;
        this.hash = hash;
    }

    static Optional<FirebaseHash> parse(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        var salt = HashParts.salt(base64(parts.group("salt")));
        var separator = base64(Objects.requireNonNullElse(parts.group("separator"), ""));
        return Optional.of(new FirebaseHash(
                ScryptCost.ofLogarithm(parts.group("n"), parts.group("r"), parts.group("p")),
                Arrays.concatenate(salt, separator),
                HashParts.hash(base64(parts.group("key"))),
                HashParts.hash(base64(parts.group("hash")))));
    }

    /** Firebase's exports use both alphabets (RFC 4648, 4 and 5). */
    private static byte[] base64(String text) {
        return HashParts.base64(text.replace('-', '+').replace('_', '/'));
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
        var key = new SecretKeySpec(cost.derive(password, salt, AES_KEY_BYTES), "AES");
        try {
            var cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[AES_BLOCK_BYTES]));
            return MessageDigest.isEqual(hash, cipher.doFinal(signerKey));
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("every Java platform has AES in counter mode", failure);
        }
    }
}
