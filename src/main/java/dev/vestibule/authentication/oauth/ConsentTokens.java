package dev.vestibule.authentication.oauth;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.session.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Proves that a decision comes from the page that asked for it. The person who began a sign in knows its state, but
 * neither the code that another person's browser brings back nor the session, which are part of the token. It is a
 * keyed hash, so it is not stored, and it works once, because the decision changes the state.
 */
final class ConsentTokens {
    private final KeyedHash key;

    ConsentTokens(MasterKeys masterKeys) {
        this.key = new KeyedHash(masterKeys, "oauth consents");
    }

    /** The token of the question whether a sign in may continue with this response of the provider. */
    String toContinue(StateToken state, ProviderAnswer answer) {
        return StateToken.base64(key.hash(continuing(state, answer)));
    }

    boolean mayContinue(StateToken state, ProviderAnswer answer, String token) {
        return matches(continuing(state, answer), token);
    }

    /** The token of the question whether a poll may fetch the tokens of a held session. */
    String toHandOver(StateToken state, SessionId session) {
        return StateToken.base64(key.hash(handingOver(state, session)));
    }

    boolean mayHandOver(StateToken state, SessionId session, String token) {
        return matches(handingOver(state, session), token);
    }

    private boolean matches(byte[] message, String token) {
        try {
            return key.matches(message, Base64.getUrlDecoder().decode(token));
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static byte[] continuing(StateToken state, ProviderAnswer answer) {
        return answer.code()
                .map(code -> message("continue with code", state, code))
                .orElseGet(() ->
                        message("continue with error", state, answer.error().orElse("")));
    }

    private static byte[] handingOver(StateToken state, SessionId session) {
        return message("hand over", state, session.toString());
    }

    private static byte[] message(String decision, StateToken state, String secret) {
        return (decision + " " + state.text() + " " + secret).getBytes(StandardCharsets.UTF_8);
    }
}
