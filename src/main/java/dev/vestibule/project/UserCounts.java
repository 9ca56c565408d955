package dev.vestibule.project;

import dev.vestibule.database.Database;
import dev.vestibule.database.Shard;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Asks the other databases how many users the projects of a list have that is read at home. */
public final class UserCounts {
    private static final int LONGEST_SECONDS = 2;

    private final Database database;
    private final UserCountStore store = new UserCountStore();

    public UserCounts(Database database) {
        this.database = database;
    }

    /**
     * Where a project of the list is.
     *
     * @param shard null if it is at home, and the list has its count
     */
    public record Place(ProjectId project, @Nullable Shard shard) {
        /** By what home knows of it. */
        public static Place of(ProjectId project, @Nullable String shard) {
            return new Place(project, shard == null ? null : new Shard(shard));
        }
    }

    /**
     * The list with the counts that only other databases know. The count of a project is left out if its database does
     * not answer within two seconds: a list without it still leads to all other projects, and a 0 would be a lie.
     */
    public <T> Future<List<T>> complete(
            List<T> items, Function<T, Place> place, BiFunction<T, @Nullable Long, T> withCount) {
        Map<Shard, List<ProjectId>> elsewhere = new HashMap<>();
        for (var item : items) {
            var found = place.apply(item);
            if (found.shard() != null) {
                elsewhere
                        .computeIfAbsent(found.shard(), first -> new ArrayList<>())
                        .add(found.project());
            }
        }
        if (elsewhere.isEmpty()) {
            return Future.succeededFuture(items);
        }
        Map<ProjectId, Long> counts = new HashMap<>();
        return Future.join(elsewhere.entrySet().stream()
                        .map(asked -> count(asked.getKey(), asked.getValue()).onSuccess(counts::putAll))
                        .toList())
                .map(answered -> items.stream()
                        .map(item -> place.apply(item).shard() == null
                                ? item
                                : withCount.apply(
                                        item, counts.get(place.apply(item).project())))
                        .toList());
    }

    private Future<Map<ProjectId, Long>> count(Shard shard, List<ProjectId> projects) {
        return Future.<Void>succeededFuture()
                .compose(ready -> store.count(database.at(shard).reads(), projects))
                .timeout(LONGEST_SECONDS, TimeUnit.SECONDS)
                .otherwise(Map.of());
    }
}
