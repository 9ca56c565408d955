package dev.vestibule;

import dev.vestibule.access.Authenticator;
import dev.vestibule.authentication.TokenRefresh;
import dev.vestibule.authentication.dashboard.RegistrationPolicy;
import dev.vestibule.authentication.email.EmailVerification;
import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectCreation;
import dev.vestibule.project.SystemProject;
import dev.vestibule.project.member.MemberChanges;
import dev.vestibule.server.Services;

/** Builds what the handlers of one event loop are made of. */
final class LoopServices {
    private LoopServices() {}

    static Services of(App app, Database database) {
        return new Services(
                database,
                app.hashingPool,
                app.users,
                app.userLists,
                app.userTotals,
                app.sessionLists,
                app.revocations,
                app.sessionChanges,
                app.events,
                app.webhooks,
                app.signingKeys,
                app.members,
                new MemberChanges(database, app.projects, app.members),
                app.projects,
                app.apiKeys,
                app.settings.projects().maxKeys(),
                new ProjectChanges(database, app.feed),
                app.brandingStore,
                app.brandings,
                app.providers,
                app.oauth.handlers(database, app.sessions),
                app.keySets,
                app.passwords(database),
                app.hasher,
                app.importSlots,
                app.settings.imports(),
                new EmailVerification(
                        database, app.mails.codes(), app.users, app.sessionChanges, app.events, app.issuer, app.clock),
                app.mails.outbox(),
                new TokenRefresh(
                        database,
                        app.sessions,
                        app.sessionChanges,
                        app.refreshTokens,
                        app.issuer,
                        app.clock,
                        app.settings.sessions().refreshGrace()),
                new SystemProject(database, app.directory),
                new RegistrationPolicy(app.settings.dashboard().registration(), app.projects, app.users),
                new ProjectCreation(app.projects, app.apiKeys),
                new Authenticator(
                        database,
                        app.directory,
                        app.accessTokens,
                        app.refreshTokens,
                        app.sessions,
                        app.members,
                        app.keyUses,
                        app.clock),
                app.limits,
                app.addresses,
                app.devices,
                app.description,
                app.clock);
    }
}
