package dev.vestibule.crypto;

import de.mkammerer.argon2.Argon2;
import de.mkammerer.argon2.Argon2Factory;
import de.mkammerer.argon2.Argon2Factory.Argon2Types;
import dev.vestibule.crypto.HashingPool.Duty;
import dev.vestibule.crypto.foreign.ForeignHash;
import dev.vestibule.crypto.foreign.ForeignHashes;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hashes passwords with Argon2id (RFC 9106, as PHC strings) on the hashing pool. It also verifies hashes of other
 * systems, which are replaced by Argon2id at the first successful sign in. For an unknown account it verifies a dummy
 * hash of the same cost, so that response times do not tell which accounts exist.
 */
public final class PasswordHasher {
    private static final int SALT_BYTES = 16;
    private static final int MIN_MEMORY_KIB = 8; // RFC 9106, 3.1
    private static final String PREFIX = "$argon2id$";
    private static final Pattern PARAMETERS = Pattern.compile("\\$m=(\\d{1,9}),t=(\\d{1,6}),p=");

    /** The Argon2id parameters of one hash: memory in KiB, passes over it, and lanes. */
    public record Cost(int memoryKib, int iterations, int parallelism) {
        long work() {
            return (long) memoryKib * iterations;
        }
    }

    /** Whether the password is right, and a new hash to store if the stored one is not Argon2id at the current cost. */
    public record VerifyResult(boolean matches, @Nullable String newHash) {
        static final VerifyResult WRONG = new VerifyResult(false, null);
    }

    private final HashingPool pool;
    private final Cost cost;
    private final Argon2 argon2 = Argon2Factory.create(Argon2Types.ARGON2id);
    private final ReentrantLock largeHashLock = new ReentrantLock();
    private final AtomicLong typicalNanos = new AtomicLong();
    private final String dummyHash;

    public PasswordHasher(HashingPool pool, Cost cost) {
        this.pool = pool;
        this.cost = cost;
        this.dummyHash = hashNow(Base64.getEncoder().encodeToString(RandomSecrets.bytes(SALT_BYTES)));
    }

    /** Hashes a password for a project, in its turn. */
    public Future<String> hash(UUID project, String password) {
        return pool.run(project, Duty.SHORT, () -> hashNow(password));
    }

    /** Verifies against the stored hash, or, if there is no account, against a dummy hash that nothing matches. */
    public Future<VerifyResult> verify(UUID project, @Nullable String storedHash, SubmittedPassword password) {
        var duty = storedHash == null || isCurrent(storedHash) ? Duty.SHORT : Duty.LONG;
        return pool.run(project, duty, () -> verifyNow(storedHash, password));
    }

    private VerifyResult verifyNow(@Nullable String storedHash, SubmittedPassword password) {
        for (var form : password.forms()) {
            var bytes = form.getBytes(StandardCharsets.UTF_8);
            try {
                if (storedHash == null) {
                    timed(() -> argon2.verify(dummyHash, bytes));
                } else if (matches(storedHash, bytes)) {
                    var stays = form.equals(password.normalised()) && isCurrent(storedHash);
                    return new VerifyResult(true, stays ? null : hashNow(password.normalised()));
                }
            } finally {
                Arrays.fill(bytes, (byte) 0);
            }
        }
        return VerifyResult.WRONG;
    }

    /** Compares exactly. argon2-jvm considers a dearer hash current too, and then its failures would always take longer. */
    private boolean isCurrent(String storedHash) {
        return storedHash.startsWith(
                "%sv=19$m=%d,t=%d,p=%d$".formatted(PREFIX, cost.memoryKib(), cost.iterations(), cost.parallelism()));
    }

    private boolean matches(String storedHash, byte[] password) {
        var started = System.nanoTime();
        if (storedHash.startsWith(PREFIX)) {
            var matches = argon2.verify(storedHash, password);
            if (!matches) {
                spendExtra(cost.work() - work(storedHash), password);
            }
            return matches;
        }
        var matches = ForeignHashes.parse(storedHash)
                .filter(hash -> compare(hash, password))
                .isPresent();
        if (!matches) {
            spendExtra(remainingWork(System.nanoTime() - started), password);
        }
        return matches;
    }

    private boolean compare(ForeignHash hash, byte[] password) {
        if (!hash.isLarge()) {
            return hash.matches(password);
        }
        largeHashLock.lock();
        try {
            return hash.matches(password);
        } finally {
            largeHashLock.unlock();
        }
    }

    private static long work(String storedHash) {
        var parameters = PARAMETERS.matcher(storedHash);
        return parameters.find() ? Long.parseLong(parameters.group(1)) * Long.parseLong(parameters.group(2)) : 0;
    }

    /** The Argon2id work that fills the rest of a usual verification; the cost of other algorithms is known only as time. */
    private long remainingWork(long spentNanos) {
        return (long) (cost.work() * (1 - (double) spentNanos / typicalNanos.get()));
    }

    /**
     * Spends the time that a cheaper hash saved, so that its failure takes as long as any other. A dearer hash still
     * takes longer until a sign in replaces it.
     */
    private void spendExtra(long savedWork, byte[] password) {
        var memoryKib = (int) (savedWork / cost.iterations());
        if (memoryKib >= MIN_MEMORY_KIB) {
            argon2.hash(cost.iterations(), memoryKib, 1, password);
        }
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
        typicalNanos.accumulateAndGet(
                System.nanoTime() - started, (typical, latest) -> typical == 0 ? latest : (7 * typical + latest) / 8);
        return result;
    }
}
