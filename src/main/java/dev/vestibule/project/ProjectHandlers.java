package dev.vestibule.project;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.database.Database;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.project.statistics.GetProjectStatisticsHandler;
import dev.vestibule.token.SigningKeyStore;
import dev.vestibule.user.UserStore;
import dev.vestibule.webhook.WebhookStore;
import java.time.Clock;

/** The operations on projects and their API keys, for one event loop. */
public record ProjectHandlers(
        ListProjectsHandler list,
        CreateProjectHandler create,
        GetProjectHandler get,
        UpdateProjectHandler update,
        DeleteProjectHandler delete,
        ListKeysHandler listKeys,
        CreateKeyHandler createKey,
        UpdateKeyHandler updateKey,
        RevokeKeyHandler revokeKey,
        GetProjectStatisticsHandler statistics) {
    ProjectHandlers(
            Database database,
            ProjectChanges changes,
            ProjectStore projects,
            ApiKeyStore apiKeys,
            SigningKeyStore signingKeys,
            WebhookStore webhooks,
            int maxKeys,
            int maxProjects,
            Auditor audit,
            Clock clock) {
        this(
                new ListProjectsHandler(database, new MemberStore()),
                new CreateProjectHandler(
                        database,
                        new ProjectCreation(projects, apiKeys, new RetiredSlugs(clock)),
                        new MemberStore(),
                        signingKeys,
                        maxProjects,
                        audit,
                        clock),
                new GetProjectHandler(),
                new UpdateProjectHandler(changes, projects, new UserStore(), new RecentSignIn(clock), audit, clock),
                new DeleteProjectHandler(
                        changes, projects, apiKeys, signingKeys, new MemberStore(), webhooks, audit, clock),
                new ListKeysHandler(database, apiKeys),
                new CreateKeyHandler(changes, projects, apiKeys, maxKeys, audit, clock),
                new UpdateKeyHandler(database, apiKeys, audit),
                new RevokeKeyHandler(changes, apiKeys, audit),
                new GetProjectStatisticsHandler(database, clock));
    }
}
