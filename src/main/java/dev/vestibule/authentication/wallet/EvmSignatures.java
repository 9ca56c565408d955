package dev.vestibule.authentication.wallet;

import dev.vestibule.json.UnicodeText;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.jcajce.provider.digest.Keccak;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECPoint;

/** Signatures of texts by wallets of EVM chains ({@code personal_sign}, EIP-191): the signer's key is recovered. */
final class EvmSignatures {
    private static final X9ECParameters CURVE = CustomNamedCurves.getByName("secp256k1");
    private static final BigInteger HALF_ORDER = CURVE.getN().shiftRight(1);
    private static final Pattern SIGNATURE = Pattern.compile("0x[0-9a-fA-F]{130}");
    private static final HexFormat HEX = HexFormat.of();
    private static final int WORD = 32;
    private static final int ADDRESS_BYTES = 20;

    /** Recovery ids are 0 and 1, to which Bitcoin and then Ethereum added 27. */
    private static final int FIRST_RECOVERY_ID = 27;

    private EvmSignatures() {}

    /** Whether the wallet of this address has signed the message; false for any signature that is not well-formed. */
    static boolean isBy(String address, String message, String signature) {
        if (!SIGNATURE.matcher(signature).matches()) {
            return false;
        }
        var bytes = HEX.parseHex(signature, 2, signature.length());
        var r = new BigInteger(1, bytes, 0, WORD);
        var s = new BigInteger(1, bytes, WORD, WORD);
        var v = bytes[2 * WORD] & 0xff;
        var id = v >= FIRST_RECOVERY_ID ? v - FIRST_RECOVERY_ID : v;
        if (id > 1
                || r.signum() == 0
                || r.compareTo(CURVE.getN()) >= 0
                || s.signum() == 0
                || s.compareTo(HALF_ORDER) > 0) {
            return false;
        }
        var compressed = new byte[1 + WORD];
        compressed[0] = (byte) (2 + id);
        System.arraycopy(bytes, 0, compressed, 1, WORD);
        ECPoint point;
        try {
            point = CURVE.getCurve().decodePoint(compressed);
        } catch (IllegalArgumentException notOnTheCurve) {
            return false;
        }
        return address(recover(point, r, s, hash(message))).equals(address);
    }

    /** SEC 1, 4.1.6: the key for which r and s are a signature of the hash. */
    private static ECPoint recover(ECPoint point, BigInteger r, BigInteger s, byte[] hash) {
        var inverse = r.modInverse(CURVE.getN());
        var ofBase = inverse.multiply(new BigInteger(1, hash).negate()).mod(CURVE.getN());
        var ofPoint = inverse.multiply(s).mod(CURVE.getN());
        return ECAlgorithms.sumOfTwoMultiplies(CURVE.getG(), ofBase, point, ofPoint)
                .normalize();
    }

    /** The hash that is signed (EIP-191). */
    static byte[] hash(String message) {
        var text = message.getBytes(StandardCharsets.UTF_8);
        var keccak = new Keccak.Digest256();
        keccak.update(("\u0019Ethereum Signed Message:\n" + text.length).getBytes(StandardCharsets.UTF_8));
        return keccak.digest(text);
    }

    private static String address(ECPoint key) {
        if (key.isInfinity()) {
            return "";
        }
        var encoded = key.getEncoded(false);
        var keccak = new Keccak.Digest256();
        keccak.update(encoded, 1, 2 * WORD);
        return checksummed(HEX.formatHex(keccak.digest(), WORD - ADDRESS_BYTES, WORD));
    }

    /** The address with {@code 0x} and the capitals of EIP-55, which are a checksum. */
    static String checksummed(String digits) {
        var address = UnicodeText.lowerAscii(digits);
        var hash = HEX.formatHex(new Keccak.Digest256().digest(address.getBytes(StandardCharsets.US_ASCII)));
        var text = new StringBuilder("0x");
        for (int i = 0; i < address.length(); i++) {
            var digit = address.charAt(i);
            text.append(digit >= 'a' && hash.charAt(i) >= '8' ? (char) (digit - 'a' + 'A') : digit);
        }
        return text.toString();
    }
}
