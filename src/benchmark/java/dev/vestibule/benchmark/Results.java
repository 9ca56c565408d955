package dev.vestibule.benchmark;

import java.util.Map;

/** The combined results of all turns of each line. */
record Results(Map<Line, Sample> samples) {
    Sample of(String name, int clients) {
        return samples.entrySet().stream()
                .filter(entry ->
                        entry.getKey().name().equals(name) && entry.getKey().clients() == clients)
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }
}
