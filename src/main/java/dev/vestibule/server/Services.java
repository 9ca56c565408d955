package dev.vestibule.server;

import dev.vestibule.access.RouteGuards;
import dev.vestibule.audit.AuditHandlers;
import dev.vestibule.authentication.AuthenticationHandlers;
import dev.vestibule.authentication.factor.FactorHandler;
import dev.vestibule.authentication.oauth.OauthHandlers;
import dev.vestibule.authentication.passkey.PasskeyHandler;
import dev.vestibule.authentication.passwordless.PasswordlessHandler;
import dev.vestibule.authentication.phone.PhoneHandler;
import dev.vestibule.database.Database;
import dev.vestibule.http.TrustedOrigins;
import dev.vestibule.page.GetAssetHandler;
import dev.vestibule.page.console.GetConsoleHandler;
import dev.vestibule.page.documentation.GetDocumentationHandler;
import dev.vestibule.page.hosted.HostedApiHandler;
import dev.vestibule.page.hosted.HostedPageHandler;
import dev.vestibule.page.preview.PreviewHandler;
import dev.vestibule.project.ProjectHandlers;
import dev.vestibule.project.branding.BrandingHandler;
import dev.vestibule.project.member.MemberHandler;
import dev.vestibule.session.SessionHandler;
import dev.vestibule.token.TokenHandlers;
import dev.vestibule.user.UserHandlers;
import dev.vestibule.webhook.DeliveryHandler;
import dev.vestibule.webhook.WebhookHandler;

/** What one event loop serves: the handlers of every room, on the loop's own connections to the database. */
public record Services(
        Database database,
        RouteGuards guards,
        TrustedOrigins dashboardOrigins,
        AuthenticationHandlers authentication,
        FactorHandler factors,
        PasswordlessHandler passwordless,
        PhoneHandler phones,
        PasskeyHandler passkeys,
        OauthHandlers oauth,
        HostedApiHandler hostedApi,
        HostedPageHandler hostedPage,
        ProjectHandlers projects,
        MemberHandler members,
        BrandingHandler branding,
        UserHandlers users,
        SessionHandler sessions,
        WebhookHandler webhooks,
        DeliveryHandler deliveries,
        TokenHandlers tokens,
        AuditHandlers audit,
        GetOpenApiHandler openApi,
        GetAssetHandler asset,
        GetConsoleHandler console,
        PreviewHandler previews,
        GetDocumentationHandler documentation) {}
