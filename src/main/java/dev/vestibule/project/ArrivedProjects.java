package dev.vestibule.project;

import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.database.Shard;
import dev.vestibule.project.ArrivedProjectStore.Arriving;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the moves of projects that nobody else ends: the process that moves one may die after the project has left a
 * database, and before the other one knows, or before that, and leave a copy that is of no use.
 */
public final class ArrivedProjects {
    private static final Logger LOG = LoggerFactory.getLogger(ArrivedProjects.class);

    private final ArrivedProjectStore store = new ArrivedProjectStore();

    /**
     * Looks at the projects that may have arrived in one database; maintenance calls this about once a second for each.
     *
     * @param all the others too, to ask them
     */
    public Future<Void> settle(Database here, Database all) {
        return store.arriving(here.reads())
                .compose(arriving -> Batches.each(arriving, project -> settle(here, all, project)));
    }

    private Future<Void> settle(Database here, Database all, Arriving project) {
        return store.origin(all.at(project.from()).writes(), project.project()).compose(origin -> {
            if (origin.filter(known -> known.hasLeftFor(here.shard())).isPresent()) {
                LOG.info("The project {} has moved to the database {}", project.project(), here.shard());
                return point(here, all, project).compose(pointed -> store.arrive(here.writes(), project));
            }
            return origin.isEmpty() || origin.get().hasGivenUp(here.shard())
                    ? store.giveUp(here.writes(), project, here.shard().isHome())
                    : Future.succeededFuture();
        });
    }

    /** Home first: as long as the project has not arrived, this is repeated. */
    private Future<Void> point(Database here, Database all, Arriving project) {
        return here.shard().isHome() || project.from().isHome()
                ? Future.succeededFuture()
                : store.point(all.at(Shard.HOME).writes(), project.project(), here.shard());
    }
}
