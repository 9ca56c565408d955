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
     * network has only so many look-ups of slugs that do not exist; above it, it gets the pages that this node knows. Each
     * visit counts, since each reads a branding, and those of one network have a limit.
     */
    public Future<Optional<Project>> admit(RoutingContext ctx, String slug) {
        var isSlug = SLUG.matcher(slug).matches();
        if (!isSlug) {
            bad.requireSomeLeft(ctx.request());
        }
        return (isSlug
                        ? projects.findBySlug(database.reads(), slug, () -> bad.requireSomeLeft(ctx.request()))
                        : Future.succeededFuture(Optional.<CachedProject>empty()))
                .map(found -> {
                    var project = found.map(CachedProject::project)
                            .filter(any -> !any.id().equals(ProjectId.SYSTEM));
                    project.ifPresentOrElse(
                            known -> {
                                Caller.put(ctx, new ProjectClient(known, ApiVariant.A));
                                count(ctx, Quota.PAGE);
                            },
                            () -> bad.count(ctx.request()));
                    return project;
                });
    }

    /** Counts what the visitor does; a 429 where it is too much. */
    public void count(RoutingContext ctx, Quota quota) {
        QuotaHandler.refusal(limits, quota, Caller.rateLimitScope(ctx), addresses.of(ctx.request()))
                .ifPresent(refusal -> {
                    throw refusal;
                });
    }
}
