package dev.vestibule.server;

import static dev.vestibule.access.Guard.API_KEY;
import static dev.vestibule.access.Guard.DASHBOARD;
import static dev.vestibule.access.Guard.DASHBOARD_USER;
import static dev.vestibule.access.Guard.KEY_OR_USER;
import static dev.vestibule.access.Guard.KNOWN_PROJECT;
import static dev.vestibule.access.Guard.MEMBER;
import static dev.vestibule.access.Guard.OPEN;
import static dev.vestibule.access.Guard.OWNER;
import static dev.vestibule.access.Guard.PROJECT;
import static dev.vestibule.access.Guard.PROJECT_OR_USER;
import static dev.vestibule.access.Guard.REFRESH_TOKEN;
import static dev.vestibule.access.Guard.SERVER;
import static dev.vestibule.access.Guard.SERVER_OR_MEMBER;
import static dev.vestibule.access.Guard.SERVER_OR_OWNER;
import static dev.vestibule.access.Guard.USER;
import static dev.vestibule.limits.Quota.BRANDING;
import static dev.vestibule.limits.Quota.CODE;
import static dev.vestibule.limits.Quota.DASHBOARD_LOGIN;
import static dev.vestibule.limits.Quota.DASHBOARD_MEMBERS;
import static dev.vestibule.limits.Quota.DASHBOARD_REGISTER;
import static dev.vestibule.limits.Quota.OAUTH;
import static dev.vestibule.limits.Quota.OAUTH_POLL;
import static dev.vestibule.limits.Quota.REFRESH;
import static dev.vestibule.limits.Quota.SIGNING_KEYS;
import static dev.vestibule.limits.Quota.SIGN_IN;
import static dev.vestibule.limits.Quota.SIGN_UP;
import static dev.vestibule.server.Route.delete;
import static dev.vestibule.server.Route.get;
import static dev.vestibule.server.Route.patch;
import static dev.vestibule.server.Route.post;
import static dev.vestibule.server.Route.put;

import java.util.List;

/** The whole API and all pages on one page, a line an endpoint: method, path, guard, handler, rate limit, and what else it takes. */
public final class Routes {
    /** Room for a logo of 200 KiB as base64 and the rest of a branding. */
    private static final int BRANDING_BYTES = 300 * 1024;

    private static final String FORM = "application/x-www-form-urlencoded";

    private Routes() {}

    /** In no particular order: {@link ApiRouter} sees to it that an exact path goes before a template. */
    public static List<Route> of(Services services) {
        var auth = services.authentication();
        var signIn = auth.signIn();
        var tokens = auth.tokens();
        var me = auth.me();
        var email = auth.email();
        var password = auth.password();
        var dashboardAccounts = auth.dashboardAccounts();
        var dashboardSessions = auth.dashboardSessions();
        var factors = services.factors();
        var passwordless = services.passwordless();
        var phones = services.phones();
        var passkeys = services.passkeys();
        var oauth = services.oauth().signIns();
        var redirects = services.oauth().redirects();
        var providers = services.oauth().providers();
        var trials = services.oauth().trials();
        var linked = services.oauth().linked();
        var hosted = services.hostedApi();
        var page = services.hostedPage();
        var previews = services.previews();
        var projects = services.projects();
        var apiKeys = services.apiKeys();
        var members = services.members();
        var branding = services.branding();
        var users = services.users();
        var userChanges = services.userChanges();
        var sessions = services.sessions();
        var webhooks = services.webhooks();
        var deliveries = services.deliveries();
        var signingKeys = services.signingKeys();
        var templates = services.templates();
        var auditLog = services.auditLog();
        var console = services.console();
        var documentation = services.documentation();
        return List.of(
                // Sign up, in and out, for applications
                post("/v1/auth/signup", PROJECT, auth.signUp()::signUp, SIGN_UP).named("signUp"),
                post("/v1/auth/signin", PROJECT, signIn::signIn, SIGN_IN).named("signIn"),
                post("/v1/auth/testing/token", API_KEY, signIn::testingToken, SIGN_UP)
                        .named("testingToken"),
                post("/v1/auth/signout", USER, sessions::signOut)
                        .named("signOut")
                        .openToImpersonators(),
                post("/v1/auth/token/refresh", PROJECT, tokens::refresh, REFRESH)
                        .named("refreshToken"),
                post("/v1/auth/refresh", REFRESH_TOKEN, tokens::refreshAccessToken, REFRESH)
                        .named("refreshAccessToken"),
                get("/v1/auth/token/verify", USER, tokens::verify).named("verifyToken"),
                get("/v1/auth/me", USER, me::get).named("getMe"),
                patch("/v1/auth/me", USER, me::update).named("updateMe").openToImpersonators(),
                delete("/v1/auth/me", USER, me::delete, SIGN_IN).named("deleteMe"),
                get("/v1/auth/me/sessions", USER, sessions::listMine).named("listMySessions"),
                delete("/v1/auth/me/sessions/:sessionId", USER, sessions::endOwn)
                        .named("endMySession"),
                post("/v1/auth/verify-email", PROJECT, email::verify, CODE).named("verifyEmail"),
                post("/v1/auth/resend-code", PROJECT, email::resendCode, CODE).named("resendCode"),
                post("/v1/auth/me/email", USER, email::requestChange, CODE).named("requestEmailChange"),
                post("/v1/auth/me/email/verify", USER, email::verifyChange, CODE)
                        .named("verifyEmailChange"),
                post("/v1/auth/me/phone", USER, phones::requestVerification, CODE)
                        .named("requestPhoneVerification"),
                post("/v1/auth/me/phone/verify", USER, phones::verify, CODE).named("verifyPhone"),
                post("/v1/auth/passwordless/sms-otp", PROJECT, phones::requestSmsOtp, CODE)
                        .named("requestSmsOtp"),
                post("/v1/auth/email/undo", PROJECT, email::undoChange, CODE).named("undoEmailChange"),
                post("/v1/auth/password/forgot", PROJECT, password::forgot, CODE)
                        .named("forgotPassword"),
                post("/v1/auth/password/reset", PROJECT, password::reset, CODE).named("resetPassword"),
                post("/v1/auth/password/change", USER, password::change, SIGN_IN)
                        .named("changePassword"),
                post("/v1/auth/reauthenticate", USER, auth.reauthentication()::reauthenticate, SIGN_IN)
                        .named("reauthenticate"),

                // Second factors
                post("/v1/auth/mfa/verify", PROJECT, signIn::verifyMfa, SIGN_IN).named("verifyMfa"),
                get("/v1/auth/mfa/status", USER, factors::status).named("getMfaStatus"),
                post("/v1/auth/mfa/totp/setup", PROJECT_OR_USER, factors::setUpTotp, SIGN_IN)
                        .named("setUpTotp"),
                post("/v1/auth/mfa/totp/verify-setup", PROJECT_OR_USER, factors::verifyTotpSetup, SIGN_IN)
                        .named("verifyTotpSetup"),
                post("/v1/auth/mfa/backup-codes/regenerate", USER, factors::regenerateBackupCodes, SIGN_IN)
                        .named("regenerateBackupCodes"),
                post("/v1/auth/mfa/disable", USER, factors::disable, SIGN_IN).named("disableMfa"),

                // Without a password
                post("/v1/auth/passwordless/magic-link", PROJECT, passwordless::sendMagicLink, CODE)
                        .named("sendMagicLink"),
                post("/v1/auth/passwordless/email-otp", PROJECT, passwordless::sendEmailOtp, CODE)
                        .named("sendEmailOtp"),
                post("/v1/auth/passwordless/verify", PROJECT, passwordless::verify, CODE)
                        .named("verifyPasswordless"),
                // Passkeys
                post("/v1/auth/passkeys/register/options", USER, passkeys::beginRegistration, SIGN_IN)
                        .named("beginPasskeyRegistration"),
                post("/v1/auth/passkeys/register/verify", USER, passkeys::finishRegistration, SIGN_IN)
                        .named("finishPasskeyRegistration"),
                post("/v1/auth/passkeys/authenticate/options", PROJECT, passkeys::beginSignIn, OAUTH)
                        .named("beginPasskeySignIn"),
                post("/v1/auth/passkeys/authenticate/verify", PROJECT, passkeys::finishSignIn, SIGN_IN)
                        .named("finishPasskeySignIn"),
                get("/v1/auth/passkeys", USER, passkeys::list).named("listPasskeys"),
                patch("/v1/auth/passkeys/:passkeyId", USER, passkeys::rename).named("renamePasskey"),
                delete("/v1/auth/passkeys/:passkeyId", USER, passkeys::delete).named("deletePasskey"),

                // Sign in with providers
                get("/v1/auth/providers", API_KEY, providers::list).named("listProviders"),
                get("/v1/auth/oauth/:provider/url", KEY_OR_USER, oauth::url, OAUTH)
                        .named("getOauthUrl"),
                post("/v1/auth/oauth/callback", API_KEY, oauth::callback, OAUTH).named("oauthCallback"),
                post("/v1/auth/oauth/native", API_KEY, oauth::nativeSignIn, OAUTH)
                        .named("nativeOauth"),
                get("/v1/auth/oauth/redirect", OPEN, redirects::redirect, OAUTH).named("oauthRedirect"),
                post("/v1/auth/oauth/redirect", OPEN, redirects::postedRedirect, OAUTH)
                        .takes(FORM)
                        .named("postOauthRedirect"),
                post("/v1/auth/oauth/consent", OPEN, redirects::consent, OAUTH)
                        .takes(FORM)
                        .named("oauthConsent"),
                get("/v1/auth/oauth/poll", API_KEY, redirects::poll, OAUTH_POLL).named("pollOauth"),
                get("/v1/auth/me/providers", USER, linked::list).named("listLinkedProviders"),
                post("/v1/auth/me/providers/:provider", USER, linked::link, OAUTH)
                        .named("linkProvider"),
                delete("/v1/auth/me/providers/:provider", USER, linked::unlink).named("unlinkProvider"),

                // The hosted page
                get("/v1/auth/hosted/url", API_KEY, hosted::url, OAUTH).named("getHostedUrl"),
                post("/v1/auth/hosted/callback", API_KEY, hosted::callback, OAUTH)
                        .named("hostedCallback"),
                get("/p/:slug/", OPEN, page::show).named("showHostedPage"),
                get("/p/:slug", OPEN, page::enter).named("enterHostedPage"),
                get("/p/:slug/style.css", OPEN, page::style).named("getHostedStyle"),
                get("/p/:slug/link", OPEN, page::showLink).named("showHostedLink"),
                post("/p/:slug/link", OPEN, page::submit).takes(FORM).named("submitHostedLink"),
                get("/p/:slug/from-provider", OPEN, page::returnFromProvider).named("returnFromProvider"),
                get("/p/:slug/:form", OPEN, page::enter).named("leaveHostedForm"),
                get("/p/:slug/provider", OPEN, page::enter).named("leaveProviderForm"),
                post("/p/:slug/provider", OPEN, page::leaveForProvider)
                        .takes(FORM)
                        .named("leaveForProvider"),
                get("/p/:slug/go-on", OPEN, page::enter).named("leaveBackupCodesForm"),
                post("/p/:slug/go-on", OPEN, page::leaveBackupCodes).takes(FORM).named("leaveBackupCodes"),
                post("/p/:slug/passkey-challenge", OPEN, page::beginPasskey)
                        .takes(FORM)
                        .named("beginHostedPasskey"),
                post("/p/:slug/:form", OPEN, page::submit).takes(FORM).named("submitHostedForm"),

                // What anyone may read
                get("/v1/auth/branding", API_KEY, branding::get).named("getBranding"),
                get("/v1/projects/:projectId/.well-known/jwks.json", KNOWN_PROJECT, signingKeys::jwks)
                        .named("getJwks"),
                get("/v1/openapi.json", OPEN, services.openApi()::get).named("getOpenApi"),

                // Pages, which are no part of the API
                get("/assets/:version/*", OPEN, services.assets()::get).named("getAsset"),
                get("/console", OPEN, console::get).named("getConsole"),
                get("/console/", OPEN, console::get).named("getConsolePage"),
                get("/console/preview", OPEN, previews::frame).named("getPreviewFrame"),
                get("/docs", OPEN, documentation::get).named("getDocumentation"),
                get("/docs/:page", OPEN, documentation::get).named("getDocumentationPage"),

                // Accounts of dashboard users, who refresh, sign out and see their profile as all users do
                get("/v1/dashboard/auth/registration", DASHBOARD, dashboardAccounts::getRegistration, OAUTH)
                        .named("getRegistration"),
                post("/v1/dashboard/auth/register", DASHBOARD, dashboardAccounts::register, DASHBOARD_REGISTER)
                        .named("register"),
                post("/v1/dashboard/auth/login", DASHBOARD, dashboardSessions::login, DASHBOARD_LOGIN)
                        .named("login"),
                post("/v1/dashboard/auth/refresh", DASHBOARD, dashboardSessions::refresh, REFRESH)
                        .named("refreshDashboardToken")
                        .withoutBody(),
                post("/v1/dashboard/auth/signout", DASHBOARD_USER, dashboardSessions::signOut)
                        .named("signOutOfDashboard")
                        .withoutBody(),
                post("/v1/dashboard/auth/mfa/verify", DASHBOARD, dashboardSessions::verifyMfa, DASHBOARD_LOGIN)
                        .named("verifyDashboardMfa"),
                post("/v1/dashboard/auth/verify-email", DASHBOARD, dashboardSessions::verifyEmail, CODE)
                        .named("verifyDashboardEmail"),
                post("/v1/dashboard/auth/resend-code", DASHBOARD, email::resendCode, CODE)
                        .named("resendDashboardCode"),
                post("/v1/dashboard/auth/email/undo", DASHBOARD, email::undoChange, CODE)
                        .named("undoDashboardEmailChange"),
                post("/v1/dashboard/auth/password/forgot", DASHBOARD, password::forgot, CODE)
                        .named("forgotDashboardPassword"),
                post("/v1/dashboard/auth/password/reset", DASHBOARD, password::reset, CODE)
                        .named("resetDashboardPassword"),
                post("/v1/dashboard/auth/password/change", DASHBOARD_USER, password::change, DASHBOARD_LOGIN)
                        .named("changeDashboardPassword"),
                get("/v1/dashboard/auth/sessions", DASHBOARD_USER, sessions::listOwn)
                        .named("listOwnSessions"),
                delete("/v1/dashboard/auth/sessions", DASHBOARD_USER, sessions::endAllOwn)
                        .named("endOwnSessions"),
                delete("/v1/dashboard/auth/sessions/:sessionId", DASHBOARD_USER, sessions::endOwn)
                        .named("endOwnSession"),

                // Projects, for dashboard users
                post(
                                "/v1/dashboard/invitations/:token/accept",
                                DASHBOARD_USER,
                                dashboardAccounts::acceptInvitation,
                                DASHBOARD_MEMBERS)
                        .named("acceptInvitation")
                        .withoutBody(),
                get("/v1/dashboard/projects", DASHBOARD_USER, projects::list)
                        .named("listProjects")
                        .withQuery(),
                post("/v1/dashboard/projects", DASHBOARD_USER, projects::create).named("createProject"),
                get("/v1/dashboard/projects/:projectId", MEMBER, projects::get).named("getProject"),
                patch("/v1/dashboard/projects/:projectId", OWNER, projects::update)
                        .named("updateProject")
                        .openToOldSignIns(),
                delete("/v1/dashboard/projects/:projectId", OWNER, projects::delete)
                        .named("deleteProject"),
                get("/v1/dashboard/projects/:projectId/statistics", MEMBER, services.statistics()::get)
                        .named("getProjectStatistics")
                        .withQuery(),
                get("/v1/dashboard/projects/:projectId/keys", MEMBER, apiKeys::list)
                        .named("listKeys")
                        .withQuery(),
                post("/v1/dashboard/projects/:projectId/keys", OWNER, apiKeys::create)
                        .named("createKey"),
                patch("/v1/dashboard/projects/:projectId/keys/:keyId", OWNER, apiKeys::update)
                        .named("updateKey"),
                delete("/v1/dashboard/projects/:projectId/keys/:keyId", OWNER, apiKeys::revoke)
                        .named("revokeKey"),
                post("/v1/dashboard/projects/:projectId/signing-keys/rotate", OWNER, signingKeys::rotate, SIGNING_KEYS)
                        .named("rotateSigningKeys"),
                get("/v1/dashboard/projects/:projectId/members", MEMBER, members::list)
                        .named("listMembers")
                        .withQuery(),
                post("/v1/dashboard/projects/:projectId/members", OWNER, members::add, DASHBOARD_MEMBERS)
                        .named("addMember"),
                patch("/v1/dashboard/projects/:projectId/members/:memberId", OWNER, members::update)
                        .named("updateMember"),
                delete("/v1/dashboard/projects/:projectId/members/:memberId", MEMBER, members::remove)
                        .named("removeMember"),
                get("/v1/dashboard/projects/:projectId/branding", MEMBER, branding::getOfProject)
                        .named("getProjectBranding"),
                patch("/v1/dashboard/projects/:projectId/branding", OWNER, branding::update, BRANDING)
                        .named("updateBranding")
                        .openToOldSignIns()
                        .bodyLimit(BRANDING_BYTES),
                post("/v1/dashboard/projects/:projectId/branding/preview", MEMBER, previews::branding, BRANDING)
                        .named("previewBranding")
                        .bodyLimit(BRANDING_BYTES),
                get("/v1/dashboard/projects/:projectId/providers", MEMBER, providers::listSettings)
                        .named("listProviderSettings"),
                put("/v1/dashboard/projects/:projectId/providers/:provider", OWNER, providers::set)
                        .named("setProvider"),
                delete("/v1/dashboard/projects/:projectId/providers/:provider", OWNER, providers::delete)
                        .named("deleteProvider"),
                post("/v1/dashboard/projects/:projectId/providers/:provider/test", OWNER, trials::begin, OAUTH)
                        .openToOldSignIns()
                        .withoutBody()
                        .named("testProvider"),
                get("/v1/dashboard/projects/:projectId/providers/:provider/test", OWNER, trials::get)
                        .named("getProviderTest"),
                post(
                                "/v1/dashboard/projects/:projectId/users/:userId/impersonate",
                                OWNER,
                                auth.impersonations()::impersonate)
                        .named("impersonateUser"),

                // Users and their sessions, for the application's servers and for members
                get("/v1/dashboard/users", SERVER_OR_MEMBER, users::list)
                        .named("listUsers")
                        .withQuery(),
                post("/v1/dashboard/users", SERVER_OR_OWNER, users::create).named("createUser"),
                post("/v1/dashboard/users/import", SERVER_OR_OWNER, services.userImports()::importUsers)
                        .named("importUsers")
                        .withQuery()
                        .takes("application/x-ndjson")
                        .streamed(),
                get("/v1/dashboard/users/export", SERVER_OR_MEMBER, services.userExports()::export)
                        .named("exportUsers")
                        .withQuery()
                        .streamed(),
                get("/v1/dashboard/users/:userId", SERVER_OR_MEMBER, users::get).named("getUser"),
                patch("/v1/dashboard/users/:userId", SERVER_OR_OWNER, userChanges::update)
                        .named("updateUser")
                        .openToOldSignIns(),
                delete("/v1/dashboard/users/:userId", SERVER_OR_OWNER, users::delete)
                        .named("deleteUser"),
                patch("/v1/dashboard/users/:userId/ban", SERVER_OR_OWNER, userChanges::ban)
                        .named("banUser")
                        .openToOldSignIns()
                        .withoutBody(),
                patch("/v1/dashboard/users/:userId/unban", SERVER_OR_OWNER, userChanges::unban)
                        .named("unbanUser")
                        .withoutBody(),
                post("/v1/dashboard/users/:userId/unlock", SERVER_OR_OWNER, userChanges::unlock)
                        .named("unlockUser")
                        .withoutBody(),
                delete("/v1/dashboard/users/:userId/factors", SERVER_OR_OWNER, factors::reset)
                        .named("resetUserFactors"),
                get("/v1/dashboard/users/:userId/passkeys", SERVER_OR_MEMBER, passkeys::listOfUser)
                        .named("listPasskeysOfUser"),
                delete("/v1/dashboard/users/:userId/passkeys/:passkeyId", SERVER_OR_OWNER, passkeys::deleteOfUser)
                        .named("deletePasskeyOfUser"),
                get("/v1/dashboard/users/:userId/providers/:provider/tokens", SERVER, linked::tokens)
                        .named("getProviderTokens"),
                get("/v1/dashboard/users/:userId/sessions", SERVER_OR_MEMBER, sessions::listOfUser)
                        .named("listUserSessions")
                        .withQuery(),
                delete("/v1/dashboard/users/:userId/sessions", SERVER_OR_OWNER, sessions::revokeAllOfUser)
                        .named("revokeUserSessions")
                        .openToOldSignIns(),
                get("/v1/dashboard/sessions", SERVER_OR_MEMBER, sessions::list)
                        .named("listSessions")
                        .withQuery(),
                delete("/v1/dashboard/sessions/:sessionId", SERVER_OR_OWNER, sessions::revoke)
                        .named("revokeSession")
                        .openToOldSignIns(),

                // The same as servers of the published SDK ask for it: one handler wherever the answers agree
                get("/v1/backend/users", SERVER, users::listForBackend)
                        .named("listBackendUsers")
                        .withQuery(),
                post("/v1/backend/users", SERVER, users::create).named("createBackendUser"),
                get("/v1/backend/users/by-external-id/:externalId", SERVER, users::getByExternalId)
                        .named("getUserByExternalId"),
                get("/v1/backend/users/:userId", SERVER, users::get).named("getBackendUser"),
                patch("/v1/backend/users/:userId", SERVER, userChanges::update).named("updateBackendUser"),
                delete("/v1/backend/users/:userId", SERVER, users::delete).named("deleteBackendUser"),
                post("/v1/backend/users/:userId/ban", SERVER, userChanges::banForBackend)
                        .named("banBackendUser"),
                post("/v1/backend/users/:userId/unban", SERVER, userChanges::unbanForBackend)
                        .named("unbanBackendUser")
                        .withoutBody(),
                delete("/v1/backend/users/:userId/factors", SERVER, factors::reset)
                        .named("resetBackendUserFactors"),
                post("/v1/backend/passwordless/send", SERVER, passwordless::sendForBackend)
                        .named("sendBackendPasswordless"),
                post("/v1/backend/passwordless/verify", SERVER, passwordless::verifyForBackend)
                        .named("verifyBackendPasswordless"),
                get("/v1/backend/users/:userId/passkeys", SERVER, passkeys::listOfUser)
                        .named("listUserPasskeys"),
                delete("/v1/backend/users/:userId/passkeys/:passkeyId", SERVER, passkeys::deleteOfUser)
                        .named("deleteUserPasskey"),
                get("/v1/backend/users/:userId/sessions", SERVER, sessions::listAllOfUser)
                        .named("listBackendUserSessions"),
                delete("/v1/backend/users/:userId/sessions/:sessionId", SERVER, sessions::revokeOfUser)
                        .named("revokeUserSession"),

                // Who did what
                get("/v1/dashboard/audit-logs", SERVER_OR_MEMBER, auditLog::list)
                        .named("listAuditLogs")
                        .withQuery(),
                get("/v1/dashboard/projects/:projectId/audit-logs", MEMBER, auditLog::list)
                        .withQuery()
                        .named("listProjectAuditLogs"),
                get("/v1/dashboard/audit-logs/export", SERVER_OR_MEMBER, auditLog::export)
                        .named("exportAuditLogs")
                        .withQuery()
                        .streamed(),
                get("/v1/backend/audit-logs", SERVER, auditLog::list)
                        .withQuery()
                        .named("listBackendAuditLogs"),

                // Claims that the project adds to access tokens
                get("/v1/backend/jwt-templates", SERVER, templates::list).named("listJwtTemplates"),
                post("/v1/backend/jwt-templates", SERVER, templates::create).named("createJwtTemplate"),
                get("/v1/backend/jwt-templates/:templateId", SERVER, templates::get)
                        .named("getJwtTemplate"),
                put("/v1/backend/jwt-templates/:templateId", SERVER, templates::update)
                        .named("updateJwtTemplate"),
                delete("/v1/backend/jwt-templates/:templateId", SERVER, templates::delete)
                        .named("deleteJwtTemplate"),
                post("/v1/backend/sessions/:sessionId/token", SERVER, templates::issue)
                        .named("issueSessionToken"),

                // Webhooks, for the application's servers and for members
                get("/v1/dashboard/webhooks", SERVER_OR_MEMBER, webhooks::list)
                        .named("listWebhooks")
                        .withQuery(),
                post("/v1/dashboard/webhooks", SERVER_OR_OWNER, webhooks::create)
                        .named("createWebhook"),
                get("/v1/dashboard/webhooks/:webhookId", SERVER_OR_MEMBER, webhooks::get)
                        .named("getWebhook"),
                patch("/v1/dashboard/webhooks/:webhookId", SERVER_OR_OWNER, webhooks::update)
                        .named("updateWebhook"),
                delete("/v1/dashboard/webhooks/:webhookId", SERVER_OR_OWNER, webhooks::delete)
                        .named("deleteWebhook"),
                post("/v1/dashboard/webhooks/:webhookId/rotate-secret", SERVER_OR_OWNER, webhooks::rotateSecret)
                        .named("rotateWebhookSecret")
                        .withoutBody(),
                post("/v1/dashboard/webhooks/:webhookId/test", SERVER_OR_OWNER, webhooks::test)
                        .named("testWebhook")
                        .openToOldSignIns()
                        .withoutBody(),
                get("/v1/dashboard/webhooks/:webhookId/deliveries", SERVER_OR_MEMBER, deliveries::list)
                        .named("listDeliveries")
                        .withQuery(),
                get("/v1/dashboard/webhooks/:webhookId/deliveries/:deliveryId", SERVER_OR_MEMBER, deliveries::get)
                        .named("getDelivery"),
                post(
                                "/v1/dashboard/webhooks/:webhookId/deliveries/:deliveryId/retry",
                                SERVER_OR_OWNER,
                                deliveries::retry)
                        .named("retryDelivery")
                        .openToOldSignIns()
                        .withoutBody());
    }
}
