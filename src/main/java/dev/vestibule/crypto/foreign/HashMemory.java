package dev.vestibule.crypto.foreign;

/** Memory in KiB that hashes take while they are computed: of Java's heap, and beside it, where Argon2's C code has its own. */
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

    /** Of each kind the larger amount: what two hashes need that are computed one after the other. */
    public HashMemory max(HashMemory other) {
        return new HashMemory(Math.max(heapKib, other.heapKib), Math.max(nativeKib, other.nativeKib));
    }

    /** Of each kind the smaller amount. */
    public HashMemory atMost(HashMemory budget) {
        return new HashMemory(Math.min(heapKib, budget.heapKib), Math.min(nativeKib, budget.nativeKib));
    }

    public boolean fitsIn(HashMemory budget) {
        return heapKib <= budget.heapKib && nativeKib <= budget.nativeKib;
    }

    /** Whether both need memory of one kind. */
    public boolean competesWith(HashMemory other) {
        return (heapKib > 0 && other.heapKib > 0) || (nativeKib > 0 && other.nativeKib > 0);
    }
}
