package dev.vestibule.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Measures lines of the table in turns, because the speed of a machine drifts by more than the differences that are
 * compared. Every other round goes backwards, so that no line always runs after the same one.
 */
record Turns(int rounds, Duration settle, Duration time) {
    Results measure(List<Line> lines) {
        var samples = new LinkedHashMap<Line, Sample>();
        var order = new ArrayList<>(lines);
        for (int round = 0; round < rounds; round++) {
            for (var line : order) {
                var sample = Sample.of(line.load().get(), line.clock(), settle, time);
                samples.merge(line, sample, Sample::plus);
            }
            Collections.reverse(order);
        }
        return new Results(samples);
    }

    /** Works for the given time on each line, so that its code is compiled when it is measured. */
    static void warmUp(List<Line> lines, Duration time) {
        new Turns(1, Duration.ZERO, time).measure(lines);
    }
}
