package dev.vestibule.benchmark;

import java.util.List;

/** How something grew during a soak: the medians of its thirds, of which the first is for warming up. */
record Course(String name, double first, double middle, double last, double most) {
    /** It is flat if the last third is no more than the middle one, times the factor, plus the slack. */
    static Course of(String name, List<Double> values, double factor, double slack) {
        var middle = middle(values);
        return new Course(
                name, median(values.subList(0, values.size() / 3)), middle, last(values), middle * factor + slack);
    }

    /** The same, where it may grow as much as something else. */
    static Course of(String name, List<Double> values, List<Double> others, double factor, double slack) {
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
