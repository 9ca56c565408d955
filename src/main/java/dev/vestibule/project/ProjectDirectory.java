package dev.vestibule.project;

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

    public ProjectDirectory(ProjectStore projects, ApiKeyStore apiKeys, ChangeFeed feed, int maximumSize) {
        this.projects = projects;
        this.apiKeys = apiKeys;
        this.cache = FeedCache.rememberingAbsence(feed, maximumSize, ProjectId::new);
    }

    /** Empty if there is no such project. */
    public Future<Optional<CachedProject>> find(SqlClient db, ProjectId id) {
        return find(db, id, () -> {});
    }

    /** The same; the runnable is called before a look up in the database, and may throw to prevent it. */
    public Future<Optional<CachedProject>> find(SqlClient db, ProjectId id, Runnable beforeLookup) {
        return cache.get(id, missing -> {
            beforeLookup.run();
            return load(db, missing);
        });
    }

    private Future<Optional<CachedProject>> load(SqlClient db, ProjectId id) {
        var project = projects.find(db, id);
        var keys = apiKeys.findAll(db, id);
        return Future.all(project, keys)
                .map(both -> project.result().map(found -> new CachedProject(found, keys.result())));
    }
}
