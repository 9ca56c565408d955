package dev.vestibule.token.template;

import dev.vestibule.access.Auditor;
import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.token.TokenIssuer;
import java.time.Clock;

/** The operations on templates, for one event loop. */
public record JwtTemplateHandlers(
        ListJwtTemplatesHandler list,
        CreateJwtTemplateHandler create,
        GetJwtTemplateHandler get,
        UpdateJwtTemplateHandler update,
        DeleteJwtTemplateHandler delete,
        IssueSessionTokenHandler issue) {
    public static JwtTemplateHandlers of(
            Database database, ProjectChanges changes, TokenIssuer issuer, Auditor audit, Clock clock) {
        var templates = new JwtTemplateStore();
        var projects = new ProjectStore();
        return new JwtTemplateHandlers(
                new ListJwtTemplatesHandler(database, templates),
                new CreateJwtTemplateHandler(changes, projects, templates, audit, clock),
                new GetJwtTemplateHandler(database, templates),
                new UpdateJwtTemplateHandler(changes, projects, templates, audit, clock),
                new DeleteJwtTemplateHandler(changes, templates, audit),
                new IssueSessionTokenHandler(database, templates, new ActiveSessionStore(), issuer, clock));
    }
}
