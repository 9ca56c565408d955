package dev.vestibule.telemetry.metrics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds names in a query that a scrape does not have. No library for Java parses PromQL, so this reads it word by word
 * and is strict: each word must be a metric, a label of one, or one of a few functions and operators.
 */
final class Promql {
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");
    private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");
    private static final Pattern SELECTOR = Pattern.compile("([A-Za-z_:][A-Za-z0-9_:]*)\\s*(\\(|\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("\\s*(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"\\s*");
    private static final Set<String> FUNCTIONS =
            Set.of("rate", "increase", "sum", "max", "topk", "histogram_quantile", "label_values");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless");

    /** Labels that Prometheus adds to each sample, and the one metric that it creates itself. */
    private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job");

    private final List<Sample> samples;

    private record Sample(String metric, Map<String, String> labels) {}

    /** The text of a scrape. */
    Promql(String scrape) {
        samples = Stream.concat(Stream.of("up 1"), scrape.lines())
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .map(Promql::sample)
                .toList();
    }

    private static Sample sample(String line) {
        var brace = line.indexOf('{');
        var labels = brace < 0
                ? Map.<String, String>of()
                : Pattern.compile("(\\w+)=\"([^\"]*)\"")
                        .matcher(line)
                        .results()
                        .collect(Collectors.toMap(label -> label.group(1), label -> label.group(2)));
        return new Sample(line.substring(0, brace < 0 ? line.indexOf(' ') : brace), labels);
    }

    /** What is wrong with the query; empty if it finds something. */
    List<String> faults(String query) {
        var faults = new ArrayList<String>();
        var grouped = new HashSet<String>();
        GROUPING.matcher(query).results().forEach(match -> grouped.addAll(words(match.group(1))));
        var rest = RANGE.matcher(GROUPING.matcher(query).replaceAll(" ")).replaceAll(" ");
        var metrics = new HashSet<String>();
        for (var word : SELECTOR.matcher(rest).results().toList()) {
            var name = word.group(1);
            var isCall = "(".equals(word.group(2));
            if (isCall ? !FUNCTIONS.contains(name) : !OPERATORS.contains(name) && !isLabelOfCall(query, name)) {
                if (isCall) {
                    faults.add("unknown function " + name);
                } else {
                    metrics.add(name);
                    faults.addAll(faults(name, word.group(3)));
                }
            }
        }
        if (metrics.isEmpty()) {
            faults.add("no metric in " + query);
        }
        grouped.stream()
                .filter(label -> !OF_PROMETHEUS.contains(label)
                        && labelled(metrics, label).isEmpty())
                .forEach(label -> faults.add("no label " + label + " to group by"));
        return faults;
    }

    /** The second argument of Grafana's own function, which asks for the values of a label. */
    private static boolean isLabelOfCall(String query, String name) {
        return query.startsWith("label_values(") && query.endsWith(", " + name + ")") && OF_PROMETHEUS.contains(name);
    }

    private List<String> faults(String metric, String matchers) {
        var found = samples.stream()
                .filter(sample -> sample.metric().equals(metric))
                .toList();
        if (found.isEmpty()) {
            return List.of("no metric " + metric);
        }
        var faults = new ArrayList<String>();
        for (var matcher : matchers == null ? List.<String>of() : List.of(matchers.split(",", -1))) {
            var parts = MATCHER.matcher(matcher);
            if (!parts.matches()) {
                faults.add("no matcher: " + matcher);
            } else if (!OF_PROMETHEUS.contains(parts.group(1))
                    && found.stream()
                            .noneMatch(sample -> matches(sample, parts.group(1), parts.group(2), parts.group(3)))) {
                faults.add("no sample of " + metric + " with " + matcher.strip());
            }
        }
        return faults;
    }

    private static boolean matches(Sample sample, String label, String operator, String value) {
        var actual = sample.labels().get(label);
        return actual != null
                && switch (operator) {
                    case "=" -> actual.equals(value);
                    case "!=" -> !actual.equals(value);
                    case "=~" -> actual.matches(value);
                    default -> !actual.matches(value);
                };
    }

    private List<Sample> labelled(Set<String> metrics, String label) {
        return samples.stream()
                .filter(sample ->
                        metrics.contains(sample.metric()) && sample.labels().containsKey(label))
                .toList();
    }

    private static List<String> words(String list) {
        return Stream.of(list.split(",", -1)).map(String::strip).toList();
    }
}
