package dev.vestibule.authentication.oauth;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Proof keys for code exchange (RFC 7636, S256 only). If the application brings no challenge, the verifier is computed
 * from the state under the master secret, so that it is not stored and cannot be stolen.
 */
public final class Pkce {
    private static final Pattern CHALLENGE = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final Pattern VERIFIER = Pattern.compile("[A-Za-z0-9._~-]{43,128}");

    private final KeyedHash key;

    public Pkce(MasterKeys masterKeys) {
        this.key = new KeyedHash(masterKeys, "oauth code verifiers");
    }

    /** A field rule. */
    public static String challenge(String text) {
        if (!CHALLENGE.matcher(text).matches()) {
            throw new InvalidValueException("must be the base64url of a SHA-256, 43 characters");
        }
        return text;
    }

    /** A field rule. */
    public static String method(String text) {
        if (!text.equals("S256")) {
            throw new InvalidValueException("must be S256");
        }
        return text;
    }

    /** A field rule. */
    public static String verifier(String text) {
        if (!VERIFIER.matcher(text).matches()) {
            throw new InvalidValueException("must have 43 to 128 letters, digits or any of -._~");
        }
        return text;
    }

    static String challengeOf(String verifier) {
        return StateToken.base64(Sha256.of(verifier));
    }

    /** The verifier of a sign in whose application brought no challenge. */
    String serverVerifier(StateToken state) {
        return StateToken.base64(key.hash(state.text().getBytes(StandardCharsets.US_ASCII)));
    }

    /** The verifier of a sign in on a page of this server; only the browser with this secret can produce it. */
    String pageVerifier(StateToken state, String browser) {
        return StateToken.base64(key.hash((state.text() + " " + browser).getBytes(StandardCharsets.UTF_8)));
    }

    /** The verifier to send to the provider; a 401 if the application's does not match its challenge. */
    String verifier(StateToken state, @Nullable String challenge, @Nullable String presented) {
        if (challenge == null && presented == null) {
            return serverVerifier(state);
        }
        // A verifier without a challenge is refused too, to prevent a PKCE downgrade (RFC 9700, 2.1.1).
        if (challenge == null || presented == null || !matches(presented, challenge)) {
            throw ApiException.of(ErrorCode.WRONG_CODE_VERIFIER, "The codeVerifier does not match this sign in.");
        }
        return presented;
    }

    /** Whether the challenge was made from this verifier. */
    public static boolean matches(String verifier, String challenge) {
        return MessageDigest.isEqual(
                challengeOf(verifier).getBytes(StandardCharsets.US_ASCII),
                challenge.getBytes(StandardCharsets.US_ASCII));
    }
}
