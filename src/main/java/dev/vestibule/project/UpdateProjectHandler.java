package dev.vestibule.project;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.WebUrl;
import dev.vestibule.project.ProjectStore.Update;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code PATCH /v1/dashboard/projects/:projectId}: changes the given settings, with effect from the next request. */
public final class UpdateProjectHandler implements ApiHandler {
    private static final int MAX_ORIGINS = 100;
    private static final int MIN_ACCESS_TTL = 60;
    private static final int MAX_ACCESS_TTL = 86_400;
    private static final int MIN_SESSION_LIFETIME = 300;
    private static final int MAX_SESSION_LIFETIME = 31_536_000;
    private static final int MAX_SESSIONS = 100;

    /** So many users are counted, and no more. */
    private static final int MAX_COUNTED = 10_000;

    private record Request(Update update, FactorSettingsStore.Update factors, boolean isConfirmed) {}

    /** All else says what proves who a user is, or where the proofs are sent. */
    private static final Set<String> HARMLESS =
            Set.of("name", "sessionConfig", "locale", "defaultCountry", "allowSelfDeletion", "confirm");

    private record Response(boolean success, ProjectResponse project) {}

    private final ProjectChanges changes;
    private final ProjectStore projects;
    private final FactorSettingsStore factors = new FactorSettingsStore();
    private final UserStore users;
    private final RecentSignIn recent;
    private final Auditor audit;
    private final Clock clock;

    public UpdateProjectHandler(
            ProjectChanges changes,
            ProjectStore projects,
            UserStore users,
            RecentSignIn recent,
            Auditor audit,
            Clock clock) {
        this.changes = changes;
        this.projects = projects;
        this.users = users;
        this.recent = recent;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var body = Body.of(ctx);
        var request = Fields.readStrictly(body, UpdateProjectHandler::request);
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
                                .map(UpdateProjectHandler::requireAWayToEnrol)
                                .compose(updated -> trail.record(
                                                transaction,
                                                AuditEvent.PROJECT_UPDATED,
                                                Target.project(project.value()),
                                                Map.of("fields", changed))
                                        .map(updated)))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("There is no such project.")))
                .map(updated -> Reply.ok(new Response(
                        true, ProjectResponse.of(updated, Caller.role(ctx).text()))));
    }

    /**
     * Asks back before a setting keeps users out who can sign in now. Users who sign up at this moment are not counted: they
     * have just been mailed a code, like all who will sign up from then on.
     */
    private Future<Void> requireConfirmation(SqlClient transaction, ProjectId project, Request request) {
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

    private static Request request(Fields fields) {
        return new Request(
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
}
