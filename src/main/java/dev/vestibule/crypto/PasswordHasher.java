package dev.vestibule.crypto;

import de.mkammerer.argon2.Argon2;
import de.mkammerer.argon2.Argon2Factory;
import de.mkammerer.argon2.Argon2Factory.Argon2Types;
import dev.vestibule.crypto.foreign.ForeignHash;
import dev.vestibule.crypto.foreign.ForeignHashes;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Argon2id (RFC 9106) password hashes as PHC strings, computed on the hashing pool, and hashes of other systems, which
 * become ones of ours once the password is known. Verifying against no hash costs exactly what verifying against one of
 * ours does, so that time does not tell which accounts exist.
 */
public final class PasswordHasher {
    private static final int SALT_BYTES = 16;
    private static final int LEAST_MEMORY_KIB = 8; // RFC 9106, 3.1
    private static final String OURS = "$argon2id$";
    private static final Pattern PARAMETERS = Pattern.compile("\\$m=(\\d{1,9}),t=(\\d{1,6}),p=");

    /** Cost of one hash: memory in KiB, passes over it, and lanes. */
    public record Cost(int memoryKib, int iterations, int parallelism) {
        long work() {
            return (long) memoryKib * iterations;
        }
    }

    /** Whether the password is right, and a hash of ours at today's cost where the stored one is another. */
    public record VerifyResult(boolean matches, @Nullable String newHash) {
        static final VerifyResult WRONG = new VerifyResult(false, null);
    }

    private final HashingPool pool;
    private final Cost cost;
    private final Argon2 argon2 = Argon2Factory.create(Argon2Types.ARGON2id);
    private final ReentrantLock oneLargeAtATime = new ReentrantLock();
    private final AtomicLong usualNanos = new AtomicLong();
    private final String nobodysHash;

    public PasswordHasher(HashingPool pool, Cost cost) {
        this.pool = pool;
        this.cost = cost;
        this.nobodysHash = hashNow(Base64.getEncoder().encodeToString(RandomSecrets.bytes(SALT_BYTES)));
    }

    public Future<String> hash(String password) {
        return pool.run(() -> hashNow(password));
    }

    /** Compares with the stored hash, or, where the account does not exist, with one that nothing matches. */
    public Future<VerifyResult> verify(@Nullable String storedHash, SubmittedPassword password) {
        return pool.run(() -> verifyNow(storedHash, password));
    }

    private VerifyResult verifyNow(@Nullable String storedHash, SubmittedPassword password) {
        for (var spelling : password.spellings()) {
            var bytes = spelling.getBytes(StandardCharsets.UTF_8);
            try {
                if (storedHash == null) {
                    timed(() -> argon2.verify(nobodysHash, bytes));
                } else if (matches(storedHash, bytes)) {
                    var stays = spelling.equals(password.normalised()) && isOfToday(storedHash);
                    return new VerifyResult(true, stays ? null : hashNow(password.normalised()));
                }
            } finally {
                Arrays.fill(bytes, (byte) 0);
            }
        }
        return VerifyResult.WRONG;
    }

    /** Exactly: the library calls a hash that costs more up to date, and its failures would take longer for ever. */
    private boolean isOfToday(String storedHash) {
        return storedHash.startsWith(
                "%sv=19$m=%d,t=%d,p=%d$".formatted(OURS, cost.memoryKib(), cost.iterations(), cost.parallelism()));
    }

    private boolean matches(String storedHash, byte[] password) {
        var started = System.nanoTime();
        if (storedHash.startsWith(OURS)) {
            var matches = argon2.verify(storedHash, password);
            if (!matches) {
                spend(cost.work() - work(storedHash), password);
            }
            return matches;
        }
        var matches = ForeignHashes.find(storedHash)
                .filter(hash -> compare(hash, password))
                .isPresent();
        if (!matches) {
            spend(workOfTheRest(System.nanoTime() - started), password);
        }
        return matches;
    }

    private boolean compare(ForeignHash hash, byte[] password) {
        if (!hash.isLarge()) {
            return hash.matches(password);
        }
        oneLargeAtATime.lock();
        try {
            return hash.matches(password);
        } finally {
            oneLargeAtATime.unlock();
        }
    }

    private static long work(String storedHash) {
        var parameters = PARAMETERS.matcher(storedHash);
        return parameters.find() ? Long.parseLong(parameters.group(1)) * Long.parseLong(parameters.group(2)) : 0;
    }

    /** What is left of the time that a hash of ours takes; another algorithm's cost cannot be told in Argon2's terms. */
    private long workOfTheRest(long spentNanos) {
        return (long) (cost.work() * (1 - (double) spentNanos / usualNanos.get()));
    }

    /**
     * Spends what a cheaper hash saved, so that its failure takes the time of everybody's. (Nothing can be done so for a
     * dearer one: until the sign in that replaces it, its failures take longer.)
     */
    private void spend(long savedWork, byte[] password) {
        var memoryKib = (int) (savedWork / cost.iterations());
        if (memoryKib >= LEAST_MEMORY_KIB) {
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

    /** Learns what today's cost takes on this machine, under the load that it has. */
    private <T> T timed(Supplier<T> hashing) {
        var started = System.nanoTime();
        var result = hashing.get();
        usualNanos.accumulateAndGet(
                System.nanoTime() - started, (usual, latest) -> usual == 0 ? latest : (7 * usual + latest) / 8);
        return result;
    }
}
