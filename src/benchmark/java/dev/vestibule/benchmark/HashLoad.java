package dev.vestibule.benchmark;

import de.mkammerer.argon2.Argon2Factory;
import de.mkammerer.argon2.Argon2Factory.Argon2Types;
import dev.vestibule.fixture.TestProject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.HdrHistogram.Recorder;

/** The minimum work of sign ins, without a server around it: password hashes at the default cost, on all cores. */
final class HashLoad implements Load {
    static final int THREADS = Runtime.getRuntime().availableProcessors();
    private static final int MEMORY_KIB = 19456;
    private static final int ITERATIONS = 2;
    private static final int LANES = 1;

    private final Recorder latencies = new Recorder(3);
    private final List<CompletableFuture<Void>> ends = IntStream.range(0, THREADS)
            .mapToObj(i -> CompletableFuture.runAsync(this::work, task -> new Thread(task, "hashes").start()))
            .toList();
    private volatile boolean isStopped;

    private HashLoad() {}

    static HashLoad start() {
        return new HashLoad();
    }

    private void work() {
        var argon2 = Argon2Factory.create(Argon2Types.ARGON2id);
        var password = TestProject.PASSWORD.getBytes(StandardCharsets.UTF_8);
        var known = argon2.hash(ITERATIONS, MEMORY_KIB, LANES, password);
        while (!isStopped) {
            var begun = System.nanoTime();
            if (!argon2.verify(known, password)) {
                throw new IllegalStateException("a hash does not verify");
            }
            latencies.recordValue(System.nanoTime() - begun);
        }
    }

    @Override
    public Recorder latencies() {
        return latencies;
    }

    @Override
    public void stop() {
        isStopped = true;
        ends.forEach(CompletableFuture::join);
    }
}
