package dev.vestibule.benchmark;

import java.util.List;

/** How a value changed during a soak: the medians of its three thirds; the first third is the warm-up. */
record Trend(String name, double first, double middle, double last, double most) {
    /** The value is flat if its last third is at most the middle one times the factor, plus the slack. */
    static Trend of(String name, List<Double> values, double factor, double slack) {
        var middle = middle(values);
        return new Trend(
                name, median(values.subList(0, values.size() / 3)), middle, last(values), middle * factor + slack);
    }

    /** Like the other, for a value that may grow as much as another value. */
    static Trend of(String name, List<Double> values, List<Double> others, double factor, double slack) {
        return of(name, values, factor * Math.max(1, last(others) / middle(others)), slack);
    }

    boolean isFlat() {
        return last <= most;
    }

    private static double middle(List<Double> values) {
        return median(values.subList(values.size() / 3, 2 * values.size() / 3));
    }

    private static double last(List<Double> values) {
        return median(values.subList(2 * values.size() / 3, values.size()));
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
