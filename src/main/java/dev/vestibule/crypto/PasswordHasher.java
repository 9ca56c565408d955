package dev.vestibule.crypto;

import de.mkammerer.argon2.Argon2;
import de.mkammerer.argon2.Argon2Factory;
import de.mkammerer.argon2.Argon2Factory.Argon2Types;
import dev.vestibule.crypto.HashingPool.JobLength;
import dev.vestibule.crypto.foreign.ForeignHashes;
import dev.vestibule.crypto.foreign.HashCost;
import dev.vestibule.crypto.foreign.HashMemory;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hashes passwords with Argon2id (RFC 9106, as PHC strings) on the hashing pool. It also verifies hashes of other
 * systems, and replaces them by Argon2id at the first successful sign in. For an unknown account it verifies a dummy
 * hash of the same cost, so that response times do not reveal which accounts exist.
 *
 * <p>For the same reason, every failure in a project takes as long as its most expensive hash: after a cheaper one, the
 * response waits for the rest of that time without holding a thread, counted from when a thread started on it. The time
 * in the queue must not differ either, so all passwords of a project with expensive hashes wait in the queue as
 * {@link JobLength#LONG} work, for as much memory as its largest hash needs.
 */
public final class PasswordHasher {
    private static final Logger LOG = LoggerFactory.getLogger(PasswordHasher.class);
    private static final int SALT_BYTES = 16;
    private static final String PREFIX = "$argon2id$";
    private static final Pattern OTHER_COST = Pattern.compile("\\$argon2id\\$v=19\\$m=(?<memory>\\d{1,9}),");
    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);
    private static final int MAX_WARNINGS = 100;
    private static final int MAX_MEASURED = 10_000; // kinds of hashes, at most one per project
    private static final double MARGIN = 1.05; // so that even a slow hash does not take longer than the other failures

    /** The Argon2id parameters of one hash: memory in KiB, passes over it, and lanes. */
    public record Cost(int memoryKib, int iterations, int parallelism) {}

    /**
     * The project that a password is checked for, and the most expensive of its imported hashes, if it has imported
     * any.
     */
    public record ProjectHashes(UUID project, @Nullable HashCost costliest) {}

    private record CheckResult(VerifyResult result, long startedAt) {}

    /** The outcome of checking a password. */
    public enum Outcome {
        RIGHT,
        WRONG,
        /** Unknown: the hash, from another system or a larger node, needs more memory than this node has for hashes. */
        UNVERIFIABLE
    }

    /** Whether the password is right, and a new hash to store if the stored one is not Argon2id at the current cost. */
    public record VerifyResult(Outcome outcome, @Nullable String newHash) {
        static final VerifyResult WRONG = new VerifyResult(Outcome.WRONG, null);
        static final VerifyResult UNVERIFIABLE = new VerifyResult(Outcome.UNVERIFIABLE, null);

        public boolean matches() {
            return outcome == Outcome.RIGHT;
        }
    }

    private final HashingPool pool;
    private final Cost cost;
    private final Argon2 argon2 = Argon2Factory.create(Argon2Types.ARGON2id);
    private final HashMemory ownMemory;
    private final Set<HashMemory> warnedTooLarge = ConcurrentHashMap.newKeySet();
    private final AtomicLong typicalNanos = new AtomicLong();
    private final Map<String, Long> measuredNanos = new ConcurrentHashMap<>();
    private final CompletableFuture<String> dummyHash;

    public PasswordHasher(HashingPool pool, Cost cost) {
        this.pool = pool;
        this.cost = cost;
        this.ownMemory = HashMemory.ofNative(cost.memoryKib());
        // Loading the native code takes a while, in which the rest of the server starts.
        this.dummyHash = CompletableFuture.supplyAsync(
                () -> hashNow(Base64.getEncoder().encodeToString(RandomSecrets.bytes(SALT_BYTES))));
    }

    /** Blocks until the native code has made its first hash; fails if it does not load. */
    public void awaitReady() {
        dummyHash.join();
    }

    /** This node's memory budget for all hashes that it computes at once. */
    public HashMemory memory() {
        return pool.memory();
    }

    /** Hashes a password for a project when it is the project's turn. */
    public Future<String> hash(UUID project, String password) {
        return pool.run(project, JobLength.SHORT, ownMemory, () -> hashNow(password));
    }

    /** Verifies against the stored hash, or, if there is no account, against a dummy hash that nothing matches. */
    public Future<VerifyResult> verify(
            ProjectHashes population, @Nullable String storedHash, SubmittedPassword password) {
        var isOwn = storedHash == null || isCurrent(storedHash);
        var foreign = storedHash == null || isOwn ? Optional.of(HashMemory.NONE) : memoryOf(storedHash);
        if (foreign.isEmpty()) {
            return failUnchecked(population, password, VerifyResult.UNVERIFIABLE);
        }
        var isExpensive = isExpensive(population) || !isOwn;
        return pool.run(
                        population.project(),
                        isExpensive ? JobLength.LONG : JobLength.SHORT,
                        ownMemory.max(foreign.get()).max(memoryOfLargest(population)),
                        () -> checkNow(population, storedHash, password))
                .compose(checked -> checked.result().matches()
                        ? Future.succeededFuture(checked.result())
                        : failAtUniformTime(population, password, checked.result(), checked.startedAt()));
    }

    /** Fails without checking any hash, in the same time as a wrong password. */
    public Future<VerifyResult> refuse(ProjectHashes population, SubmittedPassword password) {
        return failUnchecked(population, password, VerifyResult.WRONG);
    }

    /**
     * Whether this node has the memory for every hash that the project imported. If not, the answer to a wrong password
     * must be the same as to one that cannot be verified. Otherwise the answer would reveal which emails were imported.
     */
    public boolean canVerifyAllOf(ProjectHashes population) {
        var costliest = population.costliest();
        return costliest == null || costliest.memory().fitsIn(pool.memory());
    }

    /** The answer when a password cannot be verified, and for wrong passwords that must look the same. */
    public static ApiException unverifiable() {
        return ApiException.of(
                ErrorCode.UNAVAILABLE,
                "This password cannot be verified at the moment. Try again later, or set a new password.",
                RETRY_AFTER);
    }

    private Future<VerifyResult> failUnchecked(ProjectHashes population, SubmittedPassword password, VerifyResult how) {
        return pool.run(
                        population.project(),
                        isExpensive(population) ? JobLength.LONG : JobLength.SHORT,
                        memoryOfLargest(population),
                        System::nanoTime)
                .compose(startedAt -> failAtUniformTime(population, password, how, startedAt));
    }

    private Future<VerifyResult> failAtUniformTime(
            ProjectHashes population, SubmittedPassword password, VerifyResult how, long startedAt) {
        var nanos = MARGIN * nanosOfCostliest(population) * password.forms().size();
        return pool.notBefore(startedAt + (long) nanos, how);
    }

    /**
     * All passwords of a project wait for the same amount of memory, so that the time in the queue does not reveal
     * whose hash it is.
     */
    private HashMemory memoryOfLargest(ProjectHashes population) {
        var costliest = population.costliest();
        return costliest == null || !canVerifyAllOf(population) ? HashMemory.NONE : costliest.memory();
    }

    /**
     * The memory for verifying a hash that does not have the current cost; empty if this node does not have that much
     * for hashes.
     */
    private Optional<HashMemory> memoryOf(String storedHash) {
        try {
            var own = OTHER_COST.matcher(storedHash);
            var needed = own.lookingAt()
                    ? HashMemory.ofNative(Long.parseLong(own.group("memory")))
                    : ForeignHashes.parse(storedHash)
                            .map(hash -> hash.cost().memory())
                            .orElse(HashMemory.NONE);
            return needed.fitsIn(pool.memory()) ? Optional.of(needed) : tooLarge(needed);
        } catch (InvalidValueException outOfBounds) { // could come from a project file of another server
            pool.meter().tooLarge();
            return Optional.empty();
        }
    }

    /** Logs once for each size, since anyone who knows the email can cause it. */
    private Optional<HashMemory> tooLarge(HashMemory needed) {
        pool.meter().tooLarge();
        if (warnedTooLarge.size() < MAX_WARNINGS && warnedTooLarge.add(needed)) {
            LOG.warn(
                    "An imported password hash needs {} KiB of heap and {} KiB of native memory to be verified, but"
                            + " this node has {} KiB (passwords.heapBudget) and {} KiB (passwords.nativeBudget) for"
                            + " hashes. Its sign ins get 503, and so do all failed ones of its project. Give this"
                            + " node more memory; or its users set a new password.",
                    needed.heapKib(),
                    needed.nativeKib(),
                    pool.memory().heapKib(),
                    pool.memory().nativeKib());
        }
        return Optional.empty();
    }

    private boolean isExpensive(ProjectHashes population) {
        return nanosOfCostliest(population) > 2 * typicalNanos.get();
    }

    private long nanosOfCostliest(ProjectHashes population) {
        var costliest = population.costliest();
        return costliest == null
                ? typicalNanos.get()
                : Math.max(
                        typicalNanos.get(),
                        measuredNanos.getOrDefault(costliest.kind(), 1000 * costliest.usualMicros()));
    }

    private CheckResult checkNow(ProjectHashes population, @Nullable String storedHash, SubmittedPassword password) {
        var startedAt = System.nanoTime();
        for (var form : password.forms()) {
            var bytes = form.getBytes(StandardCharsets.UTF_8);
            try {
                if (storedHash == null) {
                    timed(() -> argon2.verify(dummyHash.join(), bytes));
                } else if (matches(population, storedHash, bytes)) {
                    var isKept = form.equals(password.normalised()) && isCurrent(storedHash);
                    return new CheckResult(
                            new VerifyResult(Outcome.RIGHT, isKept ? null : hashNow(password.normalised())), startedAt);
                }
            } finally {
                Arrays.fill(bytes, (byte) 0);
            }
        }
        return new CheckResult(VerifyResult.WRONG, startedAt);
    }

    /**
     * Compares exactly. argon2-jvm would also accept a more expensive hash as current, and then its failures would
     * always take longer.
     */
    private boolean isCurrent(String storedHash) {
        return storedHash.startsWith(
                "%sv=19$m=%d,t=%d,p=%d$".formatted(PREFIX, cost.memoryKib(), cost.iterations(), cost.parallelism()));
    }

    private boolean matches(ProjectHashes population, String storedHash, byte[] password) {
        if (isCurrent(storedHash)) {
            return timed(() -> argon2.verify(storedHash, password));
        }
        if (storedHash.startsWith(PREFIX)) {
            var parameters = storedHash.split("\\$", -1)[3];
            return measured(population, "argon2 " + parameters, () -> argon2.verify(storedHash, password));
        }
        return ForeignHashes.parse(storedHash)
                .filter(hash -> measured(population, hash.cost().kind(), () -> hash.matches(password)))
                .isPresent();
    }

    /**
     * Measures the project's most expensive kind of hash on this machine; the failures of all other hashes take as
     * long.
     */
    private boolean measured(ProjectHashes population, String kind, BooleanSupplier verification) {
        var started = System.nanoTime();
        var matches = verification.getAsBoolean();
        var costliest = population.costliest();
        if (costliest != null && costliest.kind().equals(kind) && measuredNanos.size() < MAX_MEASURED) {
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

    /** Measures how long a hash of the current cost takes on this machine under its current load. */
    private <T> T timed(Supplier<T> hashing) {
        var started = System.nanoTime();
        var result = hashing.get();
        typicalNanos.accumulateAndGet(System.nanoTime() - started, PasswordHasher::smoothed);
        return result;
    }
}
