package dev.vestibule.project.budget;

import java.time.Instant;

/** How much of a budget is used in its current window. */
public record BudgetUse(String scope, int used, Instant windowEnd) {}
