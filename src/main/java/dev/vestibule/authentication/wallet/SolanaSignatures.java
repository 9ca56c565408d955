package dev.vestibule.authentication.wallet;

import dev.vestibule.error.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.apache.commons.codec.binary.Base58;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/** Signatures of texts by wallets of Solana (Ed25519, RFC 8032): the address is the key. */
final class SolanaSignatures {
    static final int KEY_BYTES = Ed25519.PUBLIC_KEY_SIZE;
    static final String KEY_RULE = "must be a key of 32 bytes in Base58";

    private static final Pattern BASE58 = Pattern.compile("[1-9A-HJ-NP-Za-km-z]{1,90}");
    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{128}");

    private SolanaSignatures() {}

    /**
     * Whether the wallet of this address has signed the message; false for any signature that is not well-formed, and
     * for keys of small order, whose signatures prove nothing.
     */
    static boolean isBy(String address, String message, String signature) {
        var bytes = decode(signature);
        var key = decodeBase58(address);
        if (bytes.length != Ed25519.SIGNATURE_SIZE || !Ed25519.validatePublicKeyFull(key, 0)) {
            return false;
        }
        var text = message.getBytes(StandardCharsets.UTF_8);
        return Ed25519.verify(bytes, 0, key, 0, text, 0, text.length);
    }

    private static byte[] decode(String signature) {
        if (HEX.matcher(signature).matches()) {
            return HexFormat.of().parseHex(signature);
        }
        return BASE58.matcher(signature).matches() ? decodeBase58(signature) : new byte[0];
    }

    /** Time grows with the square of the length, so callers bound it. */
    static byte[] decodeBase58(String text) {
        if (!BASE58.matcher(text).matches()) {
            throw new InvalidValueException(KEY_RULE);
        }
        return new Base58().decode(text);
    }
}
