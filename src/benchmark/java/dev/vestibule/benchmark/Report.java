package dev.vestibule.benchmark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints figures as soon as they are measured, and keeps them for {@code target/benchmark/<name>.json}. */
@SuppressWarnings("SystemOut")
final class Report {
    private static final MathContext THREE_DIGITS = new MathContext(3);
    private static final Path FOLDER = Path.of("target", "benchmark");

    private final String name;
    private final List<Figure> figures = new ArrayList<>();
    private final Map<String, Object> contents = new LinkedHashMap<>();

    Report(String name) {
        this.name = name;
        var machine = Machine.current();
        add("machine", machine);
        line("%s", machine.inWords());
    }

    void line(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    void fact(String fieldName, double value) {
        contents.put(fieldName, rounded(value));
        line("%-50s %10.2f", fieldName, value);
    }

    /** Keeps a value, which is not printed. */
    void add(String field, Object value) {
        contents.put(field, value);
    }

    void header() {
        line(
                "%-22s %7s %10s %8s %8s   CPU s for 1,000: %7s %10s",
                "", "clients", "answers/s", "p50 ms", "p99 ms", "process", "PostgreSQL");
    }

    void figure(String name, int clients, Results results) {
        figure(Figure.of(name, clients, results.of(name, clients)), "");
    }

    /** Reports a line compared to another one that was measured in turns with it, and the minimum for the ratio. */
    void figure(String name, int clients, Results results, String otherName, int otherClients, double bar) {
        var sample = results.of(name, clients);
        var other = name.equals(otherName) ? otherClients + " clients" : otherName;
        var ratio =
                rounded(sample.perSecond() / results.of(otherName, otherClients).perSecond());
        figure(
                Figure.of(name, clients, sample).comparedTo(other, ratio, bar),
                String.format(Locale.ROOT, "   %.2f of %s (bar %.2f)", ratio, other, bar));
    }

    private void figure(Figure figure, String ratio) {
        figures.add(figure);
        line(
                "%-22s %7d %10.0f %8.2f %8.2f   %24.3f %10.3f%s",
                figure.name(),
                figure.clients(),
                figure.perSecond(),
                figure.p50Millis(),
                figure.p99Millis(),
                figure.processCpuSecondsPer1000(),
                figure.postgresCpuSecondsPer1000(),
                ratio);
    }

    /** How many times as long the 99th percentile is. */
    void p99(String what, Sample sample, String otherWhat, Sample other) {
        var ratio = sample.millis(99) / other.millis(99);
        line("%s: p99 %.2f ms, %.2f ms %s, %.1f times", what, sample.millis(99), other.millis(99), otherWhat, ratio);
        add(what, Map.of("p99Millis", rounded(sample.millis(99)), "times", rounded(ratio)));
    }

    void write() {
        if (!figures.isEmpty()) {
            add("figures", figures);
        }
        try {
            Files.createDirectories(FOLDER);
            Files.writeString(FOLDER.resolve(name + ".json"), json());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        line("all figures: %s", FOLDER.resolve(name + ".json"));
    }

    static Path file(String file) {
        return FOLDER.resolve(file);
    }

    /** More digits than three would be noise. */
    static double rounded(double value) {
        return Double.isFinite(value)
                ? new BigDecimal(value).round(THREE_DIGITS).doubleValue()
                : 0;
    }

    private String json() throws JsonProcessingException {
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(contents) + "\n";
    }
}
