package dev.vestibule.benchmark;

import java.util.function.Supplier;

/** A line of the table: the load, its number of clients, and the clock of the CPU time that it takes. */
record Line(String name, int clients, CpuClock clock, Supplier<Load> load) {}
