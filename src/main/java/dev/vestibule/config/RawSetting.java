package dev.vestibule.config;

import java.util.Arrays;
import java.util.List;

/** The text of a setting in the file or the environment, and its position; {@code sequence} means a YAML list. */
record RawSetting(String origin, List<String> items, boolean sequence) {
    static RawSetting text(String origin, String text) {
        return new RawSetting(origin, List.of(text.strip()), false);
    }

    boolean isEmpty() {
        return items.isEmpty() || (!sequence && text().isEmpty());
    }

    String text() {
        return items.get(0);
    }

    List<String> elements() {
        if (isEmpty()) {
            return List.of();
        }
        return sequence
                ? items
                : Arrays.stream(text().split(",", -1)).map(String::strip).toList();
    }
}
