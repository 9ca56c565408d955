package dev.vestibule.oauth.server;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Text;
import dev.vestibule.project.Language;
import io.vertx.core.MultiMap;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of a request: each at most once (RFC 6749, 3.1), but {@code resource} (RFC 8707); empty ones are none.
 */
final class Parameters {
    static final String RESOURCE = "resource";
    static final String KEY_THUMBPRINT = "dpop_jkt";

    /** The parameters whose values are tokens, which can be longer than others. */
    private static final Set<String> TOKENS = Set.of(
            "token", "access_token", "id_token_hint", "subject_token", "actor_token", ClientAssertions.PARAMETER);

    private static final int MAX_VALUE = 4096;
    private static final int MAX_TOKEN = 8192;
    private static final int MAX_SCOPES = 50;
    private static final int MAX_RESOURCES = 10;

    private final MultiMap given;

    Parameters(MultiMap given) {
        this.given = given;
    }

    /** These parameters and one more, in place of one that had its name. */
    Parameters with(String name, String value) {
        return new Parameters(MultiMap.caseInsensitiveMultiMap().addAll(given).set(name, value));
    }

    /** Refuses repeated parameters, and values that no parameter has. */
    void check() {
        for (var parameter : given) {
            var name = parameter.getKey();
            if (given.getAll(name).size() > (name.equals(RESOURCE) ? MAX_RESOURCES : 1)) {
                throw OauthError.invalidRequest("A parameter is repeated.");
            }
            if (printable(parameter.getValue()).length() > (TOKENS.contains(name) ? MAX_TOKEN : MAX_VALUE)) {
                throw OauthError.invalidRequest("A parameter is too long.");
            }
        }
    }

    /** Refuses characters that headers or PostgreSQL cannot hold. */
    static String printable(String value) {
        try {
            return Text.printable(value);
        } catch (InvalidValueException unprintable) {
            throw OauthError.invalidRequest("A parameter has control characters.");
        }
    }

    /**
     * The state, which goes back to the client even with an error; empty if it is too long for a URL or cannot be
     * stored.
     */
    Optional<String> state() {
        return find("state").filter(state -> state.length() <= MAX_VALUE && isPrintable(state));
    }

    private static boolean isPrintable(String value) {
        try {
            Text.printable(value);
            return true;
        } catch (InvalidValueException unprintable) {
            return false;
        }
    }

    /** The language in which the person reads, as the client says. */
    Optional<String> language() {
        return find("ui_locales").flatMap(Language::ofTags).map(Language::text);
    }

    boolean isFormPost() {
        return find("response_mode").orElse("").equals("form_post");
    }

    Optional<String> find(String name) {
        var values = given.getAll(name);
        return values.size() == 1 && !values.get(0).isEmpty() ? Optional.of(values.get(0)) : Optional.empty();
    }

    String required(String name) {
        return find(name).orElseThrow(() -> OauthError.invalidRequest("The parameter " + name + " is missing."));
    }

    boolean has(String name) {
        return find(name).isPresent();
    }

    List<String> resources() {
        return given.getAll(RESOURCE).stream()
                .filter(value -> !value.isEmpty())
                .distinct()
                .toList();
    }

    /** The names in a list that spaces separate. */
    List<String> words(String name) {
        var words = Arrays.stream(find(name).orElse("").split(" ", -1))
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
        if (words.size() > MAX_SCOPES) {
            throw OauthError.of(
                    name.equals("scope") ? "invalid_scope" : "invalid_request",
                    "The parameter " + name + " has more than " + MAX_SCOPES + " words.");
        }
        return words;
    }
}
