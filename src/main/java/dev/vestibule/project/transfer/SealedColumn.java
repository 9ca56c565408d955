package dev.vestibule.project.transfer;

import dev.vestibule.crypto.Sealer;

/** A column whose values are sealed under the master secret, and what opens them. */
public record SealedColumn(String table, String column, Sealer sealer) {}
