package dev.vestibule.project;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Database;
import dev.vestibule.database.Shard;
import dev.vestibule.project.ProjectStore.Stub;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates projects, each with one publishable and one secret key, in the database for new ones; the caller adds the
 * signing key.
 */
final class ProjectCreation {
    private static final int SLUG_TRIES = 5;

    /** A project that was just created, with the full text of its secret key. */
    record CreatedProject(
            ProjectId id, String name, String slug, Environment environment, String publishableKey, String secretKey) {
        @Override
        public String toString() {
            return "CreatedProject[" + id + "]";
        }
    }

    private final Database database;
    private final ProjectStore projects;
    private final ApiKeyStore apiKeys;
    private final RetiredSlugStore retired;
    private final Shard place;

    /** @param place the database for new projects */
    ProjectCreation(
            Database database, ProjectStore projects, ApiKeyStore apiKeys, RetiredSlugStore retired, Shard place) {
        this.database = database;
        this.projects = projects;
        this.apiKeys = apiKeys;
        this.retired = retired;
        this.place = place;
    }

    Shard place() {
        return place;
    }

    /**
     * Reserves the slug in a transaction at home. If none is chosen, it is made from the name; a 409 if the chosen one
     * is taken.
     */
    Future<Stub> reserve(
            SqlClient atHome,
            ProjectId id,
            String name,
            @Nullable String chosenSlug,
            Environment environment,
            Instant now) {
        var project = new Stub(id, name, chosenSlug == null ? Slug.of(name) : chosenSlug, environment, place);
        return chosenSlug == null
                ? insert(atHome, project, project.slug(), now, SLUG_TRIES)
                : insertUnlessRetired(atHome, project, now)
                        .compose(inserted ->
                                inserted ? Future.succeededFuture(project) : Future.failedFuture(SlugChange.taken()));
    }

    private Future<Stub> insert(SqlClient atHome, Stub project, String baseSlug, Instant now, int triesLeft) {
        return insertUnlessRetired(atHome, project, now).compose(inserted -> {
            if (inserted) {
                return Future.succeededFuture(project);
            }
            return triesLeft == 0
                    ? Future.failedFuture(new IllegalStateException("no free slug for " + baseSlug))
                    : insert(atHome, project.withSlug(Slug.suffixed(baseSlug)), baseSlug, now, triesLeft - 1);
        });
    }

    private Future<Boolean> insertUnlessRetired(SqlClient atHome, Stub project, Instant now) {
        var id = project.id();
        return projects.insert(atHome, project, now)
                .compose(inserted ->
                        inserted ? retired.contains(atHome, project.slug(), id) : Future.succeededFuture(true))
                .compose(isTaken -> isTaken ? projects.withdraw(atHome, id).map(false) : Future.succeededFuture(true));
    }

    /**
     * Creates what was reserved, with its keys and what the work adds, in the database for new projects. Where that is
     * not home, it commits first: nobody can reach the project before home has committed too.
     */
    Future<CreatedProject> fill(
            SqlConnection atHome, Stub reserved, Instant now, Function<SqlConnection, Future<Void>> work) {
        return place.isHome()
                ? addKeys(atHome, reserved, now, work)
                : database.at(place)
                        .inTransaction(transaction -> projects.insertElsewhere(transaction, reserved, now)
                                .compose(inserted -> addKeys(transaction, reserved, now, work)));
    }

    private Future<CreatedProject> addKeys(
            SqlConnection transaction, Stub project, Instant now, Function<SqlConnection, Future<Void>> work) {
        var publishable = ApiKey.generate(ApiKey.Kind.PUBLISHABLE, project.environment(), project.id());
        var secret = ApiKey.generate(ApiKey.Kind.SECRET, project.environment(), project.id());
        return addKey(transaction, publishable, now)
                .compose(added -> addKey(transaction, secret, now))
                .compose(added -> work.apply(transaction))
                .map(done -> new CreatedProject(
                        project.id(),
                        project.name(),
                        project.slug(),
                        project.environment(),
                        publishable.text(),
                        secret.text()));
    }

    private Future<Void> addKey(SqlClient transaction, ApiKey key, Instant now) {
        return apiKeys.insert(transaction, key.project(), UuidCreator.getTimeOrderedEpoch(), key, null, now);
    }
}
