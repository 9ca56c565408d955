package dev.vestibule.crypto.foreign;

import dev.vestibule.error.InvalidValueException;
import org.bouncycastle.crypto.generators.SCrypt;

/** The parameters of scrypt (RFC 7914), within the bounds that a sign in can afford. */
record ScryptCost(int n, int r, int p) {
    private static final int MIN_LOG = 10;
    private static final int MAX_LOG = 17;
    private static final int MAX_BLOCK = 32;
    private static final int MAX_LANES = 16;
    private static final int WORKING_BLOCKS = 4;
    private static final long MAX_MEMORY = 128L * 1024 * 1024; // of the heap
    private static final long MAX_WORK = 4 * MAX_MEMORY; // about a second

    ScryptCost {
        if (Integer.bitCount(n) != 1) {
            throw new InvalidValueException("must have a power of two as its scrypt cost (N)");
        }
        var memory = 128L * n * r;
        if (memory > MAX_MEMORY || memory * p > MAX_WORK) {
            throw new InvalidValueException(
                    "must have 128 N r of at most %d, and that times p of at most %d".formatted(MAX_MEMORY, MAX_WORK));
        }
    }

    static ScryptCost of(String n, String r, String p) {
        return new ScryptCost(
                HashParts.number(n, 1 << MIN_LOG, 1 << MAX_LOG, "a scrypt cost (N)"),
                HashParts.number(r, 1, MAX_BLOCK, "a block size (r)"),
                HashParts.number(p, 1, MAX_LANES, "lanes (p)"));
    }

    static ScryptCost ofLogarithm(String n, String r, String p) {
        return new ScryptCost(
                1 << HashParts.number(n, MIN_LOG, MAX_LOG, "a scrypt cost (ln)"),
                HashParts.number(r, 1, MAX_BLOCK, "a block size (r)"),
                HashParts.number(p, 1, MAX_LANES, "lanes (p)"));
    }

    HashCost cost() {
        return HashCost.of("scrypt N=%d,r=%d,p=%d".formatted(n, r, p), 0.005 * 128 * n * r * p, memory());
    }

    /** The array of N blocks, the lanes, and a few working blocks; Bouncy Castle keeps all of it on the heap. */
    private HashMemory memory() {
        var bytes = 128L * r * (n + p + WORKING_BLOCKS);
        return HashMemory.ofHeap((bytes + 1023) / 1024);
    }

    void check(HashCeilings ceilings) {
        HashCeilings.require("128 N r p", 128L * n * r * p, ceilings.scryptWorkBytes(), "imports.scryptWork");
    }

    byte[] derive(byte[] password, byte[] salt, int length) {
        return SCrypt.generate(password, salt, n, r, p, length);
    }
}
