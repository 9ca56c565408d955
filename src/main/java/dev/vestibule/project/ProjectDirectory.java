package dev.vestibule.project;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.FeedCache;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.Optional;

/** Caches projects with their API keys. Every request looks up its project here, usually without a statement. */
public final class ProjectDirectory {
    private final ProjectStore projects;
    private final ApiKeyStore apiKeys;
    private final FeedCache<ProjectId, CachedProject> cache;

    /** The project that a slug last belonged to; the project itself tells whether it still does. */
    private final Cache<String, ProjectId> idsBySlug;

    public ProjectDirectory(ProjectStore projects, ApiKeyStore apiKeys, ChangeFeed feed, int maximumSize) {
        this.projects = projects;
        this.apiKeys = apiKeys;
        this.cache = FeedCache.rememberingAbsence(feed, maximumSize, ProjectId::new);
        this.idsBySlug = Caffeine.newBuilder().maximumSize(maximumSize).build();
    }

    /** Empty if there is no such project. */
    public Future<Optional<CachedProject>> find(SqlClient db, ProjectId id) {
        return find(db, id, () -> {});
    }

    /**
     * Finds a project by its id. Calls the runnable before a query of the database; the runnable can throw to prevent
     * it.
     */
    public Future<Optional<CachedProject>> find(SqlClient db, ProjectId id, Runnable beforeLookup) {
        return cache.get(id, missing -> {
            beforeLookup.run();
            return load(db, missing);
        });
    }

    /** Finds a project by its slug. Calls the runnable before a query of the database. */
    public Future<Optional<CachedProject>> findBySlug(SqlClient db, String slug, Runnable beforeLookup) {
        var known = idsBySlug.getIfPresent(slug);
        return known == null
                ? lookUp(db, slug, beforeLookup)
                : find(db, known, beforeLookup)
                        .map(found -> found.filter(
                                cached -> slug.equals(cached.project().slug())))
                        .compose(found ->
                                found.isPresent() ? Future.succeededFuture(found) : lookUp(db, slug, beforeLookup));
    }

    private Future<Optional<CachedProject>> lookUp(SqlClient db, String slug, Runnable beforeLookup) {
        beforeLookup.run();
        return projects.findBySlug(db, slug)
                .compose(id -> id.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : find(db, id.get()).onSuccess(found -> found.ifPresent(is -> idsBySlug.put(slug, id.get()))));
    }

    private Future<Optional<CachedProject>> load(SqlClient db, ProjectId id) {
        var project = projects.find(db, id);
        var keys = apiKeys.findAll(db, id);
        return Future.all(project, keys)
                .map(both -> project.result().map(found -> new CachedProject(found, keys.result())));
    }
}
