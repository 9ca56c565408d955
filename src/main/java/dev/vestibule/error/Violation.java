package dev.vestibule.error;

/** One field of a request that failed its rule; the message says what is allowed and never repeats the value. */
public record Violation(String field, String message) {}
