package dev.vestibule.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.benchmark.ChaosCluster.Node;
import dev.vestibule.fixture.OauthBrowser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults in turn under all kinds of traffic: whatever was acknowledged is there, whatever ended stays ended, and nobody
 * is answered with an error but 503, and that only while the database is away. {@code -Dchaos.seconds=60} makes it
 * shorter.
 */
class ChaosBenchmark {
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("chaos.seconds", 300));
    private static final int VISITORS = 8;
    private static final Duration CALM = Duration.ofSeconds(4);
    private static final Duration LAST_RETRY = Duration.ofMinutes(3); // of what a node had claimed when it was killed
    private static final double HEAP_MIB = 16; // by which garbage and caches of a busy node differ

    private final ChaosLedger ledger = new ChaosLedger();
    private final Report report = new Report("chaos");
    private final Map<String, Integer> faults = new LinkedHashMap<>();
    private final Map<Long, List<Double>> heaps = new LinkedHashMap<>();
    private final Path folder;
    private volatile boolean isOver;

    ChaosBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    /** Something that goes wrong, and is over when it returns. */
    private record Fault(String name, Runnable work) {}

    @Test
    void everyPromiseIsKept() throws Exception {
        try (var cluster = ChaosCluster.start(folder)) {
            var visitors = visitors(cluster);
            var threads = Executors.newFixedThreadPool(VISITORS);
            visitors.forEach(visitor -> threads.execute(() -> visit(visitor)));
            goWrong(cluster);
            isOver = true;
            await(threads);
            checkAll(visitors);
            awaitDeliveries(cluster);
            cluster.nodes().stream().flatMap(Node::outputs).forEach(this::checkOutput);
            checkHeaps();
        } finally {
            tell();
        }
        assertThat(ledger.violations()).isEmpty();
    }

    private List<ChaosVisitor> visitors(ChaosCluster cluster) {
        var project = cluster.newProject();
        var client = OauthBrowser.register(project, "native", Map.of("redirectUris", List.of(OauthBrowser.APP)))
                .text("clientId");
        var api = OauthBrowser.register(
                project, "api", Map.of("resource", "https://auth.example.com/v1/projects/" + project.id()));
        var visitors = new ArrayList<ChaosVisitor>();
        for (var i = 0; i < VISITORS; i++) {
            visitors.add(new ChaosVisitor(ledger, cluster.doors(project), cluster.mailbox(), client, api));
        }
        return visitors;
    }

    private void visit(ChaosVisitor visitor) {
        while (!isOver) {
            try {
                visitor.visit();
            } catch (RuntimeException | Error failure) {
                ledger.violate("an answer that nobody understands: " + failure);
            }
        }
    }

    private static void await(ExecutorService threads) throws InterruptedException {
        threads.shutdown();
        assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
    }

    private void goWrong(ChaosCluster cluster) {
        var end = System.nanoTime() + TIME.toNanos();
        pause(CALM);
        for (var round = 0; System.nanoTime() < end; round++) {
            for (var fault : faults(cluster, cluster.nodes().get(round % 2))) {
                if (System.nanoTime() >= end) {
                    break;
                }
                ledger.expectOutage();
                fault.work().run();
                ledger.expectCalm();
                faults.merge(fault.name(), 1, Integer::sum);
                report.line(
                        "%-40s %d checks so far, %d violations",
                        fault.name(), ledger.checks(), ledger.violations().size());
                pause(CALM);
            }
            cluster.nodes().forEach(this::measureHeap);
        }
    }

    private static List<Fault> faults(ChaosCluster cluster, Node node) {
        var all = new ArrayList<>(List.of(
                new Fault("kill -9 of a node", () -> {
                    node.kill();
                    pause(Duration.ofSeconds(1));
                    node.startAgain();
                }),
                new Fault("kill -9 of PostgreSQL", cluster::killPostgres),
                new Fault("connections cut", () -> {
                    var proxy = cluster.anyProxy();
                    proxy.takeAway();
                    pause(Duration.ofSeconds(1));
                    proxy.restore();
                }),
                new Fault("a node's connections silent", () -> {
                    var proxy = cluster.anyProxy();
                    proxy.fallSilent();
                    pause(Duration.ofSeconds(4));
                    proxy.restore();
                }),
                new Fault("all connections slow", () -> {
                    cluster.proxies().forEach(proxy -> proxy.slowDown(Duration.ofMillis(50)));
                    pause(Duration.ofSeconds(3));
                    cluster.proxies().forEach(proxy -> proxy.restore());
                }),
                new Fault("a clock two minutes ahead", () -> cluster.clock().jumpTo(Duration.ofMinutes(2))),
                new Fault("a node and PostgreSQL killed together", () -> {
                    cluster.killPostgres();
                    node.kill();
                    node.startAgain();
                }),
                new Fault("the clock two minutes behind", () -> cluster.clock().jumpTo(Duration.ofMinutes(-2)))));
        if (cluster.disk().canBeFilled()) {
            all.add(new Fault("disk full", () -> {
                cluster.disk().fill();
                pause(Duration.ofSeconds(4));
                cluster.disk().empty();
            }));
        }
        Collections.shuffle(all);
        return all;
    }

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    private void measureHeap(Node node) {
        var process = node.process();
        heaps.computeIfAbsent(process.pid(), first -> new ArrayList<>()).add(process.heapMibAfterCollection());
    }

    private void checkHeaps() {
        heaps.forEach((process, mib) -> {
            if (mib.get(mib.size() - 1) > mib.get(0) + HEAP_MIB) {
                ledger.violate("The heap of a node grows: " + mib);
            }
        });
    }

    private void checkAll(List<ChaosVisitor> visitors) throws InterruptedException {
        pause(CALM); // what was just ended is to be refused by now
        report.line("all is well again; %d checks until here", ledger.checks());
        var threads = Executors.newFixedThreadPool(VISITORS);
        visitors.forEach(visitor -> threads.execute(() -> {
            try {
                visitor.checkAll();
            } catch (RuntimeException | Error failure) {
                ledger.violate("an answer that nobody understands: " + failure);
            }
        }));
        await(threads);
    }

    private void awaitDeliveries(ChaosCluster cluster) {
        awaitAtMost(LAST_RETRY, () -> missing(cluster).isEmpty());
        missing(cluster).forEach(event -> ledger.violate("not delivered: " + event));
    }

    private List<String> missing(ChaosCluster cluster) {
        var missing = new ArrayList<>(ledger.missingEvents(cluster.receiver().to(ChaosLedger.HOOK)));
        var mails = new ArrayList<>(ledger.mailsToCome());
        mails.removeAll(cluster.mailbox().recipients());
        missing.addAll(mails);
        return missing;
    }

    private static void awaitAtMost(Duration limit, BooleanSupplier condition) {
        var deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            pause(Duration.ofSeconds(1));
        }
    }

    private void checkOutput(String output) {
        if (output.contains("OutOfMemoryError")) {
            ledger.violate("a node ran out of memory");
        }
    }

    private void tell() {
        report.add("faults", faults);
        report.add("acknowledged", ledger.acknowledged());
        report.add("answers", ledger.answers());
        report.add("heapsMib", heaps.values());
        report.add("checks", ledger.checks());
        report.add("violations", List.copyOf(ledger.violations()));
        report.line("faults        %s", faults);
        report.line("acknowledged  %s", ledger.acknowledged());
        report.line("answers       %s", ledger.answers());
        report.line("heaps, MiB    %s", heaps.values());
        report.line(
                "%d faults, %d events and %d mails to come, %d checks, %d violations",
                faults.values().stream().mapToInt(Integer::intValue).sum(),
                ledger.events(),
                ledger.mailsToCome().size(),
                ledger.checks(),
                ledger.violations().size());
        ledger.violations().stream().limit(20).forEach(violation -> report.line("VIOLATION %s", violation));
        report.write();
    }
}
