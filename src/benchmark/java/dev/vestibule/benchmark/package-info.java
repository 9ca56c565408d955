/**
 * Benchmarks of the real jar, in its own process. They need Linux and an otherwise idle machine; the server, PostgreSQL
 * and the load share its cores. {@code JAVA_HOME} chooses the Java. A wrong answer of the server ends a benchmark.
 * Figures go to the console and to {@code target/benchmark}. The ratios apply to other machines, the figures do not.
 *
 * <p>{@code mvn -Pbenchmark verify} runs {@link dev.vestibule.benchmark.Benchmark}, in 5 minutes: the busiest paths,
 * each measured in turns with its lower bound, and their latency against load. {@code -Dit.test=SoakBenchmark} runs
 * another one:
 *
 * <ul>
 *   <li>{@link dev.vestibule.benchmark.SoakBenchmark}: whether anything grows under mixed traffic (20 minutes).
 *   <li>{@link dev.vestibule.benchmark.ChaosBenchmark}: whether every promise is kept while nodes, PostgreSQL,
 *       connections, clocks and the disk fail (7 minutes; as root, or the disk cannot be filled).
 *   <li>{@link dev.vestibule.benchmark.CrowdBenchmark}: others beside five thousand idle and slow clients (4 minutes).
 *   <li>{@link dev.vestibule.benchmark.StartBenchmark}: start, size and memory (2 minutes).
 *   <li>{@link dev.vestibule.benchmark.TimingBenchmark}: whether response times reveal which emails have an account (2
 *       minutes).
 *   <li>{@link dev.vestibule.benchmark.LargeDatabaseBenchmark}: a million users compared to ten thousand: the busiest
 *       paths, lists and searches (15 minutes; {@code -Dlarge.users=10000000} makes it ten million).
 *   <li>{@link dev.vestibule.benchmark.ProviderBenchmark}: the authorization server compared to the project's own
 *       tokens, and with a million grants of ten thousand clients (5 minutes).
 *   <li>{@link dev.vestibule.benchmark.ProjectsBenchmark}: ten thousand projects in turn compared to one (4 minutes).
 *   <li>{@link dev.vestibule.benchmark.ShardsBenchmark}: what users of a project notice when the database of another
 *       one is killed, and when home is (2 minutes).
 *   <li>{@link dev.vestibule.benchmark.OrganizationsBenchmark}: a project of 100,000 organizations, one with 100,000
 *       members, and the sync of a directory of 50,000 users (6 minutes).
 *   <li>{@link dev.vestibule.benchmark.RevocationBenchmark}: how soon another node refuses what was revoked (2
 *       minutes).
 *   <li>{@link dev.vestibule.benchmark.AuditBenchmark}: what the audit log costs sign ins and refreshes (4 minutes).
 *   <li>{@link dev.vestibule.benchmark.ImportBenchmark}: an import of 100,000 users (2 minutes).
 *   <li>{@link dev.vestibule.benchmark.WebhookBenchmark}: deliveries, and what they cost a sign up (5 minutes).
 *   <li>{@link dev.vestibule.benchmark.DeletionBenchmark}: other projects while a large one is deleted (10 minutes).
 * </ul>
 */
@NullMarked
package dev.vestibule.benchmark;

import org.jspecify.annotations.NullMarked;
