package dev.vestibule.project;

import dev.vestibule.database.Database;
import dev.vestibule.database.Shard;
import dev.vestibule.database.ShardErrors;
import dev.vestibule.project.ProjectStore.Place;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.function.Function;

/** Works in projects that the calling context has not entered, as a part of changes at home. */
public final class OtherProjects {
    private final Database database;
    private final ProjectStore projects = new ProjectStore();

    public OtherProjects(Database database) {
        this.database = database;
    }

    /**
     * As {@link Database#inProject}, for any project. The transaction at home must hold its lock, so that it stays
     * where it is now; a 503 if it is moving.
     */
    public <T> Future<T> in(ProjectId project, SqlConnection atHome, Function<SqlConnection, Future<T>> work) {
        return database.isSpread()
                ? settled(project, atHome).compose(place -> {
                    var shard = place.shard();
                    return shard == null ? work.apply(atHome) : elsewhere(project, shard, work);
                })
                : work.apply(atHome);
    }

    /** Only its own database knows for sure that it does not leave it. */
    private <T> Future<T> elsewhere(ProjectId project, Shard shard, Function<SqlConnection, Future<T>> work) {
        return database.at(shard)
                .inTransaction(transaction -> settled(project, transaction)
                        .compose(place -> place.shard() == null
                                ? work.apply(transaction)
                                : Future.failedFuture(ShardErrors.moving())));
    }

    private Future<Place> settled(ProjectId project, SqlConnection transaction) {
        return projects.place(transaction, project).map(found -> {
            var place = found.orElseThrow(ProjectStore::unknown);
            if (place.arrives() || place.leaves()) {
                throw ShardErrors.moving();
            }
            return place;
        });
    }
}
