package dev.vestibule.crypto.foreign;

/**
 * Memory in KiB that hashes take while they are computed: Java heap, and native memory, which Argon2's C code
 * allocates.
 */
public record HashMemory(long heapKib, long nativeKib) {
    public static final HashMemory NONE = new HashMemory(0, 0);

    public static HashMemory ofHeap(long kib) {
        return new HashMemory(kib, 0);
    }

    public static HashMemory ofNative(long kib) {
        return new HashMemory(0, kib);
    }

    public HashMemory plus(HashMemory other) {
        return new HashMemory(heapKib + other.heapKib, nativeKib + other.nativeKib);
    }

    public HashMemory minus(HashMemory other) {
        return new HashMemory(heapKib - other.heapKib, nativeKib - other.nativeKib);
    }

    /** The larger amount of each kind: what two hashes need if they are computed one after the other. */
    public HashMemory max(HashMemory other) {
        return new HashMemory(Math.max(heapKib, other.heapKib), Math.max(nativeKib, other.nativeKib));
    }

    /** The smaller amount of each kind. */
    public HashMemory atMost(HashMemory budget) {
        return new HashMemory(Math.min(heapKib, budget.heapKib), Math.min(nativeKib, budget.nativeKib));
    }

    public boolean fitsIn(HashMemory budget) {
        return heapKib <= budget.heapKib && nativeKib <= budget.nativeKib;
    }

    /** Whether both need memory of the same kind. */
    public boolean competesWith(HashMemory other) {
        return (heapKib > 0 && other.heapKib > 0) || (nativeKib > 0 && other.nativeKib > 0);
    }
}
