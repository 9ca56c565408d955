package dev.vestibule.project;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.database.FeedCache;
import dev.vestibule.database.Shard;
import dev.vestibule.database.ShardErrors;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.sqlclient.SqlClient;
import java.util.Objects;
import java.util.Optional;

/**
 * Caches projects with their API keys. Every request looks up its project here, usually without a statement, and enters
 * the database that has it.
 */
public final class ProjectDirectory {
    private static final int MAX_STEPS = 4;

    private final ProjectStore projects;
    private final ApiKeyStore apiKeys;
    private final FeedCache<ProjectId, CachedProject> cache;

    /** The project that a slug last belonged to; the project itself tells whether it still does. */
    private final Cache<String, ProjectId> idsBySlug;

    /** The database that last had the project; that itself tells whether it still does. */
    private final Cache<ProjectId, Shard> places;

    public ProjectDirectory(ProjectStore projects, ApiKeyStore apiKeys, ChangeFeed feed, int maximumSize) {
        this.projects = projects;
        this.apiKeys = apiKeys;
        this.cache = FeedCache.rememberingAbsence(feed, maximumSize, ProjectId::new);
        this.idsBySlug = Caffeine.newBuilder().maximumSize(maximumSize).build();
        this.places = Caffeine.newBuilder().maximumSize(maximumSize).build();
    }

    /** Empty if there is no such project. */
    public Future<Optional<CachedProject>> find(Database database, ProjectId id) {
        return find(database, id, () -> {});
    }

    /**
     * Finds a project by its id, and enters its database: from then on the calling context works there. Calls the
     * runnable before a query of the database; the runnable can throw to prevent it.
     */
    public Future<Optional<CachedProject>> find(Database database, ProjectId id, Runnable beforeLookup) {
        return database.isSpread()
                ? findSpread(database, id, beforeLookup, MAX_STEPS)
                : cache.get(id, missing -> {
                    beforeLookup.run();
                    return load(database.reads(), Shard.HOME, missing)
                            .recover(failure -> Future.failedFuture(
                                    failure instanceof MovedException ? ShardErrors.notSetUp() : failure));
                });
    }

    /** Enters the database of a project, for work before the project itself is needed. */
    public Future<Void> enter(Database database, ProjectId id, Runnable beforeLookup) {
        if (database.isSpread() && !id.equals(ProjectId.SYSTEM)) {
            return find(database, id, beforeLookup).mapEmpty();
        }
        enter(database, Shard.HOME, id);
        return Future.succeededFuture();
    }

    private static void enter(Database database, Shard place, ProjectId id) {
        database.enter(place, id.equals(ProjectId.SYSTEM) ? null : id.value());
    }

    /** Finds a project by its slug. Calls the runnable before a query of the database. */
    public Future<Optional<CachedProject>> findBySlug(Database database, String slug, Runnable beforeLookup) {
        var known = idsBySlug.getIfPresent(slug);
        return known == null
                ? lookUp(database, slug, beforeLookup)
                : find(database, known, beforeLookup)
                        .map(found -> found.filter(
                                cached -> slug.equals(cached.project().slug())))
                        .compose(found -> found.isPresent()
                                ? Future.succeededFuture(found)
                                : lookUp(database, slug, beforeLookup));
    }

    private Future<Optional<CachedProject>> lookUp(Database database, String slug, Runnable beforeLookup) {
        beforeLookup.run();
        return projects.findBySlug(database.home().reads(), slug)
                .compose(id -> id.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : find(database, id.get())
                                .onSuccess(found -> found.ifPresent(is -> idsBySlug.put(slug, id.get()))));
    }

    /**
     * Each database knows whether it has the project, or which one does: so the path begins anywhere, and ends there.
     */
    private Future<Optional<CachedProject>> findSpread(
            Database database, ProjectId id, Runnable beforeLookup, int steps) {
        var place = Objects.requireNonNullElse(places.getIfPresent(id), Shard.HOME);
        enter(database, place, id);
        return cache.get(id, missing -> {
                    beforeLookup.run();
                    return load(database.reads(), place, missing);
                })
                .compose(found -> found.isEmpty() || found.get().shard().equals(place)
                        ? Future.succeededFuture(found)
                        : Future.failedFuture(new MovedException(found.get().shard()))) // only the place was forgotten
                .recover(failure -> failure instanceof MovedException moved && steps > 0
                        ? goOn(database, id, moved.to, steps - 1)
                        : Future.failedFuture(failure instanceof MovedException ? ShardErrors.moving() : failure));
    }

    private Future<Optional<CachedProject>> goOn(Database database, ProjectId id, Shard to, int steps) {
        if (!database.shards().contains(to)) {
            return Future.failedFuture(ShardErrors.notSetUp());
        }
        places.put(id, to);
        return findSpread(database, id, () -> {}, steps);
    }

    /** Fails with a {@link MovedException} if another database has the project. */
    private Future<Optional<CachedProject>> load(SqlClient db, Shard here, ProjectId id) {
        var project = projects.find(db, id);
        var keys = apiKeys.findAll(db, id);
        return Future.all(project, keys).map(both -> {
            var found = project.result();
            if (found.isEmpty()) {
                // Home knows all projects, and the others only those that they have or had.
                if (here.isHome()) {
                    return Optional.empty();
                }
                throw new MovedException(Shard.HOME);
            }
            var place = found.get().place();
            if (place.arrives() || place.leaves()) {
                throw ShardErrors.moving();
            }
            if (place.shard() != null) {
                throw new MovedException(place.shard());
            }
            return Optional.of(new CachedProject(found.get().project(), keys.result(), here));
        });
    }

    /** The project is not here any more; no failure, and so without a stack trace. */
    private static final class MovedException extends VertxException {
        private static final long serialVersionUID = 1L;

        private final transient Shard to;

        private MovedException(Shard to) {
            super("the project is in the database " + to, true);
            this.to = to;
        }
    }
}
