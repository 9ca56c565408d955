package dev.vestibule.token.template;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.ActiveSessionStore.Live;
import dev.vestibule.session.SessionErrors;
import dev.vestibule.session.SessionId;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/backend/sessions/:sessionId/token}: an access token of a live session, with a template's claims. */
public final class IssueSessionTokenHandler implements ApiHandler {
    private final Database database;
    private final JwtTemplateStore templates;
    private final ActiveSessionStore sessions;
    private final TokenIssuer issuer;
    private final Clock clock;

    IssueSessionTokenHandler(
            Database database,
            JwtTemplateStore templates,
            ActiveSessionStore sessions,
            TokenIssuer issuer,
            Clock clock) {
        this.database = database;
        this.templates = templates;
        this.sessions = sessions;
        this.issuer = issuer;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var session = new SessionId(PathId.of(ctx, "sessionId"));
        var name = Fields.readStrictly(Body.of(ctx), fields -> fields.required("template", JwtTemplateFields::name));
        return sessions.findLive(database.reads(), project.id(), session, clock.instant())
                .map(found -> found.orElseThrow(SessionErrors::notFound))
                .compose(live -> templates
                        .named(database.writes(), project.id(), name)
                        .map(found -> found.orElseThrow(JwtTemplateErrors::notFound))
                        .compose(template -> issue(project, session, live, template)))
                .map(Reply::ok);
    }

    private Future<TokenIssuer.Issued> issue(Project project, SessionId session, Live live, JwtTemplate template) {
        return issuer.issueAccessToken(
                database.reads(),
                project,
                session,
                live.authentication(),
                live.user(),
                template.claims(),
                lifetime(template.allowedLifetime(), project, live));
    }

    private Duration lifetime(@Nullable Integer allowed, Project project, Live live) {
        var asked = allowed == null ? project.accessTokenTtl(live.variant()) : Duration.ofSeconds(allowed);
        var left = Duration.between(clock.instant(), live.expiresAt());
        return asked.compareTo(left) < 0 ? asked : left;
    }
}
