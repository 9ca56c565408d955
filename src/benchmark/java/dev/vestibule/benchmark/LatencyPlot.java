package dev.vestibule.benchmark;

import dev.vestibule.benchmark.LatencyCurve.Point;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws latency against load: for each path its median as a line and its 99th percentile as dashes. */
final class LatencyPlot {
    private static final List<Color> COLORS =
            List.of(new Color(0x0f766e), new Color(0xb45309), new Color(0x4338ca), new Color(0xbe123c));

    private final XYChart chart = new XYChartBuilder()
            .width(900)
            .height(520)
            .title("Latency against load")
            .xAxisTitle("requests a second, at a constant rate")
            .yAxisTitle("milliseconds")
            .build();

    LatencyPlot(List<LatencyCurve> curves) {
        chart.getStyler()
                .setYAxisLogarithmic(true)
                .setChartBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false);
        for (int i = 0; i < curves.size(); i++) {
            var curve = curves.get(i);
            var color = COLORS.get(i % COLORS.size());
            add(curve, "median", Point::p50Millis, color).setLineStyle(SeriesLines.SOLID);
            add(curve, "p99", Point::p99Millis, color).setLineStyle(SeriesLines.DASH_DASH);
        }
    }

    private XYSeries add(LatencyCurve curve, String percentile, ToDoubleFunction<Point> latency, Color color) {
        var points = curve.points();
        var series = chart.addSeries(
                curve.name() + ", " + percentile,
                points.stream().mapToDouble(Point::requestsPerSecond).toArray(),
                points.stream().mapToDouble(latency).toArray());
        series.setLineColor(color);
        series.setMarker(SeriesMarkers.CIRCLE);
        series.setMarkerColor(color);
        return series;
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        try (var out = Files.newOutputStream(file)) {
            ChartEncoder.saveChart(chart, out, "svg");
        }
    }
}
