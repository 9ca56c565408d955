package dev.vestibule.error;

/**
 * A field of a request that breaks its rule. The message completes the sentence that the field's name begins ("must
 * have 8 to 128 characters") and never repeats the value.
 */
public record Violation(String field, String message) {}
