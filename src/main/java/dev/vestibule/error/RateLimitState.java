package dev.vestibule.error;

import java.time.Duration;

/** A limit that a caller ran into: so many calls in so long, and how many are left. */
public record RateLimitState(String name, int quota, Duration window, long remaining) {}
