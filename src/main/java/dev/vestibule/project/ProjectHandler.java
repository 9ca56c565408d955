package dev.vestibule.project;

import dev.vestibule.access.Administrators;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.captcha.SiteSecretStore;
import dev.vestibule.database.Database;
import dev.vestibule.database.Entered;
import dev.vestibule.database.Shard;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.Violation;
import dev.vestibule.http.Body;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectCreation.CreatedProject;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.project.member.MemberStore.ProjectItem;
import dev.vestibule.project.member.Role;
import dev.vestibule.token.SigningKeyStore;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.webhook.WebhookStore;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Projects, {@code /v1/dashboard/projects}: one method per operation. */
public final class ProjectHandler {
    /** The count of users stops here. */
    private static final int MAX_COUNTED = 10_000;

    private static final String CONFIRM = "confirm";

    private static final Set<String> HARMLESS =
            Stream.concat(ProjectMapping.HARMLESS.stream(), Stream.of(CONFIRM)).collect(Collectors.toUnmodifiableSet());

    private final Database database;
    private final ProjectChanges changes;
    private final UserCounts counts;
    private final ProjectStore projects = new ProjectStore();
    private final MemberStore members = new MemberStore();
    private final UserStore users = new UserStore();
    private final ProjectCreation creation;
    private final SlugChange slugs;
    private final SigningKeyStore signingKeys;
    private final WebhookStore webhooks;
    private final ApiKeyStore apiKeys = new ApiKeyStore();
    private final int maxProjects;
    private final Administrators administrators;
    private final RecentSignIn recent;
    private final Clock clock;

    ProjectHandler(
            Database database,
            ProjectChanges changes,
            SigningKeyStore signingKeys,
            WebhookStore webhooks,
            Shard newProjects,
            int maxProjects,
            Administrators administrators,
            Clock clock) {
        this.database = database;
        this.changes = changes;
        this.counts = new UserCounts(database);
        var retired = new RetiredSlugStore(clock);
        this.creation = new ProjectCreation(database, projects, apiKeys, retired, newProjects);
        this.slugs = new SlugChange(projects, retired);
        this.signingKeys = signingKeys;
        this.webhooks = webhooks;
        this.maxProjects = maxProjects;
        this.administrators = administrators;
        this.recent = new RecentSignIn(clock);
        this.clock = clock;
    }

    private record ProjectPage(List<ProjectItem> projects, long total, boolean isAdministrator) {}

    /** {@code GET /v1/dashboard/projects}: a page of the projects that the caller is a member of, newest first. */
    public Future<Reply> list(ApiRequest request) {
        var caller = request.user().user();
        var user = caller.id();
        var page = request.query(Query::page);
        var home = database.home();
        var total = members.countProjectsOf(home.writes(), user);
        return members.projectsOf(home.writes(), user, page)
                .compose(found -> counts.complete(found, ProjectItem::place, ProjectItem::withUserCount))
                .compose(found ->
                        total.map(count -> Reply.ok(new ProjectPage(found, count, administrators.include(caller)))));
    }

    private record CreateRequest(
            String name, @Nullable String slug, @Nullable Environment environment) {}

    /**
     * {@code POST /v1/dashboard/projects}: creates a project that the caller owns, and returns its secret key, only
     * this once.
     */
    public Future<Reply> create(ApiRequest request) {
        var input = request.allFields(fields -> new CreateRequest(
                fields.required("name", ProjectFields::name),
                fields.optional("slug", Slug::check),
                fields.optional("environment", Environment::of)));
        return create(request.trail(), request.user().user().id(), input).map(Reply::created);
    }

    private Future<CreatedProject> create(Trail trail, UserId owner, CreateRequest input) {
        var now = clock.instant();
        var environment = Objects.requireNonNullElse(input.environment(), Environment.LIVE);
        var id = ProjectId.next();
        return changes.homeLast(
                creation.place(),
                id,
                now,
                home -> requireRoom(home, owner)
                        .compose(allowed -> creation.reserve(home, id, input.name(), input.slug(), environment, now))
                        .compose(reserved -> members.add(home, id, owner, Role.OWNER, now)
                                .compose(added -> creation.fill(
                                        home,
                                        reserved,
                                        now,
                                        transaction -> signingKeys
                                                .add(transaction, id, now)
                                                .compose(keyed -> trail.in(id)
                                                        .record(
                                                                transaction,
                                                                Logged.PROJECT_CREATED,
                                                                Target.project(id.value())))))));
    }

    private Future<Void> requireRoom(SqlClient transaction, UserId owner) {
        return members.lockAndCountOwnedBy(transaction, owner)
                .compose(owned -> owned < maxProjects
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.LIMIT_REACHED,
                                "You own " + owned
                                        + " projects, as many as the server's setting dashboard.maxProjects allows."
                                        + " Delete one of them first.")));
    }

    /** {@code GET /v1/dashboard/projects/:projectId}: a project's settings. */
    public Future<Reply> get(ApiRequest request) {
        return Future.succeededFuture(Reply.ok(
                ProjectMapping.response(request.project(), request.role().text())));
    }

    private record UpdateRequest(JsonObject changes, boolean isConfirmed) {
        private @Nullable String name() {
            return changes.getString("name");
        }

        private @Nullable String slug() {
            return changes.getString("slug");
        }

        /** Whether users with an unverified email cannot sign in from now on. */
        private boolean requiresEmailVerification() {
            return changes.getBoolean(Project.REQUIRE_EMAIL_VERIFICATION, false);
        }
    }

    private record UpdateResponse(boolean success, Map<String, @Nullable Object> project) {}

    /**
     * {@code PATCH /v1/dashboard/projects/:projectId}: changes the given settings, which apply from the next request.
     */
    public Future<Reply> update(ApiRequest request) {
        var project = request.project().id();
        var body = request.body();
        var now = clock.instant();
        var input = Fields.readStrictly(body, fields -> updateRequest(fields, now));
        var trail = request.trail();
        var changed = Body.names(body);
        recent.requireForDashboardUser(request, changed, HARMLESS);
        return update(
                        project,
                        input,
                        now,
                        transaction -> requireConfirmation(transaction, project, input)
                                .compose(allowed -> takeSlug(transaction, project, input))
                                .compose(slugSet -> projects.update(transaction, project, input.changes(), now))
                                .map(ProjectHandler::requireEnrolmentMethod)
                                .compose(updated -> requireCaptchaAccount(transaction, updated))
                                .compose(updated -> trail.record(
                                                transaction,
                                                Logged.PROJECT_UPDATED,
                                                Target.project(project.value()),
                                                Map.of("fields", changed))
                                        .map(updated)))
                .map(found ->
                        found.orElseThrow(() -> ApiException.of(ErrorCode.NOT_FOUND, "There is no such project.")))
                .map(updated -> Reply.ok(new UpdateResponse(
                        true, ProjectMapping.response(updated, request.role().text()))));
    }

    /** Of a project that is elsewhere, home knows the name and the slug too, and decides whether it can have that. */
    private <T> Future<T> update(
            ProjectId project, UpdateRequest input, Instant now, Function<SqlConnection, Future<T>> work) {
        if (database.isAtHome() || (input.name() == null && input.slug() == null)) {
            return changes.inTransaction(project, work);
        }
        return changes.homeLast(
                Entered.here(),
                project,
                now,
                home -> changeSlug(home, project, input)
                        .compose(set -> input.name() == null
                                ? Future.succeededFuture()
                                : projects.rename(home, project, input.name()))
                        .compose(known -> changes.inTransaction(project, work)));
    }

    private Future<Void> changeSlug(SqlClient atHome, ProjectId project, UpdateRequest input) {
        return input.slug() == null ? Future.succeededFuture() : slugs.apply(atHome, project, input.slug());
    }

    /** In the project's own database. */
    private Future<Void> takeSlug(SqlClient transaction, ProjectId project, UpdateRequest input) {
        if (database.isAtHome()) {
            return changeSlug(transaction, project, input);
        }
        return input.slug() == null ? Future.succeededFuture() : projects.freeSlug(transaction, project, input.slug());
    }

    /**
     * Requires a confirmation before a setting locks out users who can sign in now. Does not count users who sign up at
     * this moment: they have just been mailed a code, like everybody who signs up later.
     */
    private Future<Void> requireConfirmation(SqlClient transaction, ProjectId project, UpdateRequest input) {
        if (input.isConfirmed() || !input.requiresEmailVerification()) {
            return Future.succeededFuture();
        }
        return projects.lock(transaction, project)
                .compose(locked -> projects.find(transaction, project))
                .compose(found -> found.filter(is -> is.project().requireEmailVerification())
                                .isPresent()
                        ? Future.succeededFuture(0L)
                        : users.countToVerify(transaction, project, MAX_COUNTED + 1))
                .map(toVerify -> {
                    if (toVerify > 0) {
                        throw ApiException.invalid(List.of(new Violation(CONFIRM, lockedOut(toVerify))));
                    }
                    return null;
                });
    }

    /** Otherwise users without the second factor could neither sign in nor set it up. */
    private static Optional<Project> requireEnrolmentMethod(Optional<Project> updated) {
        if (updated.map(Project::factors)
                .filter(settings -> settings.requiresMfa() && !settings.totp())
                .isPresent()) {
            throw ApiException.invalid(
                    List.of(new Violation("requireMfa", "needs factors.totp, or nobody could set up a second factor")));
        }
        return updated;
    }

    /** Otherwise nobody could sign up: the provider would verify nothing. */
    private static Future<Optional<Project>> requireCaptchaAccount(SqlClient transaction, Optional<Project> updated) {
        if (updated.map(Project::bots)
                .filter(bots -> bots.provider() != CaptchaProvider.PROOF_OF_WORK)
                .isEmpty()) {
            return Future.succeededFuture(updated);
        }
        var project = updated.get();
        if (project.bots().siteKey() == null) {
            throw ApiException.invalid(List.of(new Violation("captcha.siteKey", "is required for this provider")));
        }
        return SiteSecretStore.exists(transaction, project.id()).map(exists -> {
            if (!exists) {
                throw ApiException.invalid(List.of(new Violation(
                        "captcha.provider", "needs its secret key first: PUT it to captcha-secret of this project")));
            }
            return updated;
        });
    }

    private static String lockedOut(long users) {
        var count = users > MAX_COUNTED
                ? String.format(Locale.ROOT, "more than %,d users have", MAX_COUNTED)
                : users == 1 ? "1 user has" : String.format(Locale.ROOT, "%,d users have", users);
        return "must be true: " + count
                + " not verified the email, and could not sign in with the password before that";
    }

    private static UpdateRequest updateRequest(Fields fields, Instant now) {
        return new UpdateRequest(
                ProjectMapping.changes(fields, now), Boolean.TRUE.equals(fields.optional(CONFIRM, FieldType.bool())));
    }

    /**
     * {@code DELETE /v1/dashboard/projects/:projectId}: hides the project and deletes its keys, members and webhook
     * endpoints in one short transaction. {@link DeletedProjects} removes the rest in the background.
     */
    public Future<Reply> delete(ApiRequest request) {
        var project = request.project().id();
        if (project.equals(ProjectId.SYSTEM)) {
            throw ApiException.of(ErrorCode.SYSTEM_PROJECT, "The project of the dashboard users cannot be deleted.");
        }
        var trail = request.trailIn(ProjectId.SYSTEM); // the project's own log is deleted with it
        return (database.isAtHome()
                        ? changes.inTransaction(
                                project,
                                home -> deleteAtHome(trail, home, project)
                                        .compose(deleted -> removeAccess(home, project)))
                        : deleteElsewhere(trail, project)
                                .recover(failure -> failure instanceof ApiException
                                        ? Future.failedFuture(failure)
                                        : deleteElsewhere(trail, project)))
                .map(deleted -> Reply.success());
    }

    /**
     * The project's database commits first, so that no key of a deleted project is valid. It is tried twice: if home's
     * commit fails, nobody could delete there what is hidden here.
     */
    private Future<Void> deleteElsewhere(Trail trail, ProjectId project) {
        return database.home()
                .inTransaction(home -> deleteAtHome(trail, home, project)
                        .compose(deleted -> changes.inTransaction(
                                project,
                                transaction -> projects.hide(transaction, project, clock.instant())
                                        .compose(hidden -> removeAccess(transaction, project)))));
    }

    /** Where the members are, and the slugs that nobody else can have. */
    private Future<Void> deleteAtHome(Trail trail, SqlConnection home, ProjectId project) {
        return projects.delete(home, project, clock.instant())
                .compose(deleted -> members.removeAll(home, project))
                .compose(removed -> trail.record(home, Logged.PROJECT_DELETED, Target.project(project.value())));
    }

    /** Hides a project at home that was deleted in this database, which still counts as having it. */
    Future<Void> forgetAtHome(ProjectId project, Shard deletedIn) {
        return database.home()
                .inTransaction(home -> projects.lockStub(home, project)
                        .compose(known -> known.filter(stub -> stub.shard().equals(deletedIn))
                                        .isPresent()
                                ? projects.delete(home, project, clock.instant())
                                        .compose(deleted -> members.removeAll(home, project))
                                : Future.succeededFuture()));
    }

    /** The keys and webhook endpoints, from a database that the project has left, for another one or for good. */
    Future<Void> removeAccess(SqlClient transaction, ProjectId project) {
        return apiKeys.deleteAll(transaction, project)
                .compose(deleted -> signingKeys.deleteAll(transaction, project))
                .compose(deleted -> webhooks.deleteAll(transaction, project));
    }
}
