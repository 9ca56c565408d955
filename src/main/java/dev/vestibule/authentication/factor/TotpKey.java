package dev.vestibule.authentication.factor;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.bouncycastle.util.encoders.Base32;

/** The secret for an authenticator app: as base32 that a person types, or as a URI in a QR code. */
final class TotpKey {
    /** Together with the rest, this gives a URI of at most 425 bytes, which clients show as a QR code. */
    private static final int MAX_ISSUER = 60;

    private static final int MAX_ACCOUNT = 240;

    private TotpKey() {}

    /** Without padding; the length of the secret is a multiple of 5 bytes. */
    static String text(byte[] secret) {
        return Base32.toBase32String(secret);
    }

    /** Algorithm, digits and period are the usual ones, which apps that ignore these parameters use anyway. */
    static String uri(String issuer, String account, byte[] secret) {
        // A colon separates the issuer from the account.
        var from = encode(issuer.replace(':', ' ').strip(), MAX_ISSUER);
        var whose = encode(account, MAX_ACCOUNT);
        return "otpauth://totp/" + from + ":" + whose + "?secret=" + text(secret) + "&issuer=" + from;
    }

    /** As many whole characters as fit. */
    private static String encode(String text, int bytes) {
        var room = new int[] {bytes};
        return text.codePoints()
                .mapToObj(character -> URLEncoder.encode(Character.toString(character), StandardCharsets.UTF_8)
                        .replace("+", "%20"))
                .takeWhile(encoded -> (room[0] -= encoded.length()) >= 0)
                .collect(Collectors.joining());
    }
}
