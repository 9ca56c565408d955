package dev.vestibule.token.template;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Uuids;
import dev.vestibule.project.ClaimRule;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.ActiveSessionStore.Live;
import dev.vestibule.session.SessionErrors;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Templates of claims, {@code /v1/backend/jwt-templates} and {@code /v1/dashboard/projects/:projectId/jwt-templates},
 * and tokens with their claims.
 */
public final class JwtTemplateHandler {
    private static final int MAX_TEMPLATES = 50;

    private final Database database;
    private final ProjectChanges changes;
    private final ProjectStore projects = new ProjectStore();
    private final JwtTemplateStore templates = new JwtTemplateStore();
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final ActiveSessionStore activeSessions = new ActiveSessionStore();
    private final TokenIssuer issuer;
    private final Clock clock;

    public JwtTemplateHandler(
            Database database, ProjectChanges changes, SessionStore sessions, TokenIssuer issuer, Clock clock) {
        this.database = database;
        this.changes = changes;
        this.sessions = sessions;
        this.issuer = issuer;
        this.clock = clock;
    }

    /** {@code GET /v1/backend/jwt-templates}: the project's templates as a bare list, oldest first. */
    public Future<Reply> list(ApiRequest request) {
        return templates.list(database.writes(), request.project().id()).map(Reply::ok);
    }

    /** {@code POST /v1/backend/jwt-templates}: creates a template; a project's first one becomes its default. */
    public Future<Reply> create(ApiRequest request) {
        var project = request.project().id();
        var fields = request.allFields(JwtTemplateFields::read);
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> create(transaction, project, fields)
                                .compose(created -> trail.record(
                                                transaction,
                                                Logged.JWT_TEMPLATE_CREATED,
                                                Target.jwtTemplate(created.id()),
                                                Map.of("name", created.name(), "isDefault", created.isDefault()))
                                        .map(created)))
                .map(Reply::created);
    }

    /** Locks the project, so that only one of two concurrent first templates becomes the default. */
    private Future<JwtTemplate> create(SqlClient transaction, ProjectId project, JwtTemplateFields fields) {
        var id = UuidCreator.getTimeOrderedEpoch();
        return projects.lock(transaction, project)
                .compose(locked -> templates.count(transaction, project))
                .compose(count -> {
                    if (count >= MAX_TEMPLATES) {
                        throw ApiException.of(
                                ErrorCode.LIMIT_REACHED, "The project already has " + MAX_TEMPLATES + " templates.");
                    }
                    var isDefault = Objects.requireNonNullElse(fields.isDefault(), count == 0);
                    return (isDefault
                                    ? templates.clearDefault(transaction, project, id)
                                    : Future.<Void>succeededFuture())
                            .compose(cleared ->
                                    templates.insert(transaction, project, id, fields, isDefault, clock.instant()));
                });
    }

    /** {@code GET /v1/backend/jwt-templates/:templateId}. */
    public Future<Reply> get(ApiRequest request) {
        return templates
                .find(database.writes(), request.project().id(), request.pathId("templateId"))
                .map(found -> Reply.ok(found.orElseThrow(JwtTemplateHandler::notFound)));
    }

    /** {@code PUT /v1/backend/jwt-templates/:templateId}: replaces the template, with effect from the next token. */
    public Future<Reply> update(ApiRequest request) {
        var project = request.project().id();
        var template = request.pathId("templateId");
        var fields = request.allFields(JwtTemplateFields::read);
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> update(transaction, project, template, fields)
                                .compose(updated -> trail.record(
                                                transaction,
                                                Logged.JWT_TEMPLATE_UPDATED,
                                                Target.jwtTemplate(updated.id()),
                                                Map.of("name", updated.name(), "isDefault", updated.isDefault()))
                                        .map(updated)))
                .map(Reply::ok);
    }

    /** If the template is not found, the other one stays the default: the transaction is rolled back. */
    private Future<JwtTemplate> update(
            SqlClient transaction, ProjectId project, UUID template, JwtTemplateFields fields) {
        return projects.lock(transaction, project)
                .compose(locked -> Boolean.TRUE.equals(fields.isDefault())
                        ? templates.clearDefault(transaction, project, template)
                        : Future.succeededFuture())
                .compose(cleared -> templates.update(transaction, project, template, fields, clock.instant()))
                .map(found -> found.orElseThrow(JwtTemplateHandler::notFound));
    }

    /**
     * {@code DELETE /v1/backend/jwt-templates/:templateId}: new tokens no longer contain its claims, if it was the
     * default.
     */
    public Future<Reply> delete(ApiRequest request) {
        var project = request.project().id();
        var template = request.pathId("templateId");
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> projects.lock(transaction, project)
                                .compose(locked -> templates.delete(transaction, project, template))
                                .compose(deleted -> deleted
                                        ? trail.record(
                                                transaction, Logged.JWT_TEMPLATE_DELETED, Target.jwtTemplate(template))
                                        : Future.failedFuture(notFound())))
                .map(deleted -> Reply.success());
    }

    private record PreviewRequest(UserId user, List<ClaimRule> claims) {
        static PreviewRequest read(Fields fields) {
            var claims = JwtTemplateFields.claims(fields);
            return new PreviewRequest(fields.required("userId", PreviewRequest::user), claims);
        }

        private static UserId user(String text) {
            return new UserId(
                    Uuids.parse(text).orElseThrow(() -> new InvalidValueException("must be the id of a user")));
        }
    }

    private record Preview(Map<String, Object> claims) {}

    /** {@code POST …/jwt-templates/preview}: the claims that a draft of a template gives a user now. */
    public Future<Reply> preview(ApiRequest request) {
        var input = request.allFields(PreviewRequest::read);
        return users.find(database.reads(), request.project().id(), input.user())
                .map(found -> found.orElseThrow(UserErrors::notFound).user())
                .map(user -> Reply.ok(new Preview(issuer.claimsFor(user, input.claims()))));
    }

    /**
     * {@code POST /v1/backend/sessions/:sessionId/token}: an access token of a live session, with a template's claims.
     */
    public Future<Reply> issue(ApiRequest request) {
        var project = request.project();
        var session = new SessionId(request.pathId("sessionId"));
        var name = request.allFields(fields -> fields.required("template", JwtTemplateFields::name));
        var now = clock.instant();
        return activeSessions
                .findLive(database.reads(), project.id(), session, now)
                .map(found -> found.orElseThrow(SessionErrors::notFound))
                .compose(live -> sessions.requireCurrent(
                                project.id(), session, live.person(), now, SessionErrors::notFound)
                        .map(live))
                .compose(live -> templates
                        .findByName(database.writes(), project.id(), name)
                        .map(found -> found.orElseThrow(JwtTemplateHandler::notFound))
                        .compose(template -> issue(project, session, live, template)))
                .map(Reply::ok);
    }

    private Future<TokenIssuer.IssuedAccessToken> issue(
            Project project, SessionId session, Live live, JwtTemplate template) {
        return issuer.issueAccessToken(
                database.reads(),
                project,
                session,
                live.person(),
                template.claims(),
                lifetime(template.allowedLifetime(), project, live));
    }

    private Duration lifetime(@Nullable Integer allowed, Project project, Live live) {
        var asked = allowed == null ? project.accessTokenTtl(live.variant()) : Duration.ofSeconds(allowed);
        var left = Duration.between(clock.instant(), live.expiresAt());
        return asked.compareTo(left) < 0 ? asked : left;
    }

    private static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such template.");
    }
}
