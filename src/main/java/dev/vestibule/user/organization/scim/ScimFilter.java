package dev.vestibule.user.organization.scim;

import com.unboundid.scim2.common.Path;
import com.unboundid.scim2.common.exceptions.ScimException;
import com.unboundid.scim2.common.filters.Filter;
import com.unboundid.scim2.common.utils.Parser;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Text;
import dev.vestibule.json.UnicodeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conditions of a filter (RFC 7644, 3.4.2.2), which all must hold. */
record ScimFilter(List<Condition> conditions) {
    static final ScimFilter ALL = new ScimFilter(List.of());

    private static final int MAX_LENGTH = 1000;
    private static final int MAX_CONDITIONS = 20;

    /** The attributes that filters can name, in lower case, as the statements know them. */
    static final Map<String, String> OF_USERS = Map.of(
            "username", "userName",
            "externalid", "externalId",
            "id", "id",
            "displayname", "displayName",
            "active", "active",
            "emails", "emails",
            "emails.value", "emails");

    static final Map<String, String> OF_GROUPS = Map.of(
            "displayname", "displayName",
            "externalid", "externalId",
            "id", "id",
            "members", "members",
            "members.value", "members");

    /** One of {@code eq}, {@code sw}, {@code co} with a value, or {@code pr} without. */
    record Condition(String attribute, String operator, String value) {}

    static ScimFilter parse(@Nullable String text, Map<String, String> attributes) {
        if (text == null || text.isBlank()) {
            return ALL;
        }
        if (text.length() > MAX_LENGTH) {
            throw ScimErrors.invalidFilter("A filter can have at most " + MAX_LENGTH + " characters.");
        }
        var conditions = new ArrayList<Condition>();
        try {
            collect(Parser.parseFilter(text), "", attributes, conditions);
        } catch (ScimException | RuntimeException invalid) {
            if (invalid instanceof ApiException refused) {
                throw refused;
            }
            throw ScimErrors.invalidFilter("The filter is not well-formed.");
        }
        return new ScimFilter(List.copyOf(conditions));
    }

    private static void collect(
            Filter filter, String prefix, Map<String, String> attributes, List<Condition> conditions)
            throws ScimException {
        if (conditions.size() >= MAX_CONDITIONS) {
            throw ScimErrors.invalidFilter("A filter can have at most " + MAX_CONDITIONS + " conditions.");
        }
        switch (filter.getFilterType()) {
            case AND -> {
                for (var part : filter.getCombinedFilters()) {
                    collect(part, prefix, attributes, conditions);
                }
            }
            case COMPLEX_VALUE ->
                collect(filter.getValueFilter(), name(filter.getAttributePath()) + ".", attributes, conditions);
            case EQUAL, STARTS_WITH, CONTAINS, PRESENT -> conditions.add(condition(filter, prefix, attributes));
            default ->
                throw ScimErrors.invalidFilter("Filters can have eq, sw, co and pr, combined with and; this one has "
                        + filter.getFilterType().getStringValue() + ".");
        }
    }

    private static Condition condition(Filter filter, String prefix, Map<String, String> attributes)
            throws ScimException {
        var name = prefix + name(filter.getAttributePath());
        var attribute = attributes.get(UnicodeText.lowerAscii(name));
        if (attribute == null) {
            throw ScimErrors.invalidFilter("Filters can name "
                    + String.join(
                            ", ",
                            attributes.values().stream().distinct().sorted().toList()) + ".");
        }
        var operator = UnicodeText.lowerAscii(filter.getFilterType().getStringValue());
        var value = operator.equals("pr")
                ? ""
                : Optional.ofNullable(filter.getComparisonValue())
                        .map(node -> node.asText())
                        .orElse("");
        return new Condition(attribute, operator, canonical(attribute, value));
    }

    private static String canonical(String attribute, String value) {
        try {
            var text = Text.printable(value);
            return attribute.equals("externalId") ? text : UnicodeText.lower(text);
        } catch (InvalidValueException invalid) {
            throw ScimErrors.invalidFilter("The value of " + attribute + " " + invalid.getMessage());
        }
    }

    /** The path without the schemas of users and groups, which may be left out. */
    static String name(Path path) {
        var names = new ArrayList<String>();
        path.forEach(element -> names.add(element.getAttribute()));
        var name = String.join(".", names);
        var urn = path.getSchemaUrn();
        return urn == null || urn.equalsIgnoreCase(ScimJson.CORE_USER) || urn.equalsIgnoreCase(ScimJson.CORE_GROUP)
                ? name
                : urn + ":" + name;
    }

    /** The value that an attribute must have, if the filter says so. */
    Optional<String> equal(String attribute) {
        return conditions.stream()
                .filter(one ->
                        one.attribute().equals(attribute) && one.operator().equals("eq"))
                .map(Condition::value)
                .findFirst();
    }
}
