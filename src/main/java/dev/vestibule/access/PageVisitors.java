package dev.vestibule.access;

import dev.vestibule.access.Caller.ProjectClient;
import dev.vestibule.database.Database;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.limits.Quota;
import dev.vestibule.limits.RateLimits;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.CachedProject;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Lets people in to the pages that this server has for a project, which they name by its slug. What they do there counts
 * for the same rate limits as if their application had called the API.
 */
public final class PageVisitors {
    private static final Pattern SLUG = Pattern.compile("[a-z0-9-]{1,200}");

    private final Database database;
    private final ProjectDirectory projects;
    private final ProjectStore slugs = new ProjectStore();
    private final RateLimits limits;
    private final ClientAddresses addresses;
    private final BadCredentials bad;

    PageVisitors(Database database, ProjectDirectory projects, RateLimits limits, ClientAddresses addresses) {
        this.database = database;
        this.projects = projects;
        this.limits = limits;
        this.addresses = addresses;
        this.bad = new BadCredentials(limits, addresses);
    }

    /**
     * The project, whose client the caller is from now on; empty if there is none. The built-in one has no pages. A
     * network has only so many look-ups of slugs that do not exist.
     */
    public Future<Optional<Project>> admit(RoutingContext ctx, String slug) {
        bad.requireSomeLeft(ctx.request());
        if (!SLUG.matcher(slug).matches()) {
            bad.count(ctx.request());
            return Future.succeededFuture(Optional.empty());
        }
        return slugs.findBySlug(database.reads(), slug)
                .map(found -> found.filter(id -> !id.equals(ProjectId.SYSTEM)))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.<CachedProject>empty())
                        : projects.find(database.reads(), found.get()))
                .map(found -> {
                    if (found.isEmpty()) {
                        bad.count(ctx.request());
                    }
                    return found.map(CachedProject::project);
                })
                .onSuccess(found ->
                        found.ifPresent(project -> Caller.put(ctx, new ProjectClient(project, ApiVariant.A))));
    }

    /** Counts what the visitor does; a 429 where it is too much. */
    public void count(RoutingContext ctx, Quota quota) {
        QuotaHandler.refusal(limits, quota, Caller.rateLimitScope(ctx), addresses.of(ctx.request()))
                .ifPresent(refusal -> {
                    throw refusal;
                });
    }
}
