package dev.vestibule.benchmark;

import java.util.List;

/** How the latency of a path rises with the load. */
record LatencyCurve(String name, List<Point> points) {
    /** At a constant rate of requests; latencies count from when a request was due. */
    record Point(double requestsPerSecond, double answersPerSecond, double p50Millis, double p99Millis) {
        static Point of(double requestsPerSecond, Sample sample) {
            return new Point(
                    Report.rounded(requestsPerSecond),
                    Report.rounded(sample.perSecond()),
                    Report.rounded(sample.millis(50)),
                    Report.rounded(sample.millis(99)));
        }
    }
}
