package dev.vestibule.authentication.oauth;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.oauth.catalogue.Provider;
import io.vertx.core.MultiMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules of the parameters that a provider sends back with the browser. */
public final class OauthFields {
    private static final int MAX_CODE = 4096;
    private static final int MAX_ISSUER = 2048;
    private static final int MAX_POSTED = 8192;
    private static final int MAX_NONCE = 256;

    static final FieldType<String> CODE = FieldType.text(MAX_CODE, text -> bounded(text, MAX_CODE));

    /** Any text: one that cannot be a state gets the same response as an unknown one. */
    static final FieldType<String> STATE = FieldType.text(MAX_CODE, text -> bounded(text, MAX_CODE));

    static final FieldType<String> ID_TOKEN = FieldType.text(MAX_POSTED, text -> bounded(text, MAX_POSTED));

    /** The field that proves that a decision comes from our page. */
    static final String CONSENT = "consent";

    private OauthFields() {}

    /** What an application sends to finish a sign in whose code it received. */
    public record CallbackRequest(
            String code,
            String state,
            @Nullable String codeVerifier,
            @Nullable String issuer) {
        public static CallbackRequest read(Fields fields) {
            return new CallbackRequest(
                    fields.required("code", CODE),
                    fields.required("state", STATE),
                    fields.optional("codeVerifier", Pkce::verifier),
                    fields.optional("iss", OauthFields::issuer));
        }

        @Override
        public String toString() {
            return "CallbackRequest";
        }
    }

    static Provider provider(String text) {
        return Provider.find(text).orElseThrow(() -> new InvalidValueException("must be the name of a provider"));
    }

    static String nonce(String text) {
        return bounded(text, MAX_NONCE);
    }

    static String issuer(String text) {
        return bounded(text, MAX_ISSUER);
    }

    private static String bounded(String text, int maxCharacters) {
        if (text.isEmpty() || text.length() > maxCharacters) {
            throw new InvalidValueException("must have 1 to " + maxCharacters + " characters");
        }
        return Text.printable(text);
    }

    /** A parameter from the browser; one that is empty, too long or not printable counts as absent. */
    static Optional<String> parameter(MultiMap parameters, String name) {
        return Optional.ofNullable(parameters.get(name)).filter(text -> {
            try {
                return !bounded(text, MAX_POSTED).isEmpty();
            } catch (InvalidValueException unusable) {
                return false;
            }
        });
    }
}
