package dev.vestibule.oauth.server;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.json.WebUrl;
import dev.vestibule.oauth.server.Resource.Scope;
import dev.vestibule.project.Language;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The fields of an API in a request. */
record ResourceFields(String uri, String name, List<Scope> scopes, boolean isDefault) {
    private static final int MAX_NAME = 100;
    private static final int MAX_SCOPES = 100;
    private static final int MAX_TEXT = 200;
    private static final int MAX_URI = 512;
    private static final int MAX_TEXTS = 8 * (MAX_TEXT + 10);

    /** RFC 6749, 3.3. */
    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,100}");

    static ResourceFields read(Fields fields) {
        var scopes = fields.objects("scopes", MAX_SCOPES, ResourceFields::scope);
        if (scopes.stream().map(Scope::name).distinct().count() < scopes.size()) {
            fields.reject("scopes", "must name each scope at most once");
        }
        return new ResourceFields(
                fields.required("uri", ResourceFields::uri),
                fields.required("name", text -> Text.line(text, MAX_NAME)),
                scopes,
                Boolean.TRUE.equals(fields.optional("isDefault", FieldType.bool())));
    }

    private static Scope scope(Fields fields) {
        var texts = fields.optional("texts", FieldType.object(MAX_TEXTS));
        return new Scope(
                fields.required("name", ResourceFields::scopeName), texts == null ? Map.of() : texts(fields, texts));
    }

    private static Map<String, String> texts(Fields fields, Map<String, Object> given) {
        var texts = new LinkedHashMap<String, String>();
        given.forEach((language, text) -> {
            try {
                texts.put(Language.of(language).text(), Text.line(String.valueOf(text), MAX_TEXT));
            } catch (InvalidValueException wrong) {
                fields.reject("texts", "must have a text of at most " + MAX_TEXT + " characters for each language");
            }
        });
        return texts;
    }

    static String scopeName(String text) {
        if (!SCOPE.matcher(text).matches() || StandardScopes.ALL.contains(text)) {
            throw new InvalidValueException(
                    "must have 1 to 100 printable ASCII characters without spaces, \" and \\, and not be a scope of OpenID"
                            + " Connect");
        }
        return text;
    }

    /** A field rule: RFC 8707, 2. */
    static String uri(String text) {
        return WebUrl.parts(text)
                .filter(uri -> text.length() <= MAX_URI
                        && uri.isAbsolute()
                        && uri.getFragment() == null
                        && !text.contains("#")
                        && uri.getRawUserInfo() == null
                        && !uri.getScheme().equalsIgnoreCase("javascript"))
                .map(uri -> Text.printable(text))
                .orElseThrow(() -> new InvalidValueException(
                        "must be an absolute URI without a fragment, of at most 512 characters"));
    }
}
