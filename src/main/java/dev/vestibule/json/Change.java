package dev.vestibule.json;

import org.jspecify.annotations.Nullable;

/** What a partial update does with one field: leaves it, or sets it to a value or to nothing. */
public record Change<T>(boolean isMade, @Nullable T value) {
    public static <T> Change<T> keep() {
        return new Change<>(false, null);
    }

    public static <T> Change<T> to(@Nullable T value) {
        return new Change<>(true, value);
    }
}
