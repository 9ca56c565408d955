package dev.vestibule.project.transfer;

import dev.vestibule.database.Shard;
import dev.vestibule.project.ProjectId;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Moves a project from one of the server's databases to another one while nodes run.
 *
 * <p>A {@linkplain MoveLease lease} keeps all nodes from working for the project, and workers from sending for it, so
 * that what is copied stays what it is. The copy is read in one transaction and written in another one, which commits
 * first: it is of no use before the source says that the project has left. That one commit is the switch. The lease is
 * renewed, and the switch is made, on a connection of its own: the transaction that reads sees the project's row as it
 * was at its beginning, and could not change it any more.
 *
 * <p>Afterwards home and the target learn of it; if this process does not come to that, the servers do
 * ({@link dev.vestibule.project.ArrivedProjects}), or the next move.
 */
public final class ProjectMove {
    /** Opens a connection to one of the databases, which this move closes. */
    @FunctionalInterface
    public interface Opener {
        Connection open() throws SQLException;
    }

    /** How far a move has come. */
    public enum Step {
        /** Requests get 503 from now on. */
        HELD,
        /** Nothing is being written any more. */
        QUIET,
        /** Some of the tables are copied. */
        COPYING,
        /** The other database has everything. */
        COPIED,
        /** The project is there. */
        SWITCHED
    }

    private static final int MAX_STEPS = 8;
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** Of a transaction that began before the move. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private final Map<Shard, Opener> databases;
    private final ProjectId project;
    private final Duration quiet;
    private final Consumer<Step> told;

    /**
     * A move that has not begun.
     *
     * @param databases all of the server, home too
     * @param quiet after so long, a statement that a node has begun to wait for is running, or never will
     * @param told after each step
     */
    public ProjectMove(Map<Shard, Opener> databases, ProjectId project, Duration quiet, Consumer<Step> told) {
        this.databases = Map.copyOf(databases);
        this.project = project;
        this.quiet = quiet;
        this.told = told;
    }

    /**
     * Moves it. Whatever fails, the project goes on at one of the two.
     *
     * @throws TransferException whose message says why not
     */
    public void to(Shard target) throws SQLException, IOException {
        if (project.equals(ProjectId.SYSTEM)) {
            throw new TransferException("The built-in project of dashboard users is always at home.");
        }
        opener(target);
        var found = find();
        if (found.from() != null) {
            finish(found.from(), found.at());
        }
        if (!found.at().equals(target)) {
            move(found.at(), target);
        } else if (found.from() == null) {
            throw new TransferException("The project is already in the database " + target + ".");
        }
    }

    private void move(Shard source, Shard target) throws SQLException, IOException {
        try (var from = open(source);
                var to = open(target);
                var held = open(source)) {
            prepare(from, source, to, target);
            try (var lease = MoveLease.begin(held, source, project.value())) {
                told.accept(Step.HELD);
                awaitQuiet(new PlaceRows(from, source));
                told.accept(Step.QUIET);
                copy(from, source, to, target, lease);
                told.accept(Step.COPIED);
                lease.leaveTo(target);
                told.accept(Step.SWITCHED);
            }
        }
        finish(source, target);
    }

    private Opener opener(Shard shard) {
        var opener = databases.get(shard);
        if (opener == null) {
            throw new TransferException("There is no database " + shard + ": database.shards has those besides home.");
        }
        return opener;
    }

    private Connection open(Shard shard) throws SQLException {
        return opener(shard).open();
    }

    /**
     * Where the project is.
     *
     * @param from where it has just come from, by a move that has not told everybody; otherwise null
     */
    private record Found(Shard at, @Nullable Shard from) {}

    private Found find() throws SQLException {
        var here = Shard.HOME;
        for (int step = 0; step < MAX_STEPS; step++) {
            var place = place(here)
                    .filter(known -> !known.isDeleted())
                    .orElseThrow(() -> new TransferException("There is no project with the id " + project + "."));
            var other = place.shard();
            if (other == null) {
                return new Found(here, null);
            }
            if (place.arrives() && hasLeft(other, here)) {
                return new Found(here, other);
            }
            here = other;
        }
        throw new TransferException("The databases do not agree where the project is: " + project);
    }

    private boolean hasLeft(Shard from, Shard to) throws SQLException {
        return place(from)
                .filter(known -> !known.arrives() && to.equals(known.shard()))
                .isPresent();
    }

    private Optional<PlaceRows.Place> place(Shard shard) throws SQLException {
        try (var connection = open(shard)) {
            return new PlaceRows(connection, shard).find(project.value());
        }
    }

    /** What can be checked, and takes a lock, is done while requests still go on. */
    private void prepare(Connection from, Shard source, Connection to, Shard target) throws SQLException {
        if (!new ProjectRows(from).migrations().equals(new ProjectRows(to).migrations())) {
            throw new TransferException(
                    "The two databases have different schemas: start the server, which updates them.");
        }
        var there = new PlaceRows(to, target);
        checkIsFree(there.find(project.value()));
        var here = new PlaceRows(from, source);
        there.freeSlug(here.read(project.value()));
        var months = here.auditMonths();
        if (months != null) {
            there.makeAuditMonths(months);
        }
    }

    private static void checkIsFree(Optional<PlaceRows.Place> place) {
        place.ifPresent(known -> {
            if (known.hasLeftRows()) {
                throw new TransferException(
                        "The database has rows of the project left from an earlier move, and the servers are removing"
                                + " them: try again later.");
            }
            if (known.isDeleted() || known.shard() == null) {
                throw new TransferException("The other database has a project of this id, too.");
            }
        });
    }

    private void awaitQuiet(PlaceRows source) throws SQLException {
        var since = source.clockAfter(quiet);
        for (var now = since; ; now = source.clockAfter(PAUSE)) {
            var running = source.transactionFromBefore(since);
            if (running.isEmpty()) {
                return;
            }
            if (now.isAfter(since.plus(LONGEST_WAIT))) {
                throw new TransferException("A transaction of the database is running since " + running.get()
                        + ", perhaps of a backup: repeat the move when it has ended.");
            }
        }
    }

    private void copy(Connection from, Shard source, Connection to, Shard target, MoveLease lease)
            throws SQLException, IOException {
        var read = new ProjectRows(from);
        var written = new ProjectRows(to);
        read.liftTimeLimits();
        written.liftTimeLimits();
        from.setAutoCommit(false);
        from.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        from.setReadOnly(true);
        to.setAutoCommit(false);
        var there = new PlaceRows(to, target);
        checkIsFree(there.lock(project.value()));
        written.removeAll(project.value()); // what an attempt has left that never switched
        there.write(new PlaceRows(from, source).read(project.value()), read.columns("projects"), source);
        for (var table : ProjectRows.moving()) {
            lease.check();
            read.copyTo(written, table, project.value());
            if (table.equals("sessions")) {
                told.accept(Step.COPYING);
            }
        }
        from.commit();
        to.commit();
    }

    /** The other database comes last: until it knows, the next attempt or a server finds what is left to do. */
    private void finish(Shard source, Shard target) throws SQLException {
        if (!source.isHome() && !target.isHome()) {
            try (var home = open(Shard.HOME)) {
                home.setAutoCommit(false);
                new PlaceRows(home, Shard.HOME).point(project.value(), target);
                new ProjectRows(home).notifyNodes(project.value());
                home.commit();
            }
        }
        try (var there = open(target)) {
            there.setAutoCommit(false);
            var rows = new ProjectRows(there);
            new PlaceRows(there, target).arrive(project.value(), source);
            rows.notifyNodes(project.value());
            there.commit();
            rows.liftTimeLimits();
            rows.analyze(Stream.concat(ProjectRows.FILLED_BY_TRIGGERS.stream(), ProjectRows.moving().stream())
                    .toList());
            there.commit();
        }
    }
}
