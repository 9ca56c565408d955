package dev.vestibule.benchmark;

import java.util.function.Supplier;

/** A line of the table: what is done by how many clients, and whose CPU time it takes. */
record Line(String name, int clients, CpuClock clock, Supplier<Load> load) {}
