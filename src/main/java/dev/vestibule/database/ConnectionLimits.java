package dev.vestibule.database;

import java.time.Duration;

/**
 * The limits of one event loop's connections. A statement that exceeds them fails, and the client gets a 503.
 *
 * @param batchSize the most questions that a {@link SharedStatement} asks at once
 * @param snapshots the most calls of {@link Database#inSnapshot} that run at once
 */
public record ConnectionLimits(
        int poolSize,
        int waitQueueSize,
        int waitMillis,
        int pipelining,
        int batchSize,
        int snapshots,
        Duration statementTime) {}
