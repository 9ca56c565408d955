package dev.vestibule.json;

import org.jspecify.annotations.Nullable;

/** What a partial update (PATCH) does with one field: keep it, set it to a value, or clear it. */
public record Change<T>(boolean isMade, @Nullable T value) {
    public static <T> Change<T> keep() {
        return new Change<>(false, null);
    }

    public static <T> Change<T> to(@Nullable T value) {
        return new Change<>(true, value);
    }
}
