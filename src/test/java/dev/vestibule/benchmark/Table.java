package dev.vestibule.benchmark;

import dev.vestibule.benchmark.Load.Figure;
import java.util.Locale;

/** Prints figures as soon as they are measured. */
@SuppressWarnings("SystemOut")
final class Table {
    void line(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    void floor(String name, Figure figure) {
        line("%-14s %9.0f/s%s", "  " + name, figure.perSecond(), latencies(figure));
    }

    /** Prints a figure next to its floor. */
    void figure(String name, Figure figure, double floorPerSecond) {
        line(
                "%-14s %9.0f/s%s   %4.0f %% of its floor",
                name, figure.perSecond(), latencies(figure), 100 * figure.perSecond() / floorPerSecond);
    }

    private static String latencies(Figure figure) {
        return figure.medianMillis() == 0
                ? "                             "
                : String.format(Locale.ROOT, "   %7.2f ms, p99 %7.2f ms", figure.medianMillis(), figure.p99Millis());
    }
}
