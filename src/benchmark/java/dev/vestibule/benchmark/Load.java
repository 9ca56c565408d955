package dev.vestibule.benchmark;

import org.HdrHistogram.Recorder;

/** Clients at work, until they are stopped. */
interface Load {
    /** Takes down how long each answer took, in nanoseconds. */
    Recorder latencies();

    /** Waits for the answers under way. Throws if any answer was wrong: then the figures mean nothing. */
    void stop();
}
