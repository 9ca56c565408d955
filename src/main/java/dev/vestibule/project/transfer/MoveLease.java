package dev.vestibule.project.transfer;

import dev.vestibule.database.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * While it lasts, no node changes the project, and nobody else moves it. A thread of its own renews it, on a connection
 * of its own, so that a table may take as long as it likes to copy. If the process dies, it ends by itself.
 *
 * <p>The end that was written last says whose it is: a move that was paused for longer than its lease can neither renew
 * nor use the lease of the next one.
 */
final class MoveLease implements AutoCloseable {
    private static final Duration LENGTH = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    /** Of the lease, when the project leaves: longer than a commit takes. */
    private static final Duration REST = Duration.ofSeconds(45);

    private final Connection connection;
    private final PlaceRows places;
    private final ProjectRows rows;
    private final UUID project;
    private final ScheduledExecutorService renewals;
    private OffsetDateTime end;
    private boolean isOver;
    private @Nullable SQLException failure;

    private MoveLease(Connection connection, PlaceRows places, UUID project, OffsetDateTime end) {
        this.connection = connection;
        this.places = places;
        this.rows = new ProjectRows(connection);
        this.project = project;
        this.end = end;
        this.renewals = Executors.newSingleThreadScheduledExecutor(work -> {
            var thread = new Thread(work, "lease of a move");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Begins a lease, and tells all nodes; from now on the connection belongs to it. */
    static MoveLease begin(Connection connection, Shard here, UUID project) throws SQLException {
        connection.setAutoCommit(false);
        var places = new PlaceRows(connection, here);
        var end = places.hold(project, LENGTH);
        if (end.isEmpty()) {
            connection.rollback();
            throw new TransferException("Another move of this project is running, or was running a minute ago.");
        }
        new ProjectRows(connection).notifyNodes(project);
        connection.commit();
        var lease = new MoveLease(connection, places, project, end.get());
        var unused = lease.renewals.scheduleWithFixedDelay( // a failure is kept for who checks
                lease::renewInTime, PAUSE.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        return lease;
    }

    private synchronized void renewInTime() {
        try {
            if (!isOver) {
                renew();
            }
        } catch (SQLException failed) {
            isOver = true;
            failure = failed;
        }
    }

    private void renew() throws SQLException {
        var renewed = places.renew(project, end, LENGTH);
        connection.commit();
        isOver = renewed.isEmpty();
        end = renewed.orElse(end);
    }

    /** Throws if the lease has ended, so that a copy is worth nothing. */
    synchronized void check() throws SQLException {
        if (failure != null) {
            throw failure;
        }
        if (isOver) {
            throw new TransferException(
                    "The move has taken a break of more than a minute, so it begins again: repeat it.");
        }
    }

    /** From its return on, the project is there. */
    synchronized void leaveTo(Shard target) throws SQLException {
        check();
        renew();
        check();
        isOver = true;
        if (!places.leave(project, target, end, REST)) {
            connection.rollback();
            throw new TransferException("The database takes too long to answer: repeat the move.");
        }
        rows.notifyNodes(project);
        connection.commit();
    }

    /** Lets the project go on where it is, unless it has left. */
    @Override
    public synchronized void close() throws SQLException {
        renewals.shutdownNow();
        if (!isOver) {
            isOver = true;
            places.release(project, end);
            rows.notifyNodes(project);
            connection.commit();
        }
    }
}
