package dev.vestibule.database;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Updates rows, with one statement for concurrent requests of an event loop. The statement passes over rows that
 * another transaction has locked; these are then updated alone, so that the others need not wait for them.
 *
 * @param <Q> the updates
 * @param <A> the rows afterwards
 */
public final class SharedUpdate<Q extends SharedStatement.Question, A> {
    private final Function<List<Q>, Future<List<Optional<A>>>> free;
    private final Function<List<Q>, Future<Set<Q>>> possible;
    private final Function<Q, Future<Optional<A>>> alone;
    private final SharedStatement<Q, Future<Optional<A>>> updates;

    /**
     * Updates that clients ask for with a token which the first try may replace. One that takes longer than half the
     * grace time is answered with a 503: the client still has time to try again with the same token.
     *
     * @param free updates the rows that are not locked; empty for those that are, and for those that are gone
     * @param possible which of these rows are not gone, and so must have been locked
     * @param alone updates a row, and waits for its lock
     */
    public SharedUpdate(
            Database database,
            Duration grace,
            Function<List<Q>, Future<List<Optional<A>>>> free,
            Function<List<Q>, Future<Set<Q>>> possible,
            Function<Q, Future<Optional<A>>> alone) {
        this.free = free;
        this.possible = possible;
        this.alone = alone;
        this.updates = grace.isZero()
                ? database.shared(this::updateTogether)
                : database.shared(grace.dividedBy(2), this::updateTogether);
    }

    /** As {@link SharedStatement#ask}; empty if the row is gone, or may not be updated. */
    public Future<Optional<A>> ask(Q update, BooleanSupplier isGone) {
        return updates.ask(update, isGone).compose(row -> row);
    }

    private Future<List<Future<Optional<A>>>> updateTogether(List<Q> asked) {
        return free.apply(asked).compose(found -> {
            var missing = IntStream.range(0, asked.size())
                    .filter(i -> found.get(i).isEmpty())
                    .mapToObj(asked::get)
                    .toList();
            return possible(missing)
                    .map(locked -> IntStream.range(0, asked.size())
                            .mapToObj(i -> locked.contains(asked.get(i))
                                    ? alone.apply(asked.get(i))
                                    : Future.succeededFuture(found.get(i)))
                            .toList());
        });
    }

    /**
     * One statement asks for all, so that updates of ended sessions, as after a mass revocation, cost no statement
     * each.
     */
    private Future<Set<Q>> possible(List<Q> missing) {
        return missing.isEmpty() ? Future.succeededFuture(Set.of()) : possible.apply(missing);
    }
}
