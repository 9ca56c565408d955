package dev.vestibule.page.hosted;

import dev.vestibule.access.AccessModule;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.oauth.server.OauthServerModule;
import dev.vestibule.session.SessionModule;
import dev.vestibule.user.organization.OrganizationModule;

/** Builds the account page. */
public final class AccountPageModule {
    public final AccountPageHandler page;

    public AccountPageModule(
            HostedModule hosted,
            SessionModule sessions,
            AccessModule access,
            AuthenticationModule authentication,
            OauthModule oauth,
            OauthServerModule server,
            OrganizationModule organizations) {
        this.page = new AccountPageHandler(
                access.visitors,
                hosted.requests,
                hosted.visits,
                hosted.browsers,
                hosted.pages,
                new AccountOperationHandler(sessions, authentication, oauth, server, organizations),
                authentication.factors.operations,
                oauth.linked);
    }
}
