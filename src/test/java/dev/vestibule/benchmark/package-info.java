/**
 * Benchmarks: {@code mvn -q verify -Pbenchmark}. They run the real jar in a process of its own and need an otherwise idle
 * machine; {@code JAVA_HOME} chooses the Java. {@link dev.vestibule.benchmark.Benchmark} measures requests a second, each
 * figure next to its floor in the same run on the same cores (about 3 minutes); {@link
 * dev.vestibule.benchmark.ManagementBenchmark} the latency of calls in a project of a million users and in one of ten
 * thousand (10 minutes); {@link dev.vestibule.benchmark.ImportBenchmark} an import of 100,000 users (2 minutes); {@link
 * dev.vestibule.benchmark.WebhookBenchmark} the delivery of events and what they cost a sign up (4 minutes); {@link
 * dev.vestibule.benchmark.DeletionBenchmark} other projects while a large one is deleted. {@code
 * -Dit.test=ManagementBenchmark} runs one of them. The ratios apply to other machines, the figures do not.
 */
@NullMarked
package dev.vestibule.benchmark;

import org.jspecify.annotations.NullMarked;
