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

    private Routes() {}

    /** In no particular order: {@link ApiRouter} sees to it that an exact path goes before a template. */
    public static List<Route> of(Services services) {
        var auth = services.authentication();
        var factors = services.factors();
        var passwordless = services.passwordless();
        var phones = services.phones();
        var passkeys = services.passkeys();
        var oauth = services.oauth();
        var hosted = services.hosted();
        var projects = services.projects();
        var members = services.members();
        var branding = services.branding();
        var users = services.users();
        var sessions = services.sessions();
        var hooks = services.webhooks();
        var tokens = services.tokens();
        var audit = services.audit();
        return List.of(
                // Sign up, in and out, for applications
                post("/v1/auth/signup", PROJECT, auth.signUp(), SIGN_UP),
                post("/v1/auth/signin", PROJECT, auth.signIn(), SIGN_IN),
                post("/v1/auth/testing/token", API_KEY, auth.testingToken(), SIGN_UP),
                post("/v1/auth/signout", USER, auth.signOut()).openToImpersonators(),
                post("/v1/auth/token/refresh", PROJECT, auth.refreshToken(), REFRESH),
                post("/v1/auth/refresh", REFRESH_TOKEN, auth.refreshAccessToken(), REFRESH),
                get("/v1/auth/token/verify", USER, auth.verifyToken()),
                get("/v1/auth/me", USER, auth.getMe()),
                patch("/v1/auth/me", USER, auth.updateMe()).openToImpersonators(),
                delete("/v1/auth/me", USER, auth.deleteMe(), SIGN_IN),
                get("/v1/auth/me/sessions", USER, sessions.listMine()),
                delete("/v1/auth/me/sessions/:sessionId", USER, sessions.endOwn())
                        .named("endMySession"),
                post("/v1/auth/verify-email", PROJECT, auth.verifyEmail(), CODE),
                post("/v1/auth/resend-code", PROJECT, auth.resendCode(), CODE),
                post("/v1/auth/me/email", USER, auth.requestEmailChange(), CODE),
                post("/v1/auth/me/email/verify", USER, auth.verifyEmailChange(), CODE),
                post("/v1/auth/me/phone", USER, phones.requestVerification(), CODE),
                post("/v1/auth/me/phone/verify", USER, phones.verify(), CODE),
                post("/v1/auth/passwordless/sms-otp", PROJECT, phones.requestSmsOtp(), CODE),
                post("/v1/auth/email/undo", PROJECT, auth.undoEmailChange(), CODE),
                post("/v1/auth/password/forgot", PROJECT, auth.forgotPassword(), CODE),
                post("/v1/auth/password/reset", PROJECT, auth.resetPassword(), CODE),
                post("/v1/auth/password/change", USER, auth.changePassword(), SIGN_IN),
                post("/v1/auth/reauthenticate", USER, auth.reauthenticate(), SIGN_IN),

                // Second factors
                post("/v1/auth/mfa/verify", PROJECT, auth.verifyMfa(), SIGN_IN),
                get("/v1/auth/mfa/status", USER, factors.status()),
                post("/v1/auth/mfa/totp/setup", PROJECT_OR_USER, factors.setUpTotp(), SIGN_IN),
                post("/v1/auth/mfa/totp/verify-setup", PROJECT_OR_USER, factors.verifyTotpSetup(), SIGN_IN),
                post("/v1/auth/mfa/backup-codes/regenerate", USER, factors.regenerateBackupCodes(), SIGN_IN),
                post("/v1/auth/mfa/disable", USER, factors.disable(), SIGN_IN),

                // Without a password
                post("/v1/auth/passwordless/magic-link", PROJECT, passwordless.sendMagicLink(), CODE),
                post("/v1/auth/passwordless/email-otp", PROJECT, passwordless.sendEmailOtp(), CODE),
                post("/v1/auth/passwordless/verify", PROJECT, passwordless.verify(), CODE),
                // Passkeys
                post("/v1/auth/passkeys/register/options", USER, passkeys.beginRegistration(), SIGN_IN),
                post("/v1/auth/passkeys/register/verify", USER, passkeys.finishRegistration(), SIGN_IN),
                post("/v1/auth/passkeys/authenticate/options", PROJECT, passkeys.beginSignIn(), OAUTH),
                post("/v1/auth/passkeys/authenticate/verify", PROJECT, passkeys.finishSignIn(), SIGN_IN),
                get("/v1/auth/passkeys", USER, passkeys.list()),
                patch("/v1/auth/passkeys/:passkeyId", USER, passkeys.rename()),
                delete("/v1/auth/passkeys/:passkeyId", USER, passkeys.delete()),

                // Sign in with providers
                get("/v1/auth/providers", API_KEY, oauth.listEnabled()),
                get("/v1/auth/oauth/:provider/url", KEY_OR_USER, oauth.url(), OAUTH),
                post("/v1/auth/oauth/callback", API_KEY, oauth.callback(), OAUTH),
                post("/v1/auth/oauth/native", API_KEY, oauth.nativeSignIn(), OAUTH),
                get("/v1/auth/oauth/redirect", OPEN, oauth.redirect(), OAUTH),
                post("/v1/auth/oauth/redirect", OPEN, oauth.postedRedirect(), OAUTH)
                        .takes("application/x-www-form-urlencoded"),
                post("/v1/auth/oauth/consent", OPEN, oauth.consent(), OAUTH).takes("application/x-www-form-urlencoded"),
                get("/v1/auth/oauth/poll", API_KEY, oauth.poll(), OAUTH_POLL),
                get("/v1/auth/me/providers", USER, oauth.listLinked()),
                post("/v1/auth/me/providers/:provider", USER, oauth.link(), OAUTH),
                delete("/v1/auth/me/providers/:provider", USER, oauth.unlink()),

                // The hosted page
                get("/v1/auth/hosted/url", API_KEY, hosted.url(), OAUTH),
                post("/v1/auth/hosted/callback", API_KEY, hosted.callback(), OAUTH),
                get("/p/:slug/", OPEN, hosted.show()),
                get("/p/:slug", OPEN, hosted.enter()),
                get("/p/:slug/style.css", OPEN, hosted.style()),
                get("/p/:slug/link", OPEN, hosted.link()),
                post("/p/:slug/link", OPEN, hosted.submit())
                        .takes("application/x-www-form-urlencoded")
                        .named("submitHostedLink"),
                get("/p/:slug/from-provider", OPEN, hosted.returnFromProvider()),
                get("/p/:slug/:form", OPEN, hosted.enter()).named("leaveHostedForm"),
                get("/p/:slug/provider", OPEN, hosted.enter()).named("leaveProviderForm"),
                post("/p/:slug/provider", OPEN, hosted.leaveForProvider()).takes("application/x-www-form-urlencoded"),
                get("/p/:slug/go-on", OPEN, hosted.enter()).named("leaveBackupCodesForm"),
                post("/p/:slug/go-on", OPEN, hosted.leaveBackupCodes()).takes("application/x-www-form-urlencoded"),
                post("/p/:slug/passkey-challenge", OPEN, hosted.beginPasskey())
                        .takes("application/x-www-form-urlencoded"),
                post("/p/:slug/:form", OPEN, hosted.submit()).takes("application/x-www-form-urlencoded"),

                // What anyone may read
                get("/v1/auth/branding", API_KEY, branding.get()),
                get("/v1/projects/:projectId/.well-known/jwks.json", KNOWN_PROJECT, tokens.jwks()),
                get("/v1/openapi.json", OPEN, services.openApi()),

                // Pages, which are no part of the API
                get("/assets/:version/*", OPEN, services.asset()),
                get("/console", OPEN, services.console()),
                get("/console/", OPEN, services.console()).named("getConsolePage"),
                get("/console/preview", OPEN, services.previews().frame()),
                get("/docs", OPEN, services.documentation()),
                get("/docs/:page", OPEN, services.documentation()).named("getDocumentationPage"),

                // Accounts of dashboard users, who refresh, sign out and see their profile as all users do
                get("/v1/dashboard/auth/registration", DASHBOARD, auth.getRegistration(), OAUTH),
                post("/v1/dashboard/auth/register", DASHBOARD, auth.register(), DASHBOARD_REGISTER)
                        .named("register"),
                post("/v1/dashboard/auth/login", DASHBOARD, auth.login(), DASHBOARD_LOGIN)
                        .named("login"),
                post("/v1/dashboard/auth/refresh", DASHBOARD, auth.refreshDashboardToken(), REFRESH)
                        .named("refreshDashboardToken")
                        .withoutBody(),
                post("/v1/dashboard/auth/signout", DASHBOARD_USER, auth.signOutOfDashboard())
                        .withoutBody(),
                post("/v1/dashboard/auth/mfa/verify", DASHBOARD, auth.verifyDashboardMfa(), DASHBOARD_LOGIN)
                        .named("verifyDashboardMfa"),
                post("/v1/dashboard/auth/verify-email", DASHBOARD, auth.verifyDashboardEmail(), CODE)
                        .named("verifyDashboardEmail"),
                post("/v1/dashboard/auth/resend-code", DASHBOARD, auth.resendCode(), CODE)
                        .named("resendDashboardCode"),
                post("/v1/dashboard/auth/email/undo", DASHBOARD, auth.undoEmailChange(), CODE)
                        .named("undoDashboardEmailChange"),
                post("/v1/dashboard/auth/password/forgot", DASHBOARD, auth.forgotPassword(), CODE)
                        .named("forgotDashboardPassword"),
                post("/v1/dashboard/auth/password/reset", DASHBOARD, auth.resetPassword(), CODE)
                        .named("resetDashboardPassword"),
                post("/v1/dashboard/auth/password/change", DASHBOARD_USER, auth.changePassword(), DASHBOARD_LOGIN)
                        .named("changeDashboardPassword"),
                get("/v1/dashboard/auth/sessions", DASHBOARD_USER, sessions.listOwn()),
                delete("/v1/dashboard/auth/sessions", DASHBOARD_USER, sessions.endAllOwn()),
                delete("/v1/dashboard/auth/sessions/:sessionId", DASHBOARD_USER, sessions.endOwn()),

                // Projects, for dashboard users
                post(
                                "/v1/dashboard/invitations/:token/accept",
                                DASHBOARD_USER,
                                auth.acceptInvitation(),
                                DASHBOARD_MEMBERS)
                        .withoutBody(),
                get("/v1/dashboard/projects", DASHBOARD_USER, projects.list()).withQuery(),
                post("/v1/dashboard/projects", DASHBOARD_USER, projects.create()),
                get("/v1/dashboard/projects/:projectId", MEMBER, projects.get()),
                patch("/v1/dashboard/projects/:projectId", OWNER, projects.update())
                        .openToOldSignIns(),
                delete("/v1/dashboard/projects/:projectId", OWNER, projects.delete()),
                get("/v1/dashboard/projects/:projectId/statistics", MEMBER, projects.statistics())
                        .withQuery(),
                get("/v1/dashboard/projects/:projectId/keys", MEMBER, projects.listKeys())
                        .withQuery(),
                post("/v1/dashboard/projects/:projectId/keys", OWNER, projects.createKey()),
                patch("/v1/dashboard/projects/:projectId/keys/:keyId", OWNER, projects.updateKey()),
                delete("/v1/dashboard/projects/:projectId/keys/:keyId", OWNER, projects.revokeKey()),
                post(
                        "/v1/dashboard/projects/:projectId/signing-keys/rotate",
                        OWNER,
                        tokens.rotateSigningKeys(),
                        SIGNING_KEYS),
                get("/v1/dashboard/projects/:projectId/members", MEMBER, members.list())
                        .withQuery(),
                post("/v1/dashboard/projects/:projectId/members", OWNER, members.add(), DASHBOARD_MEMBERS),
                patch("/v1/dashboard/projects/:projectId/members/:memberId", OWNER, members.update()),
                delete("/v1/dashboard/projects/:projectId/members/:memberId", MEMBER, members.remove()),
                get("/v1/dashboard/projects/:projectId/branding", MEMBER, branding.getOfProject()),
                patch("/v1/dashboard/projects/:projectId/branding", OWNER, branding.update(), BRANDING)
                        .openToOldSignIns()
                        .bodyLimit(BRANDING_BYTES),
                post(
                                "/v1/dashboard/projects/:projectId/branding/preview",
                                MEMBER,
                                services.previews().branding(),
                                BRANDING)
                        .bodyLimit(BRANDING_BYTES),
                get("/v1/dashboard/projects/:projectId/providers", MEMBER, oauth.listSettings()),
                put("/v1/dashboard/projects/:projectId/providers/:provider", OWNER, oauth.set()),
                delete("/v1/dashboard/projects/:projectId/providers/:provider", OWNER, oauth.delete()),
                post("/v1/dashboard/projects/:projectId/providers/:provider/test", OWNER, oauth.tryOut(), OAUTH)
                        .openToOldSignIns()
                        .withoutBody()
                        .named("testProvider"),
                get("/v1/dashboard/projects/:projectId/providers/:provider/test", OWNER, oauth.trial())
                        .named("getProviderTest"),
                post("/v1/dashboard/projects/:projectId/users/:userId/impersonate", OWNER, auth.impersonateUser()),

                // Users and their sessions, for the application's servers and for members
                get("/v1/dashboard/users", SERVER_OR_MEMBER, users.list()).withQuery(),
                post("/v1/dashboard/users", SERVER_OR_OWNER, users.create()),
                post("/v1/dashboard/users/import", SERVER_OR_OWNER, users.importMany())
                        .withQuery()
                        .takes("application/x-ndjson")
                        .streamed(),
                get("/v1/dashboard/users/export", SERVER_OR_MEMBER, users.export())
                        .withQuery()
                        .streamed(),
                get("/v1/dashboard/users/:userId", SERVER_OR_MEMBER, users.get()),
                patch("/v1/dashboard/users/:userId", SERVER_OR_OWNER, users.update())
                        .openToOldSignIns(),
                delete("/v1/dashboard/users/:userId", SERVER_OR_OWNER, users.delete()),
                patch("/v1/dashboard/users/:userId/ban", SERVER_OR_OWNER, users.ban())
                        .openToOldSignIns()
                        .withoutBody(),
                patch("/v1/dashboard/users/:userId/unban", SERVER_OR_OWNER, users.unban())
                        .withoutBody(),
                post("/v1/dashboard/users/:userId/unlock", SERVER_OR_OWNER, users.unlock())
                        .withoutBody(),
                delete("/v1/dashboard/users/:userId/factors", SERVER_OR_OWNER, factors.reset()),
                get("/v1/dashboard/users/:userId/passkeys", SERVER_OR_MEMBER, passkeys.listOfUser())
                        .named("listPasskeysOfUser"),
                delete("/v1/dashboard/users/:userId/passkeys/:passkeyId", SERVER_OR_OWNER, passkeys.deleteOfUser())
                        .named("deletePasskeyOfUser"),
                get("/v1/dashboard/users/:userId/providers/:provider/tokens", SERVER, oauth.tokens()),
                get("/v1/dashboard/users/:userId/sessions", SERVER_OR_MEMBER, sessions.listOfUser())
                        .withQuery(),
                delete("/v1/dashboard/users/:userId/sessions", SERVER_OR_OWNER, sessions.revokeOfUser())
                        .openToOldSignIns(),
                get("/v1/dashboard/sessions", SERVER_OR_MEMBER, sessions.list()).withQuery(),
                delete("/v1/dashboard/sessions/:sessionId", SERVER_OR_OWNER, sessions.revoke())
                        .openToOldSignIns(),

                // The same as servers of the published SDK ask for it: one handler wherever the answers agree
                get("/v1/backend/users", SERVER, users.listForBackend()).withQuery(),
                post("/v1/backend/users", SERVER, users.create()).named("createBackendUser"),
                get("/v1/backend/users/by-external-id/:externalId", SERVER, users.getByExternalId()),
                get("/v1/backend/users/:userId", SERVER, users.get()).named("getBackendUser"),
                patch("/v1/backend/users/:userId", SERVER, users.update()).named("updateBackendUser"),
                delete("/v1/backend/users/:userId", SERVER, users.delete()).named("deleteBackendUser"),
                post("/v1/backend/users/:userId/ban", SERVER, users.banForBackend()),
                post("/v1/backend/users/:userId/unban", SERVER, users.unbanForBackend())
                        .withoutBody(),
                delete("/v1/backend/users/:userId/factors", SERVER, factors.reset())
                        .named("resetBackendUserFactors"),
                post("/v1/backend/passwordless/send", SERVER, passwordless.sendForBackend()),
                post("/v1/backend/passwordless/verify", SERVER, passwordless.verifyForBackend()),
                get("/v1/backend/users/:userId/passkeys", SERVER, passkeys.listOfUser()),
                delete("/v1/backend/users/:userId/passkeys/:passkeyId", SERVER, passkeys.deleteOfUser()),
                get("/v1/backend/users/:userId/sessions", SERVER, sessions.listForBackend()),
                delete("/v1/backend/users/:userId/sessions/:sessionId", SERVER, sessions.revokeOneOfUser()),

                // Who did what
                get("/v1/dashboard/audit-logs", SERVER_OR_MEMBER, audit.list()).withQuery(),
                get("/v1/dashboard/projects/:projectId/audit-logs", MEMBER, audit.list())
                        .withQuery()
                        .named("listProjectAuditLogs"),
                get("/v1/dashboard/audit-logs/export", SERVER_OR_MEMBER, audit.export())
                        .withQuery()
                        .streamed(),
                get("/v1/backend/audit-logs", SERVER, audit.list()).withQuery().named("listBackendAuditLogs"),

                // Claims that the project adds to access tokens
                get("/v1/backend/jwt-templates", SERVER, tokens.templates().list()),
                post("/v1/backend/jwt-templates", SERVER, tokens.templates().create()),
                get(
                        "/v1/backend/jwt-templates/:templateId",
                        SERVER,
                        tokens.templates().get()),
                put(
                        "/v1/backend/jwt-templates/:templateId",
                        SERVER,
                        tokens.templates().update()),
                delete(
                        "/v1/backend/jwt-templates/:templateId",
                        SERVER,
                        tokens.templates().delete()),
                post(
                        "/v1/backend/sessions/:sessionId/token",
                        SERVER,
                        tokens.templates().issue()),

                // Webhooks, for the application's servers and for members
                get("/v1/dashboard/webhooks", SERVER_OR_MEMBER, hooks.list()).withQuery(),
                post("/v1/dashboard/webhooks", SERVER_OR_OWNER, hooks.create()),
                get("/v1/dashboard/webhooks/:webhookId", SERVER_OR_MEMBER, hooks.get()),
                patch("/v1/dashboard/webhooks/:webhookId", SERVER_OR_OWNER, hooks.update()),
                delete("/v1/dashboard/webhooks/:webhookId", SERVER_OR_OWNER, hooks.delete()),
                post("/v1/dashboard/webhooks/:webhookId/rotate-secret", SERVER_OR_OWNER, hooks.rotateSecret())
                        .withoutBody(),
                post("/v1/dashboard/webhooks/:webhookId/test", SERVER_OR_OWNER, hooks.test())
                        .openToOldSignIns()
                        .withoutBody(),
                get("/v1/dashboard/webhooks/:webhookId/deliveries", SERVER_OR_MEMBER, hooks.listDeliveries())
                        .withQuery(),
                get("/v1/dashboard/webhooks/:webhookId/deliveries/:deliveryId", SERVER_OR_MEMBER, hooks.getDelivery()),
                post("/v1/dashboard/webhooks/:webhookId/deliveries/:deliveryId/retry", SERVER_OR_OWNER, hooks.retry())
                        .openToOldSignIns()
                        .withoutBody());
    }
}
