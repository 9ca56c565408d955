package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.unboundid.scim2.common.Path;
import com.unboundid.scim2.common.exceptions.ScimException;
import com.unboundid.scim2.common.filters.Filter;
import com.unboundid.scim2.common.filters.FilterType;
import com.unboundid.scim2.common.utils.Parser;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Text;
import dev.vestibule.json.Timestamps;
import dev.vestibule.json.UnicodeText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A filter (RFC 7644, 3.4.2.2) as alternatives, of which one must hold with all of its conditions: in this form, two
 * lists deep, one constant statement answers any filter.
 */
record ScimFilter(List<List<Condition>> alternatives) {
    static final ScimFilter ALL = new ScimFilter(List.of(List.of()));

    /** The attributes that filters can name, in lower case, as the statements know them. */
    static final Map<String, String> OF_USERS =
            attributes("emails", Stream.concat(Stream.of("userName", "active"), ScimUser.TEXTS.stream()));

    static final Map<String, String> OF_GROUPS = attributes("members", Stream.of("displayName"));

    private static final int MAX_LENGTH = 1000;
    private static final int MAX_COMPARISONS = 20;
    private static final int MAX_DEPTH = 10;

    /** The limit of all alternatives together: filters that multiply alternatives become long. */
    private static final int MAX_CONDITIONS = 60;

    private static final int MAX_VALUE = 255;

    /** Identity providers send filters of one to three comparisons. */
    private static final int FEW_CONDITIONS = 3;

    /**
     * A comparison.
     *
     * @param operator one of {@code eq co sw ew gt ge lt le} with a value, or {@code pr} without
     * @param isNegated whether it must not hold
     */
    record Condition(String attribute, String operator, String value, boolean isNegated) {}

    private static Map<String, String> attributes(String withValues, Stream<String> others) {
        var attributes = new HashMap<String, String>();
        Stream.concat(others, Stream.of(withValues, "externalId", "id", "meta.created", "meta.lastModified"))
                .forEach(name -> attributes.put(UnicodeText.lowerAscii(name), name));
        attributes.put(withValues + ".value", withValues);
        return Map.copyOf(attributes);
    }

    static ScimFilter parse(@Nullable String text, Map<String, String> attributes) {
        if (text == null || text.isBlank()) {
            return ALL;
        }
        if (text.length() > MAX_LENGTH) {
            throw ScimErrors.invalidFilter("A filter can have at most " + MAX_LENGTH + " characters.");
        }
        try {
            requireBalanced(text);
            return new ScimFilter(new Reading(attributes).read(Parser.parseFilter(text), "", false, 1));
        } catch (ScimException | RuntimeException invalid) {
            if (invalid instanceof ApiException refused) {
                throw refused;
            }
            throw ScimErrors.invalidFilter("The filter is not well-formed.");
        }
    }

    /**
     * The SDK leaves out what follows a parenthesis that none opens, so that the rest would find more than was asked.
     */
    static void requireBalanced(String text) {
        var open = new ArrayDeque<Character>();
        var isQuoted = false;
        for (int i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (isQuoted && c == '\\') {
                i++;
            } else if (!isQuoted && (c == '(' || c == '[')) {
                open.push(c);
            } else if (!isQuoted && (c == ')' || c == ']')) {
                var opened = open.poll();
                if (opened == null || opened != (c == ')' ? '(' : '[')) {
                    throw new IllegalArgumentException("a parenthesis or bracket that nothing has opened");
                }
            }
        }
        if (isQuoted || !open.isEmpty()) {
            throw new IllegalArgumentException("something is still open at the end");
        }
    }

    /**
     * Brings a filter into its form: negations move to the comparisons, and what is combined with or to the outside.
     */
    private static final class Reading {
        private final Map<String, String> attributes;
        private int comparisons;

        Reading(Map<String, String> attributes) {
            this.attributes = attributes;
        }

        /** The alternatives of a filter, or of its negation. */
        List<List<Condition>> read(Filter filter, String prefix, boolean isNegated, int depth) throws ScimException {
            if (depth > MAX_DEPTH) {
                throw ScimErrors.invalidFilter("A filter can be at most " + MAX_DEPTH + " levels deep.");
            }
            return switch (filter.getFilterType()) {
                case AND, OR -> combined(filter, prefix, isNegated, depth);
                case NOT -> read(filter.getInvertedFilter(), prefix, !isNegated, depth + 1);
                case COMPLEX_VALUE -> {
                    requireOneComparison(filter.getValueFilter());
                    yield read(filter.getValueFilter(), name(filter.getAttributePath()) + ".", isNegated, depth + 1);
                }
                default -> {
                    comparisons++;
                    if (comparisons > MAX_COMPARISONS) {
                        throw ScimErrors.invalidFilter(
                                "A filter can have at most " + MAX_COMPARISONS + " comparisons.");
                    }
                    yield List.of(List.of(comparison(filter, prefix, isNegated)));
                }
            };
        }

        private List<List<Condition>> combined(Filter filter, String prefix, boolean isNegated, int depth)
                throws ScimException {
            var parts = new ArrayList<List<List<Condition>>>();
            for (var part : filter.getCombinedFilters()) {
                parts.add(read(part, prefix, isNegated, depth + 1));
            }
            return (filter.getFilterType() == FilterType.OR) == isNegated ? all(parts) : any(parts);
        }

        private static List<List<Condition>> any(List<List<List<Condition>>> parts) {
            return parts.stream().flatMap(List::stream).toList();
        }

        /** Each alternative of one part with each of the others. */
        private static List<List<Condition>> all(List<List<List<Condition>>> parts) {
            List<List<Condition>> alternatives = ALL.alternatives();
            for (var part : parts) {
                var longer = new ArrayList<List<Condition>>();
                var conditions = 0;
                for (var one : alternatives) {
                    for (var other : part) {
                        conditions += one.size() + other.size();
                        if (conditions > MAX_CONDITIONS) {
                            throw ScimErrors.invalidFilter(
                                    "The filter has too many alternatives: it combines or with and too often.");
                        }
                        var joined = new ArrayList<>(one);
                        joined.addAll(other);
                        longer.add(List.copyOf(joined));
                    }
                }
                alternatives = longer;
            }
            return alternatives;
        }

        /** Two would have to hold for the same value, which the statements do not compare. */
        private static void requireOneComparison(Filter filter) {
            if (filter.isCombiningFilter() || filter.isNotFilter()) {
                throw ScimErrors.invalidFilter("Brackets can have one comparison.");
            }
        }

        private Condition comparison(Filter filter, String prefix, boolean isNegated) throws ScimException {
            var name = prefix + name(filter.getAttributePath());
            var attribute = attributes.get(UnicodeText.lowerAscii(name));
            if (attribute == null) {
                throw ScimErrors.invalidFilter("Filters can name "
                        + String.join(
                                ", ",
                                attributes.values().stream().distinct().sorted().toList()) + ".");
            }
            var value = filter.getComparisonValue();
            var isNull = value == null || value.isNull();
            return switch (filter.getFilterType()) {
                case PRESENT -> new Condition(attribute, "pr", "", isNegated);
                case EQUAL ->
                    isNull
                            ? new Condition(attribute, "pr", "", !isNegated)
                            : new Condition(attribute, "eq", canonical(attribute, value), isNegated);
                case NOT_EQUAL ->
                    isNull
                            ? new Condition(attribute, "pr", "", isNegated)
                            : new Condition(attribute, "eq", canonical(attribute, value), !isNegated);
                default -> {
                    if (isNull || attribute.equals("active")) {
                        throw ScimErrors.invalidFilter(attribute + " can't be compared in this way.");
                    }
                    yield new Condition(
                            attribute,
                            UnicodeText.lowerAscii(filter.getFilterType().getStringValue()),
                            canonical(attribute, value),
                            isNegated);
                }
            };
        }
    }

    private static String canonical(String attribute, JsonNode value) {
        try {
            var text = Text.printable(value.asText());
            if (text.length() > MAX_VALUE) {
                throw new InvalidValueException("must have at most " + MAX_VALUE + " characters");
            }
            return switch (attribute) {
                case "externalId" -> text;
                case "meta.created", "meta.lastModified" -> Timestamps.format(Timestamps.parse(text));
                default -> UnicodeText.lower(text);
            };
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

    /**
     * A condition of each alternative that says what one of these attributes equals; so a statement finds by indexes
     * what it then compares. Empty if an alternative has none.
     */
    Optional<List<Condition>> keys(List<String> indexed) {
        var keys = new ArrayList<Condition>();
        for (var alternative : alternatives) {
            var key = alternative.stream()
                    .filter(one -> one.operator().equals("eq") && !one.isNegated() && indexed.contains(one.attribute()))
                    .findFirst();
            if (key.isEmpty()) {
                return Optional.empty();
            }
            keys.add(key.get());
        }
        return Optional.of(keys);
    }

    /**
     * Whether a statement compares few rows with few conditions, or many with one that an index answers.
     *
     * @param indexed attributes that are in an index
     * @param unique those of them that only one row of a directory can have
     */
    boolean isQuick(List<String> indexed, List<String> unique) {
        var conditions = alternatives.stream().mapToInt(List::size).sum();
        return equals(ALL)
                || (conditions == 1 && keys(indexed).isPresent())
                || (conditions <= FEW_CONDITIONS && keys(unique).isPresent());
    }
}
