package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A claim that a project adds to access tokens: read from the source, a field of the user, or fixed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ClaimRule(
        String key, @Nullable String source, @Nullable Object value) {
    private static final String CLAIMS = "claims";

    /** The form in which the database stores a template's claims. */
    public static Map<String, List<ClaimRule>> stored(List<ClaimRule> rules) {
        return Map.of(CLAIMS, rules);
    }

    /** Reads the form that {@link #stored} returns. */
    public static List<ClaimRule> read(Map<String, Object> stored) {
        return ((List<?>) stored.getOrDefault(CLAIMS, List.of()))
                .stream().map(rule -> rule((Map<?, ?>) rule)).toList();
    }

    private static ClaimRule rule(Map<?, ?> rule) {
        return new ClaimRule(String.valueOf(rule.get("key")), (String) rule.get("source"), rule.get("value"));
    }
}
