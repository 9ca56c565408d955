package dev.vestibule.oauth;

import dev.vestibule.error.InvalidValue;
import dev.vestibule.error.Refusal;
import dev.vestibule.json.Text;
import dev.vestibule.json.Value;
import dev.vestibule.provider.Provider;
import java.util.List;
import java.util.regex.Pattern;

/** The rules of the fields by which a project sets up a provider. */
final class ProviderFields {
    private static final int MAX_CLIENT_ID = 512;
    private static final int MAX_SECRET = 8192;
    private static final int MAX_SCOPES = 50;
    /** A scope-token (RFC 6749, 3.3). */
    private static final Pattern SCOPE = Pattern.compile("[!#-\\[\\]-~]{1,256}");

    static final Value<List<String>> SCOPES = Value.texts(MAX_SCOPES, ProviderFields::scope);

    private ProviderFields() {}

    /** A 404 where nobody has this name. */
    static Provider inPath(String name) {
        return Provider.find(name).orElseThrow(() -> Refusal.notFound("There is no provider of this name."));
    }

    static String clientId(String text) {
        return Text.line(text, MAX_CLIENT_ID);
    }

    /** Whatever a provider calls a secret; some call a private key in several lines one. */
    static String clientSecret(String text) {
        var secret = text.strip();
        Text.printable(secret.replaceAll("[\\r\\n]", ""));
        if (secret.isEmpty() || secret.length() > MAX_SECRET) {
            throw new InvalidValue("must have 1 to " + MAX_SECRET + " characters");
        }
        return secret;
    }

    private static String scope(String text) {
        if (!SCOPE.matcher(text).matches()) {
            throw new InvalidValue("must be a scope of 1 to 256 characters, without spaces and quotes");
        }
        return text;
    }
}
