package dev.vestibule.database;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What is collected in memory to be written later, for each database on its own, so that one that is down keeps nothing
 * of the others waiting.
 */
public final class PerShard<T> {
    private final T home;
    private final Map<Shard, T> others = new ConcurrentHashMap<>();
    private final Supplier<T> maker;

    public PerShard(Supplier<T> maker) {
        this.home = maker.get();
        this.maker = maker;
    }

    /** That of the database in which the calling context works. */
    public T here() {
        return of(Entered.here());
    }

    public T of(Shard shard) {
        return shard.isHome() ? home : others.computeIfAbsent(shard, unknown -> maker.get());
    }
}
