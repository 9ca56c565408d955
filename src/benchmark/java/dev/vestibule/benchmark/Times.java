package dev.vestibule.benchmark;

import dev.vestibule.fixture.ApiClient.Call;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Times of sequential calls of one client; the first one is listed separately. */
record Times(double firstMillis, double medianMillis, double p99Millis) {
    private static final int WARM_UP_CALLS = 50;
    private static final int CALLS = 200;

    /** More, in the median, is more than people should wait for. */
    private static final int MAX_MILLIS = 20;

    static Times of(Call call) {
        var first = millis(call);
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            call.expect(200);
        }
        var histogram = new Histogram(3);
        for (int i = 0; i < CALLS; i++) {
            histogram.recordValue((long) (millis(call) * 1000));
        }
        return of(histogram, first);
    }

    static Times of(Histogram micros, double first) {
        return new Times(first, micros.getValueAtPercentile(50) / 1000.0, micros.getValueAtPercentile(99) / 1000.0);
    }

    static double millis(Call call) {
        var start = System.nanoTime();
        call.expect(200);
        return (System.nanoTime() - start) / 1e6;
    }

    String inWords() {
        return String.format(Locale.ROOT, "%8.2f  %8.2f  %8.2f", firstMillis, medianMillis, p99Millis);
    }

    String bar() {
        return medianMillis > MAX_MILLIS ? "   ABOVE THE BAR OF " + MAX_MILLIS + " ms" : "";
    }
}
