package dev.vestibule.crypto;

import de.mkammerer.argon2.Argon2;
import de.mkammerer.argon2.Argon2Factory;
import de.mkammerer.argon2.Argon2Factory.Argon2Types;
import dev.vestibule.crypto.HashingPool.Duty;
import dev.vestibule.crypto.foreign.ForeignHash;
import dev.vestibule.crypto.foreign.ForeignHashes;
import dev.vestibule.crypto.foreign.HashCost;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hashes passwords with Argon2id (RFC 9106, as PHC strings) on the hashing pool. It also verifies hashes of other
 * systems, which are replaced by Argon2id at the first successful sign in. For an unknown account it verifies a dummy
 * hash of the same cost, so that response times do not tell which accounts exist.
 *
 * <p>For the same reason all failures of a project take as long as its dearest hash: what is cheaper waits for the rest of
 * that time, counted from the moment when a thread took it up, without a thread. So the time in the queue must not differ
 * either, and all passwords of a project with dear hashes wait in the queue as {@link Duty#LONG} work.
 */
public final class PasswordHasher {
    private static final int SALT_BYTES = 16;
    private static final String PREFIX = "$argon2id$";
    private static final int MAX_MEASURED = 10_000; // kinds of hashes, one for each project at most
    private static final double MARGIN = 1.05; // so that even a slow one is not later than the others

    /** The Argon2id parameters of one hash: memory in KiB, passes over it, and lanes. */
    public record Cost(int memoryKib, int iterations, int parallelism) {}

    /** For whose project a password is checked, and its dearest imported hash, if it has imported any. */
    public record Population(UUID project, @Nullable HashCost dearest) {}

    private record Checked(VerifyResult result, long began) {}

    /** Whether the password is right, and a new hash to store if the stored one is not Argon2id at the current cost. */
    public record VerifyResult(boolean matches, @Nullable String newHash) {
        static final VerifyResult WRONG = new VerifyResult(false, null);
    }

    private final HashingPool pool;
    private final Cost cost;
    private final Argon2 argon2 = Argon2Factory.create(Argon2Types.ARGON2id);
    private final ReentrantLock largeHashLock = new ReentrantLock();
    private final AtomicLong typicalNanos = new AtomicLong();
    private final Map<String, Long> measuredNanos = new ConcurrentHashMap<>();
    private final CompletableFuture<String> dummyHash;

    public PasswordHasher(HashingPool pool, Cost cost) {
        this.pool = pool;
        this.cost = cost;
        // To load the native code takes a while, beside which the rest of the server can start.
        this.dummyHash = CompletableFuture.supplyAsync(
                () -> hashNow(Base64.getEncoder().encodeToString(RandomSecrets.bytes(SALT_BYTES))));
    }

    /** Blocks until the native code has made its first hash; fails if it does not load. */
    public void awaitReady() {
        dummyHash.join();
    }

    /** Hashes a password for a project, in its turn. */
    public Future<String> hash(UUID project, String password) {
        return pool.run(project, Duty.SHORT, () -> hashNow(password));
    }

    /** Verifies against the stored hash, or, if there is no account, against a dummy hash that nothing matches. */
    public Future<VerifyResult> verify(Population population, @Nullable String storedHash, SubmittedPassword password) {
        var isDear = isDear(population) || !(storedHash == null || isCurrent(storedHash));
        return pool.run(
                        population.project(),
                        isDear ? Duty.LONG : Duty.SHORT,
                        () -> checkNow(population, storedHash, password))
                .compose(checked -> checked.result().matches()
                        ? Future.succeededFuture(checked.result())
                        : failLikeOthers(population, password, checked.began()));
    }

    /** Fails without a look at any hash, in the time that a wrong password takes. */
    public Future<VerifyResult> refuse(Population population, SubmittedPassword password) {
        return pool.run(population.project(), isDear(population) ? Duty.LONG : Duty.SHORT, System::nanoTime)
                .compose(began -> failLikeOthers(population, password, began));
    }

    private Future<VerifyResult> failLikeOthers(Population population, SubmittedPassword password, long began) {
        var nanos = MARGIN * nanosOfDearest(population) * password.forms().size();
        return pool.notBefore(began + (long) nanos, VerifyResult.WRONG);
    }

    private boolean isDear(Population population) {
        return nanosOfDearest(population) > 2 * typicalNanos.get();
    }

    private long nanosOfDearest(Population population) {
        var dearest = population.dearest();
        return dearest == null
                ? typicalNanos.get()
                : Math.max(
                        typicalNanos.get(), measuredNanos.getOrDefault(dearest.kind(), 1000 * dearest.usualMicros()));
    }

    private Checked checkNow(Population population, @Nullable String storedHash, SubmittedPassword password) {
        var began = System.nanoTime();
        for (var form : password.forms()) {
            var bytes = form.getBytes(StandardCharsets.UTF_8);
            try {
                if (storedHash == null) {
                    timed(() -> argon2.verify(dummyHash.join(), bytes));
                } else if (matches(population, storedHash, bytes)) {
                    var stays = form.equals(password.normalised()) && isCurrent(storedHash);
                    return new Checked(new VerifyResult(true, stays ? null : hashNow(password.normalised())), began);
                }
            } finally {
                Arrays.fill(bytes, (byte) 0);
            }
        }
        return new Checked(VerifyResult.WRONG, began);
    }

    /** Compares exactly. argon2-jvm considers a dearer hash current too, and then its failures would always take longer. */
    private boolean isCurrent(String storedHash) {
        return storedHash.startsWith(
                "%sv=19$m=%d,t=%d,p=%d$".formatted(PREFIX, cost.memoryKib(), cost.iterations(), cost.parallelism()));
    }

    private boolean matches(Population population, String storedHash, byte[] password) {
        if (isCurrent(storedHash)) {
            return timed(() -> argon2.verify(storedHash, password));
        }
        if (storedHash.startsWith(PREFIX)) {
            var parameters = storedHash.split("\\$", -1)[3];
            return measured(population, "argon2 " + parameters, () -> argon2.verify(storedHash, password));
        }
        return ForeignHashes.parse(storedHash)
                .filter(hash -> compare(population, hash, password))
                .isPresent();
    }

    private boolean compare(Population population, ForeignHash hash, byte[] password) {
        if (!hash.isLarge()) {
            return measured(population, hash.cost().kind(), () -> hash.matches(password));
        }
        largeHashLock.lock();
        try {
            return measured(population, hash.cost().kind(), () -> hash.matches(password));
        } finally {
            largeHashLock.unlock();
        }
    }

    /** Measures the project's dearest kind of hash on this machine; the failures of all others take as long. */
    private boolean measured(Population population, String kind, BooleanSupplier verification) {
        var started = System.nanoTime();
        var matches = verification.getAsBoolean();
        var dearest = population.dearest();
        if (dearest != null && dearest.kind().equals(kind) && measuredNanos.size() < MAX_MEASURED) {
            measuredNanos.merge(kind, System.nanoTime() - started, PasswordHasher::smoothed);
        }
        return matches;
    }

    private static long smoothed(long typical, long latest) {
        return typical == 0 ? latest : (7 * typical + latest) / 8;
    }

    private String hashNow(String password) {
        var bytes = password.getBytes(StandardCharsets.UTF_8);
        try {
            return timed(() -> argon2.hash(cost.iterations(), cost.memoryKib(), cost.parallelism(), bytes));
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** Measures how long a hash of the current cost takes on this machine under its present load. */
    private <T> T timed(Supplier<T> hashing) {
        var started = System.nanoTime();
        var result = hashing.get();
        typicalNanos.accumulateAndGet(System.nanoTime() - started, PasswordHasher::smoothed);
        return result;
    }
}
