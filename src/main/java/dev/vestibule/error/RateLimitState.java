package dev.vestibule.error;

import java.time.Duration;

/** The rate limit that a caller exceeded: how many calls it allows per window, and how many are left. */
public record RateLimitState(String name, int quota, Duration window, long remaining) {}
