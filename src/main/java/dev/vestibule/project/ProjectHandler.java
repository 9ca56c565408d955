package dev.vestibule.project;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.http.Body;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.WebUrl;
import dev.vestibule.project.ProjectCreation.CreatedProject;
import dev.vestibule.project.ProjectStore.Update;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.project.member.MemberStore.ProjectItem;
import dev.vestibule.project.member.Role;
import dev.vestibule.token.SigningKeyStore;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.webhook.WebhookStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Projects, {@code /v1/dashboard/projects}: an operation a method. */
public final class ProjectHandler {
    private static final int MAX_ORIGINS = 100;
    private static final int MIN_ACCESS_TTL = 60;
    private static final int MAX_ACCESS_TTL = 86_400;
    private static final int MIN_SESSION_LIFETIME = 300;
    private static final int MAX_SESSION_LIFETIME = 31_536_000;
    private static final int MAX_SESSIONS = 100;

    /** So many users are counted, and no more. */
    private static final int MAX_COUNTED = 10_000;

    /** All else says what proves who a user is, or where the proofs are sent. */
    private static final Set<String> HARMLESS =
            Set.of("name", "sessionConfig", "locale", "defaultCountry", "allowSelfDeletion", "confirm");

    private final Database database;
    private final ProjectChanges changes;
    private final ProjectStore projects = new ProjectStore();
    private final ApiKeyStore apiKeys = new ApiKeyStore();
    private final FactorSettingsStore factors = new FactorSettingsStore();
    private final MemberStore members = new MemberStore();
    private final UserStore users = new UserStore();
    private final ProjectCreation creation;
    private final SigningKeyStore signingKeys;
    private final WebhookStore webhooks;
    private final int maxProjects;
    private final RecentSignIn recent;
    private final Auditor audit;
    private final Clock clock;

    ProjectHandler(
            Database database,
            ProjectChanges changes,
            SigningKeyStore signingKeys,
            WebhookStore webhooks,
            int maxProjects,
            Auditor audit,
            Clock clock) {
        this.database = database;
        this.changes = changes;
        this.creation = new ProjectCreation(projects, apiKeys, new RetiredSlugs(clock));
        this.signingKeys = signingKeys;
        this.webhooks = webhooks;
        this.maxProjects = maxProjects;
        this.recent = new RecentSignIn(clock);
        this.audit = audit;
        this.clock = clock;
    }

    private record ProjectPage(List<ProjectItem> projects, long total) {}

    /** {@code GET /v1/dashboard/projects}: a page of the projects that the caller is a member of, newest first. */
    public Future<Reply> list(RoutingContext ctx) {
        var user = Caller.user(ctx).user().id();
        var page = Query.read(ctx, Query::page);
        var total = members.countProjectsOf(database.writes(), user);
        return members.projectsOf(database.writes(), user, page)
                .compose(found -> total.map(count -> Reply.ok(new ProjectPage(found, count))));
    }

    private record CreateRequest(String name, @Nullable Environment environment) {}

    /**
     * {@code POST /v1/dashboard/projects}: creates a project that the caller owns, and returns its secret key, the only
     * time.
     */
    public Future<Reply> create(RoutingContext ctx) {
        var request = Fields.readStrictly(
                Body.of(ctx),
                fields -> new CreateRequest(
                        fields.required("name", ProjectFields::name), fields.optional("environment", Environment::of)));
        return create(audit.of(ctx), Caller.user(ctx).user().id(), request).map(Reply::created);
    }

    private Future<CreatedProject> create(AuditTrail trail, UserId owner, CreateRequest request) {
        var now = clock.instant();
        var environment = Objects.requireNonNullElse(request.environment(), Environment.LIVE);
        return database.inTransaction(transaction -> requireRoom(transaction, owner)
                .compose(allowed -> creation.create(transaction, request.name(), environment, now))
                .compose(project -> members.add(transaction, project.id(), owner, Role.OWNER, now)
                        .compose(added -> signingKeys.add(transaction, project.id(), now))
                        .compose(added -> trail.in(project.id())
                                .record(
                                        transaction,
                                        AuditEvent.PROJECT_CREATED,
                                        Target.project(project.id().value())))
                        .map(added -> project)));
    }

    private Future<Void> requireRoom(SqlClient transaction, UserId owner) {
        return members.lockAndCountOwnedBy(transaction, owner)
                .compose(owned -> owned < maxProjects
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.conflict("You own " + owned
                                + " projects, as many as the server's setting dashboard.maxProjects allows."
                                + " Delete one of them first.")));
    }

    /** {@code GET /v1/dashboard/projects/:projectId}: a project's settings. */
    public Future<Reply> get(RoutingContext ctx) {
        return Future.succeededFuture(Reply.ok(
                ProjectResponse.of(Caller.project(ctx), Caller.role(ctx).text())));
    }

    private record UpdateRequest(Update update, FactorSettingsStore.Update factors, boolean isConfirmed) {}

    private record Updated(boolean success, ProjectResponse project) {}

    /**
     * {@code PATCH /v1/dashboard/projects/:projectId}: changes the given settings, with effect from the next request.
     */
    public Future<Reply> update(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var body = Body.of(ctx);
        var request = Fields.readStrictly(body, ProjectHandler::updateRequest);
        var trail = audit.of(ctx);
        var changed = Body.names(body);
        recent.requireOfPerson(ctx, changed, HARMLESS);
        return changes.inTransaction(
                        project,
                        transaction -> requireConfirmation(transaction, project, request)
                                .compose(allowed ->
                                        factors.update(transaction, project, request.factors(), clock.instant()))
                                .compose(done ->
                                        projects.update(transaction, project, request.update(), clock.instant()))
                                .map(ProjectHandler::requireAWayToEnrol)
                                .compose(updated -> trail.record(
                                                transaction,
                                                AuditEvent.PROJECT_UPDATED,
                                                Target.project(project.value()),
                                                Map.of("fields", changed))
                                        .map(updated)))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("There is no such project.")))
                .map(updated -> Reply.ok(new Updated(
                        true, ProjectResponse.of(updated, Caller.role(ctx).text()))));
    }

    /**
     * Asks back before a setting keeps users out who can sign in now. Users who sign up at this moment are not counted:
     * they have just been mailed a code, like all who will sign up from then on.
     */
    private Future<Void> requireConfirmation(SqlClient transaction, ProjectId project, UpdateRequest request) {
        if (request.isConfirmed()
                || !Boolean.TRUE.equals(
                        request.update().requireEmailVerification().value())) {
            return Future.succeededFuture();
        }
        return projects.lock(transaction, project)
                .compose(locked -> projects.find(transaction, project))
                .compose(
                        found -> found.filter(Project::requireEmailVerification).isPresent()
                                ? Future.succeededFuture(0L)
                                : users.countToVerify(transaction, project, MAX_COUNTED + 1))
                .map(toVerify -> {
                    if (toVerify > 0) {
                        throw ApiException.invalid(List.of(new Violation("confirm", lockedOut(toVerify))));
                    }
                    return null;
                });
    }

    /** Or users who lack the second factor could neither sign in nor set it up. */
    private static Optional<Project> requireAWayToEnrol(Optional<Project> updated) {
        if (updated.map(Project::factors)
                .filter(settings -> settings.requiresMfa() && !settings.totp())
                .isPresent()) {
            throw ApiException.invalid(
                    List.of(new Violation("requireMfa", "needs factors.totp, or nobody could set up a second factor")));
        }
        return updated;
    }

    private static String lockedOut(long users) {
        var count = users > MAX_COUNTED
                ? String.format(Locale.ROOT, "more than %,d users have", MAX_COUNTED)
                : users == 1 ? "1 user has" : String.format(Locale.ROOT, "%,d users have", users);
        return "must be true: " + count
                + " not verified the email, and could not sign in with the password before that";
    }

    private static UpdateRequest updateRequest(Fields fields) {
        return new UpdateRequest(
                update(fields),
                FactorSettingsStore.Update.read(fields),
                Boolean.TRUE.equals(fields.optional("confirm", FieldType.bool())));
    }

    private static Update update(Fields fields) {
        var config = fields.object("sessionConfig");
        return new Update(
                fields.replacement("name", ProjectFields::name),
                fields.change("callbackUrl", WebUrl::absolute),
                fields.replacement("allowedOrigins", FieldType.strings(MAX_ORIGINS, ProjectFields::origin)),
                config.change("accessTokenTtl", FieldType.integer(MIN_ACCESS_TTL, MAX_ACCESS_TTL)),
                config.replacement("refreshTokenTtl", FieldType.integer(MIN_SESSION_LIFETIME, MAX_SESSION_LIFETIME)),
                config.replacement("maxLifetime", FieldType.integer(MIN_SESSION_LIFETIME, MAX_SESSION_LIFETIME)),
                config.replacement("maxConcurrentSessions", FieldType.integer(1, MAX_SESSIONS)),
                fields.replacement("requireEmailVerification", FieldType.bool()),
                fields.change("locale", Language::of),
                fields.change("passwordResetUrl", WebUrl::absolute),
                fields.replacement("requireRecentSignIn", FieldType.integer(0, MAX_SESSION_LIFETIME)),
                fields.change("defaultCountry", ProjectFields::country),
                fields.replacement("allowSelfDeletion", FieldType.bool()),
                fields.change("emailUndoUrl", WebUrl::absolute),
                fields.replacement("securityNotices", FieldType.bool()));
    }

    /**
     * {@code DELETE /v1/dashboard/projects/:projectId}: hides the project and deletes its keys, members and webhook
     * endpoints in one short transaction. {@link DeletedProjects} removes the rest in the background.
     */
    public Future<Reply> delete(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        if (project.equals(ProjectId.SYSTEM)) {
            throw ApiException.forbidden("The project of the dashboard users cannot be deleted.");
        }
        var trail = audit.in(ProjectId.SYSTEM, ctx); // the project's own log goes with it
        return changes.inTransaction(
                        project,
                        transaction -> delete(transaction, project)
                                .compose(deleted -> trail.record(
                                        transaction, AuditEvent.PROJECT_DELETED, Target.project(project.value()))))
                .map(deleted -> Reply.success());
    }

    private Future<Void> delete(SqlClient transaction, ProjectId project) {
        return projects.delete(transaction, project, clock.instant())
                .compose(deleted -> apiKeys.deleteAll(transaction, project))
                .compose(deleted -> signingKeys.deleteAll(transaction, project))
                .compose(deleted -> members.removeAll(transaction, project))
                .compose(deleted -> webhooks.deleteAll(transaction, project));
    }
}
