package dev.vestibule.crypto;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far threads stand back when others want a core, as by nice(1). Java's own thread priorities do nothing on Linux
 * unless the JVM is started with a flag for them.
 */
final class Niceness {
    private static final Logger LOG = LoggerFactory.getLogger(Niceness.class);

    /** Of the C library. */
    private interface Scheduling extends Library {
        int nice(int more) throws LastErrorException;
    }

    private Niceness() {}

    /** Makes the calling thread nicer; elsewhere than on Linux that would be the whole process. */
    static void add(int more) {
        if (more == 0 || !Platform.isLinux()) {
            return;
        }
        try {
            Native.load("c", Scheduling.class).nice(more);
        } catch (LastErrorException | UnsatisfiedLinkError refused) {
            LOG.warn("Password hashing cannot stand back behind other threads: {}", refused.toString());
        }
    }
}
