/**
 * What the server does, as figures: {@code mvn -q verify -Pbenchmark}. It runs the real jar in a process of its own and
 * wants an otherwise idle machine; {@code JAVA_HOME} says which Java. {@link dev.vestibule.benchmark.Benchmark} tells
 * how much goes through in a second, each figure beside its floor in the same run, on the same cores, in about three
 * minutes; {@link dev.vestibule.benchmark.ManagementBenchmark} what a call takes in a project of a million users beside
 * one of ten thousand, in about ten; {@link dev.vestibule.benchmark.ImportBenchmark} what an import of 100,000 users
 * takes, in about two; {@link dev.vestibule.benchmark.WebhookBenchmark} how soon and how fast events are delivered, and
 * what they cost a sign up, in about four. {@code -Dit.test=ManagementBenchmark} runs that one alone. The ratios carry over to other
 * machines, the figures do not.
 */
@NullMarked
package dev.vestibule.benchmark;

import org.jspecify.annotations.NullMarked;
