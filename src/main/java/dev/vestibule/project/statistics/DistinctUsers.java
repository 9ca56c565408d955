package dev.vestibule.project.statistics;

import com.dynatrace.hash4j.distinctcount.StateChangeObserver;
import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Counts distinct users: exactly for few of them, and with an estimate in bounded space for many. */
final class DistinctUsers {
    private static final Hasher64 HASHER = Hashing.komihash5_0();
    private static final int PRECISION = 10;
    private static final int SKETCH_BYTES = 1 << PRECISION;

    /** One less than fits into the bytes of a sketch, so that the length tells the two forms apart. */
    static final int MAX_EXACT = SKETCH_BYTES / Long.BYTES - 1;

    private static final int FIRST_CAPACITY = 4;

    private long[] hashes = new long[FIRST_CAPACITY]; // sorted, as far as size says
    private int size;
    private @Nullable UltraLogLog sketch;
    private boolean isChanged;
    private final StateChangeObserver observer = probability -> isChanged = true;

    /** Reads the bytes that {@link #toBytes} returned. */
    static DistinctUsers of(byte[] bytes) {
        var users = new DistinctUsers();
        if (bytes.length == SKETCH_BYTES) {
            users.sketch = UltraLogLog.wrap(bytes.clone());
        } else {
            var stored = ByteBuffer.wrap(bytes).asLongBuffer();
            while (stored.hasRemaining()) {
                users.add(stored.get());
            }
        }
        return users;
    }

    /** Whether this changes anything: always for a new user while the number is exact, never for a known one. */
    boolean add(UUID user) {
        return add(HASHER.hashLongLongToLong(user.getMostSignificantBits(), user.getLeastSignificantBits()));
    }

    private boolean add(long hash) {
        isChanged = false;
        if (sketch == null) {
            addExactly(hash);
        } else {
            sketch.add(hash, observer);
        }
        return isChanged;
    }

    private void addExactly(long hash) {
        var found = Arrays.binarySearch(hashes, 0, size, hash);
        if (found >= 0) {
            return;
        }
        isChanged = true;
        if (size == MAX_EXACT) {
            sketched().add(hash);
            return;
        }
        if (size == hashes.length) {
            hashes = Arrays.copyOf(hashes, Math.min(2 * size, MAX_EXACT));
        }
        var place = -found - 1;
        System.arraycopy(hashes, place, hashes, place + 1, size - place);
        hashes[place] = hash;
        size++;
    }

    private UltraLogLog sketched() {
        var made = sketch;
        if (made == null) {
            made = UltraLogLog.create(PRECISION);
            for (int i = 0; i < size; i++) {
                made.add(hashes[i]);
            }
            sketch = made;
            hashes = new long[0];
            size = 0;
        }
        return made;
    }

    /** Whether the others include a new user. */
    boolean addAll(DistinctUsers others) {
        if (others.sketch == null) {
            var isAnyNew = false;
            for (int i = 0; i < others.size; i++) {
                isAnyNew |= add(others.hashes[i]);
            }
            return isAnyNew;
        }
        var wasExact = sketch == null;
        var before = sketched().getState().clone();
        merge(others);
        return wasExact || !Arrays.equals(before, sketched().getState());
    }

    /** Adds all users, without the return value of {@link #addAll}, which would take twice the time. */
    void merge(DistinctUsers others) {
        if (others.sketch == null) {
            for (int i = 0; i < others.size; i++) {
                add(others.hashes[i]);
            }
        } else {
            sketched().add(others.sketch);
        }
    }

    long count() {
        return sketch == null ? size : Math.round(sketch.getDistinctCountEstimate());
    }

    byte[] toBytes() {
        if (sketch != null) {
            return sketch.getState().clone();
        }
        var bytes = ByteBuffer.allocate(size * Long.BYTES);
        bytes.asLongBuffer().put(hashes, 0, size);
        return bytes.array();
    }
}
