package dev.vestibule.json;

import dev.vestibule.error.InvalidValueException;

/** The rule of a string: returns the value in its canonical form, or throws an {@link InvalidValueException}. */
@FunctionalInterface
public interface FieldRule<T> {
    T read(String text);
}
