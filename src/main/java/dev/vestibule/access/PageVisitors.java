package dev.vestibule.access;

import dev.vestibule.access.Caller.SetupVisitor;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.captcha.CaptchaPurpose;
import dev.vestibule.database.Database;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.limits.Quota;
import dev.vestibule.http.limits.RateLimits;
import dev.vestibule.project.CachedProject;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.token.AccessToken;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The visitors of the pages that this server hosts for a project; the slug in the URL names the project. What they do
 * there counts towards the same rate limits as if their application had called the API.
 */
public final class PageVisitors {
    private static final Pattern SLUG = Pattern.compile("[a-z0-9-]{1,200}");

    private final Database database;
    private final ProjectDirectory projects;
    private final RateLimits limits;
    private final ClientAddresses addresses;
    private final BadCredentials bad;
    private final CaptchaGuard captcha;
    private final Clock clock;

    PageVisitors(
            Database database,
            ProjectDirectory projects,
            RateLimits limits,
            ClientAddresses addresses,
            CaptchaGuard captcha,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.limits = limits;
        this.addresses = addresses;
        this.captcha = captcha;
        this.clock = clock;
        this.bad = new BadCredentials(limits, addresses);
    }

    /**
     * The project with this slug, empty if there is none; the caller then counts as its client. The built-in project
     * has no pages. Look-ups of unknown slugs are limited for each network; beyond the limit, it only gets pages of
     * projects that this node has cached. Each visit counts towards the network's limit, since each one reads a
     * branding.
     */
    public Future<Optional<Project>> resolveProject(ApiRequest request, String slug) {
        var isSlug = SLUG.matcher(slug).matches();
        if (!isSlug) {
            bad.requireTriesLeft(request.http());
        }
        return (isSlug
                        ? projects.findBySlug(database, slug, () -> bad.requireTriesLeft(request.http()))
                        : Future.succeededFuture(Optional.<CachedProject>empty()))
                .map(found -> {
                    var project = found.map(CachedProject::project)
                            .filter(any -> !any.id().equals(ProjectId.SYSTEM));
                    project.ifPresentOrElse(
                            known -> {
                                request.enter(known);
                                count(request, Quota.PAGE);
                            },
                            () -> bad.count(request.http()));
                    return project;
                });
    }

    /** The visitor is this person from now on, with the rights that an access token of the session would give. */
    public void signIn(ApiRequest request, User user, SessionId session, Authentication authentication) {
        var now = clock.instant();
        request.enter(new SignedIn(
                request.project(),
                new AccessToken(
                        user.projectId(),
                        user.id(),
                        session,
                        now,
                        now,
                        authentication.at(),
                        authentication.methods(),
                        authentication.impersonator(),
                        null,
                        false),
                user));
    }

    /**
     * The visitor has the setup link of this organization, whose operations then act on it as the member who has made
     * the link would, or as management does if that has made it.
     */
    public void setUp(ApiRequest request, UUID organization, @Nullable UserId maker) {
        request.enter(new SetupVisitor(request.project(), organization, maker));
        request.replacePathParam("organizationId", organization.toString());
    }

    /** Counts what the visitor does; a 429 if it is too much. */
    public void count(ApiRequest request, Quota quota) {
        QuotaHandler.refusal(limits, quota, Caller.rateLimitScope(request.context()), addresses.of(request.http()))
                .ifPresent(refusal -> {
                    throw refusal;
                });
    }

    /** Fails if what the visitor does needs the solution of a captcha, and has none that is right. */
    public Future<Void> requireCaptcha(ApiRequest request, CaptchaPurpose purpose) {
        return captcha.check(request.context(), purpose);
    }
}
