package dev.vestibule.crypto;

import de.mkammerer.argon2.Argon2;
import de.mkammerer.argon2.Argon2Factory;
import de.mkammerer.argon2.Argon2Factory.Argon2Types;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Argon2id (RFC 9106) password hashes as PHC strings, computed on the hashing pool. Verifying against no hash costs
 * exactly what verifying against a real one does, so that time does not tell which accounts exist.
 */
public final class PasswordHasher {
    private static final int SALT_BYTES = 16;
    private static final int LEAST_MEMORY_KIB = 8; // RFC 9106, 3.1
    private static final Pattern PARAMETERS = Pattern.compile("\\$m=(\\d{1,9}),t=(\\d{1,6}),p=");

    /** Cost of one hash: memory in KiB, passes over it, and lanes. */
    public record Cost(int memoryKib, int iterations, int parallelism) {}

    /** Whether the password is right, and a hash at today's cost where the stored one has another. */
    public record Verdict(boolean matches, @Nullable String rehashed) {}

    private final HashingPool pool;
    private final Cost cost;
    private final Argon2 argon2 = Argon2Factory.create(Argon2Types.ARGON2id);
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
    public Future<Verdict> verify(@Nullable String storedHash, String password) {
        return pool.run(() -> verifyNow(storedHash, password));
    }

    private Verdict verifyNow(@Nullable String storedHash, String password) {
        var bytes = password.getBytes(StandardCharsets.UTF_8);
        try {
            var matches = argon2.verify(storedHash == null ? nobodysHash : storedHash, bytes);
            if (storedHash == null) {
                return new Verdict(false, null);
            }
            if (!matches) {
                spendDifference(storedHash, bytes);
                return new Verdict(false, null);
            }
            var outdated = argon2.needsRehash(storedHash, cost.iterations(), cost.memoryKib(), cost.parallelism());
            return new Verdict(true, outdated ? hashNow(password) : null);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * Spends what a hash made at a lower cost saved, so that its failure takes the time of everybody's. (Nothing can be
     * done so for one made at a higher cost: after a lowering, failures take longer until the next sign in re-hashes.)
     */
    private void spendDifference(String storedHash, byte[] password) {
        var parameters = PARAMETERS.matcher(storedHash);
        if (!parameters.find()) {
            return;
        }
        var spent = Long.parseLong(parameters.group(1)) * Long.parseLong(parameters.group(2));
        var saved = (long) cost.memoryKib() * cost.iterations() - spent;
        if (saved >= LEAST_MEMORY_KIB) {
            argon2.hash(1, (int) saved, 1, password);
        }
    }

    private String hashNow(String password) {
        var bytes = password.getBytes(StandardCharsets.UTF_8);
        try {
            return argon2.hash(cost.iterations(), cost.memoryKib(), cost.parallelism(), bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
