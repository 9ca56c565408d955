package dev.vestibule.project;

import com.github.f4b6a3.uuid.UuidCreator;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Creates projects, each with one publishable and one secret key; the caller adds the signing key. */
public final class ProjectCreation {
    private static final int SLUG_TRIES = 5;

    /** A project that was just created, with the full text of its secret key. */
    public record CreatedProject(
            ProjectId id, String name, String slug, Environment environment, String publishableKey, String secretKey) {
        @Override
        public String toString() {
            return "CreatedProject[" + id + "]";
        }
    }

    private final ProjectStore projects;
    private final ApiKeyStore apiKeys;
    private final RetiredSlugStore retired;

    public ProjectCreation(ProjectStore projects, ApiKeyStore apiKeys, RetiredSlugStore retired) {
        this.projects = projects;
        this.apiKeys = apiKeys;
        this.retired = retired;
    }

    /** Call this in a transaction. If no slug is chosen, it is made from the name; a 409 if the chosen one is taken. */
    public Future<CreatedProject> create(
            SqlClient transaction, String name, @Nullable String chosenSlug, Environment environment, Instant now) {
        var id = ProjectId.next();
        var publishable = ApiKey.generate(ApiKey.Kind.PUBLISHABLE, environment, id);
        var secret = ApiKey.generate(ApiKey.Kind.SECRET, environment, id);
        var slug = chosenSlug == null ? Slug.of(name) : chosenSlug;
        var inserting = chosenSlug == null
                ? insert(transaction, id, name, slug, slug, environment, now, SLUG_TRIES)
                : insertChosen(transaction, id, name, chosenSlug, environment, now);
        return inserting.compose(inserted -> addKey(transaction, publishable, now)
                .compose(added -> addKey(transaction, secret, now))
                .map(added -> new CreatedProject(id, name, inserted, environment, publishable.text(), secret.text())));
    }

    private Future<String> insert(
            SqlClient transaction,
            ProjectId id,
            String name,
            String baseSlug,
            String slug,
            Environment environment,
            Instant now,
            int triesLeft) {
        return insertUnlessRetired(transaction, id, name, slug, environment, now)
                .compose(inserted -> {
                    if (inserted) {
                        return Future.succeededFuture(slug);
                    }
                    return triesLeft == 0
                            ? Future.failedFuture(new IllegalStateException("no free slug for " + baseSlug))
                            : insert(
                                    transaction,
                                    id,
                                    name,
                                    baseSlug,
                                    Slug.suffixed(baseSlug),
                                    environment,
                                    now,
                                    triesLeft - 1);
                });
    }

    private Future<String> insertChosen(
            SqlClient transaction, ProjectId id, String name, String slug, Environment environment, Instant now) {
        return insertUnlessRetired(transaction, id, name, slug, environment, now)
                .compose(inserted -> inserted ? Future.succeededFuture(slug) : Future.failedFuture(SlugChange.taken()));
    }

    private Future<Boolean> insertUnlessRetired(
            SqlClient transaction, ProjectId id, String name, String slug, Environment environment, Instant now) {
        return projects.insert(transaction, id, name, slug, environment, now)
                .compose(inserted -> inserted ? retired.contains(transaction, slug, id) : Future.succeededFuture(true))
                .compose(isTaken ->
                        isTaken ? projects.withdraw(transaction, id).map(false) : Future.succeededFuture(true));
    }

    private Future<Void> addKey(SqlClient transaction, ApiKey key, Instant now) {
        return apiKeys.insert(transaction, key.project(), UuidCreator.getTimeOrderedEpoch(), key, null, now);
    }
}
