package dev.vestibule.benchmark;

import org.HdrHistogram.Recorder;

/** Clients at work, until they are stopped. */
interface Load {
    /** Records how long each response took, in nanoseconds. */
    Recorder latencies();

    /** Waits for outstanding responses. Throws if any response was wrong: then the figures mean nothing. */
    void stop();
}
