package dev.vestibule.server;

import dev.vestibule.access.RouteGuards;
import dev.vestibule.audit.AuditHandlers;
import dev.vestibule.authentication.AuthenticationHandlers;
import dev.vestibule.authentication.factor.FactorHandlers;
import dev.vestibule.authentication.passkey.PasskeyHandlers;
import dev.vestibule.authentication.passwordless.PasswordlessHandlers;
import dev.vestibule.authentication.phone.PhoneHandlers;
import dev.vestibule.database.Database;
import dev.vestibule.http.TrustedOrigins;
import dev.vestibule.oauth.OauthHandlers;
import dev.vestibule.page.GetAssetHandler;
import dev.vestibule.page.console.GetConsoleHandler;
import dev.vestibule.page.documentation.GetDocumentationHandler;
import dev.vestibule.page.hosted.HostedHandlers;
import dev.vestibule.page.preview.PreviewHandlers;
import dev.vestibule.project.ProjectHandlers;
import dev.vestibule.project.branding.BrandingHandlers;
import dev.vestibule.project.member.MemberHandlers;
import dev.vestibule.session.SessionHandlers;
import dev.vestibule.token.TokenHandlers;
import dev.vestibule.user.UserHandlers;
import dev.vestibule.webhook.WebhookHandlers;

/** What one event loop serves: the handlers of every room, on the loop's own connections to the database. */
public record Services(
        Database database,
        RouteGuards guards,
        TrustedOrigins dashboardOrigins,
        AuthenticationHandlers authentication,
        FactorHandlers factors,
        PasswordlessHandlers passwordless,
        PhoneHandlers phones,
        PasskeyHandlers passkeys,
        OauthHandlers oauth,
        HostedHandlers hosted,
        ProjectHandlers projects,
        MemberHandlers members,
        BrandingHandlers branding,
        UserHandlers users,
        SessionHandlers sessions,
        WebhookHandlers webhooks,
        TokenHandlers tokens,
        AuditHandlers audit,
        GetOpenApiHandler openApi,
        GetAssetHandler asset,
        GetConsoleHandler console,
        PreviewHandlers previews,
        GetDocumentationHandler documentation) {}
