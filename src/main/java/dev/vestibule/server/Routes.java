package dev.vestibule.server;

import static dev.vestibule.access.Guard.ADMINISTRATOR;
import static dev.vestibule.access.Guard.API_KEY;
import static dev.vestibule.access.Guard.DASHBOARD;
import static dev.vestibule.access.Guard.DASHBOARD_USER;
import static dev.vestibule.access.Guard.DEVELOPER;
import static dev.vestibule.access.Guard.DIRECTORY;
import static dev.vestibule.access.Guard.ISSUER;
import static dev.vestibule.access.Guard.KEY_OR_USER;
import static dev.vestibule.access.Guard.KNOWN_PROJECT;
import static dev.vestibule.access.Guard.MEMBER;
import static dev.vestibule.access.Guard.OPEN;
import static dev.vestibule.access.Guard.OWNER;
import static dev.vestibule.access.Guard.PROJECT;
import static dev.vestibule.access.Guard.PROJECT_OR_USER;
import static dev.vestibule.access.Guard.REFRESH_TOKEN;
import static dev.vestibule.access.Guard.SERVER;
import static dev.vestibule.access.Guard.SERVER_OR_DEVELOPER;
import static dev.vestibule.access.Guard.SERVER_OR_MEMBER;
import static dev.vestibule.access.Guard.SERVER_OR_SUPPORT;
import static dev.vestibule.access.Guard.USER;
import static dev.vestibule.http.limits.Quota.BRANDING;
import static dev.vestibule.http.limits.Quota.CAPTCHA;
import static dev.vestibule.http.limits.Quota.CODE;
import static dev.vestibule.http.limits.Quota.DASHBOARD_LOGIN;
import static dev.vestibule.http.limits.Quota.DASHBOARD_MEMBERS;
import static dev.vestibule.http.limits.Quota.DASHBOARD_REGISTER;
import static dev.vestibule.http.limits.Quota.OAUTH;
import static dev.vestibule.http.limits.Quota.OAUTH_POLL;
import static dev.vestibule.http.limits.Quota.OAUTH_SERVER;
import static dev.vestibule.http.limits.Quota.PAGE;
import static dev.vestibule.http.limits.Quota.REFRESH;
import static dev.vestibule.http.limits.Quota.SCIM;
import static dev.vestibule.http.limits.Quota.SIGNING_KEYS;
import static dev.vestibule.http.limits.Quota.SIGN_IN;
import static dev.vestibule.http.limits.Quota.SIGN_UP;
import static dev.vestibule.server.Route.delete;
import static dev.vestibule.server.Route.get;
import static dev.vestibule.server.Route.patch;
import static dev.vestibule.server.Route.post;
import static dev.vestibule.server.Route.put;

import dev.vestibule.App;
import dev.vestibule.access.captcha.CaptchaPurpose;
import java.util.List;

/**
 * The whole API and all pages in one list, one line per endpoint: method, path, guard, operation id, handler, rate
 * limit, and further properties.
 */
public final class Routes {
    /** Room for a logo of 200 KiB as base64 and the rest of a branding. */
    private static final int BRANDING_BYTES = 300 * 1024;

    /** Room for the members that one request can name. */
    private static final int SCIM_GROUP_BYTES = 512 * 1024;

    private static final String SCIM_JSON = "application/scim+json";
    private static final String FORM = "application/x-www-form-urlencoded";

    /** All event loops share the description that it reads. */
    private static final OpenApiHandler OPEN_API = new OpenApiHandler(ApiDescription::json);

    private Routes() {}

    /** {@link ApiRouter} puts exact paths before templates, and tries the exact ones in this order. */
    public static List<Route> of(App app) {
        var auth = app.authentication;
        var signUp = auth.signIns.signUp;
        var signIn = auth.signIns.signIn;
        var tokens = auth.signIns.tokens;
        var me = auth.signIns.me;
        var email = auth.signIns.email;
        var password = auth.signIns.password;
        var oauthServer = app.authorizationServer.operations;
        var oauthRequests = app.authorizationServer.requests;
        var oauthClients = app.authorizationServer.clients;
        var registrations = app.authorizationServer.registrations;
        var oauthGrants = app.authorizationServer.grants;
        var oauthApis = app.authorizationServer.resources;
        var reauthentication = auth.reauthentication.operations;
        var dashboardAccounts = auth.dashboard.accounts;
        var dashboardSessions = auth.dashboard.sessions;
        var impersonations = auth.dashboard.impersonations;
        var factors = auth.factors.operations;
        var passwordless = auth.passwordless.operations;
        var phones = auth.phones.operations;
        var passkeys = auth.passkeys.operations;
        var wallets = auth.wallets.operations;
        var captchas = app.captchas.operations;
        var oauth = app.oauth.signIns;
        var redirects = app.oauth.redirects;
        var providers = app.oauth.providers();
        var trials = app.oauth.trials;
        var linked = app.oauth.linked;
        var hosted = app.pages.hosted.api;
        var page = app.pages.hosted.page;
        var account = app.pages.hosted.account;
        var setUp = app.pages.hosted.setUp;
        var previews = app.pages.previews;
        var assets = app.pages.assets;
        var console = app.pages.console;
        var documentation = app.pages.documentation;
        var projects = app.projects.operations;
        var allProjects = app.administration.projects;
        var serverState = app.administration.state;
        var apiKeys = app.projects.keys;
        var members = app.projects.members;
        var branding = app.projects.branding;
        var statistics = app.projects.statistics;
        var users = app.users.operations;
        var userChanges = app.users.changes;
        var organizations = app.organizations.operations;
        var organizationMembers = app.organizations.members;
        var organizationDomains = app.organizations.domains;
        var organizationConnections = app.organizations.connections;
        var directories = app.provisioning.directories;
        var scimUsers = app.provisioning.users;
        var scimGroups = app.provisioning.groups;
        var scimService = app.provisioning.service;
        var setupLinks = app.organizations.setups;
        var organizationInvitations = app.organizations.invitations;
        var userImports = app.users.imports;
        var userExports = app.users.exports;
        var userKeys = app.userKeys.operations;
        var organizationKeys = app.userKeys.ofOrganizations;
        var sessions = app.sessions.operations;
        var webhooks = app.webhooks.endpointOperations;
        var deliveries = app.webhooks.deliveryOperations;
        var signingKeys = app.tokens.signingKeyOperations;
        var templates = app.tokens.templateOperations;
        var revocations = app.tokens.revocations;
        var auditLog = app.journal.operations;
        return List.of(
                // What applications ask all the time; a router compares a request with these first
                get("/v1/auth/me", USER, "getMe", me::get),
                get("/v1/auth/token/verify", USER, "verifyToken", tokens::verify),
                post("/v1/backend/keys/verify", SERVER, "verifyApiKey", userKeys::verify),
                post("/v1/projects/:projectId/oauth/introspect", ISSUER, "introspect", oauthServer::introspect)
                        .accepts(FORM),
                post("/v1/projects/:projectId/oauth/token", ISSUER, "token", oauthServer::token, OAUTH_SERVER)
                        .accepts(FORM),
                get("/v1/projects/:projectId/oauth/userinfo", ISSUER, "getUserinfo", oauthServer::userinfo),
                post("/v1/projects/:projectId/oauth/userinfo", ISSUER, "postUserinfo", oauthServer::userinfo)
                        .accepts(FORM),
                // Sign up, in and out, for applications
                post("/v1/auth/signup", PROJECT, "signUp", signUp::signUp, SIGN_UP)
                        .asksForCaptcha(CaptchaPurpose.SIGN_UP),
                post("/v1/auth/signin", PROJECT, "signIn", signIn::signIn, SIGN_IN),
                post("/v1/auth/testing/token", API_KEY, "testingToken", signIn::testingToken, SIGN_UP),
                post("/v1/auth/signout", USER, "signOut", sessions::signOut).openToImpersonators(),
                post("/v1/auth/token/refresh", PROJECT, "refreshToken", tokens::refresh, REFRESH),
                post("/v1/auth/refresh", REFRESH_TOKEN, "refreshAccessToken", tokens::refreshAccessToken, REFRESH),
                post("/v1/auth/token/organization", USER, "issueOrganizationToken", tokens::forOrganization, REFRESH),
                patch("/v1/auth/me", USER, "updateMe", me::update).openToImpersonators(),
                delete("/v1/auth/me", USER, "deleteMe", me::delete, SIGN_IN),
                get("/v1/auth/me/sessions", USER, "listMySessions", sessions::listMine),
                delete("/v1/auth/me/sessions/:sessionId", USER, "endMySession", sessions::endOwn),
                get("/v1/auth/me/grants", USER, "listMyGrants", oauthGrants::listMine),
                delete("/v1/auth/me/grants", USER, "withdrawMyGrant", oauthGrants::withdrawMine)
                        .withQuery(),
                get("/v1/auth/me/api-keys", USER, "listMyApiKeys", userKeys::list),
                post("/v1/auth/me/api-keys", USER, "createMyApiKey", userKeys::create, SIGN_IN),
                delete("/v1/auth/me/api-keys/:keyId", USER, "deleteMyApiKey", userKeys::delete),
                post("/v1/auth/api-keys/token", PROJECT, "exchangeApiKey", userKeys::exchange, REFRESH),
                post("/v1/auth/verify-email", PROJECT, "verifyEmail", email::verify, CODE),
                post("/v1/auth/resend-code", PROJECT, "resendCode", email::resendCode, CODE),
                post("/v1/auth/me/email", USER, "requestEmailChange", email::requestChange, CODE),
                post("/v1/auth/me/email/verify", USER, "verifyEmailChange", email::verifyChange, CODE),
                post("/v1/auth/me/phone", USER, "requestPhoneVerification", phones::requestVerification, CODE),
                post("/v1/auth/me/phone/verify", USER, "verifyPhone", phones::verify, CODE),
                post("/v1/auth/passwordless/sms-otp", PROJECT, "requestSmsOtp", phones::requestSmsOtp, CODE)
                        .asksForCaptcha(CaptchaPurpose.SMS_CODE),
                post("/v1/auth/email/undo", PROJECT, "undoEmailChange", email::undoChange, CODE),
                post("/v1/auth/password/forgot", PROJECT, "forgotPassword", password::forgot, CODE)
                        .asksForCaptcha(CaptchaPurpose.FORGOT_PASSWORD),
                post("/v1/auth/password/reset", PROJECT, "resetPassword", password::reset, CODE),
                post("/v1/auth/password/change", USER, "changePassword", password::change, SIGN_IN),
                post("/v1/auth/reauthenticate", USER, "reauthenticate", reauthentication::reauthenticate, SIGN_IN),

                // Second factors
                post("/v1/auth/mfa/verify", PROJECT, "verifyMfa", signIn::verifyMfa, SIGN_IN),
                get("/v1/auth/mfa/status", USER, "getMfaStatus", factors::status),
                post("/v1/auth/mfa/totp/setup", PROJECT_OR_USER, "setUpTotp", factors::setUpTotp, SIGN_IN),
                post(
                        "/v1/auth/mfa/totp/verify-setup",
                        PROJECT_OR_USER,
                        "verifyTotpSetup",
                        factors::verifyTotpSetup,
                        SIGN_IN),
                post(
                        "/v1/auth/mfa/backup-codes/regenerate",
                        USER,
                        "regenerateBackupCodes",
                        factors::regenerateBackupCodes,
                        SIGN_IN),
                post("/v1/auth/mfa/disable", USER, "disableMfa", factors::disable, SIGN_IN),

                // Without a password
                post("/v1/auth/passwordless/magic-link", PROJECT, "sendMagicLink", passwordless::sendMagicLink, CODE)
                        .asksForCaptcha(CaptchaPurpose.MAGIC_LINK),
                post("/v1/auth/passwordless/email-otp", PROJECT, "sendEmailOtp", passwordless::sendEmailOtp, CODE)
                        .asksForCaptcha(CaptchaPurpose.EMAIL_CODE),
                post("/v1/auth/passwordless/verify", PROJECT, "verifyPasswordless", passwordless::verify, CODE),
                // Passkeys
                post(
                        "/v1/auth/passkeys/register/options",
                        USER,
                        "beginPasskeyRegistration",
                        passkeys::beginRegistration,
                        SIGN_IN),
                post(
                        "/v1/auth/passkeys/register/verify",
                        USER,
                        "finishPasskeyRegistration",
                        passkeys::finishRegistration,
                        SIGN_IN),
                post(
                        "/v1/auth/passkeys/authenticate/options",
                        PROJECT,
                        "beginPasskeySignIn",
                        passkeys::beginSignIn,
                        OAUTH),
                post(
                        "/v1/auth/passkeys/authenticate/verify",
                        PROJECT,
                        "finishPasskeySignIn",
                        passkeys::finishSignIn,
                        SIGN_IN),
                get("/v1/auth/passkeys", USER, "listPasskeys", passkeys::list),
                patch("/v1/auth/passkeys/:passkeyId", USER, "renamePasskey", passkeys::rename),
                delete("/v1/auth/passkeys/:passkeyId", USER, "deletePasskey", passkeys::delete),

                // Wallets
                post("/v1/auth/web3/nonce", PROJECT, "createWalletNonce", wallets::nonce, OAUTH),
                post("/v1/auth/web3/verify", PROJECT, "verifyWallet", wallets::verify, SIGN_IN),
                get("/v1/auth/web3/wallets", USER, "listWallets", wallets::list),
                post("/v1/auth/web3/wallets/link", USER, "linkWallet", wallets::link, SIGN_IN),
                post("/v1/auth/web3/link", USER, "linkWalletAlias", wallets::link, SIGN_IN),
                delete("/v1/auth/web3/wallets/:walletId", USER, "unlinkWallet", wallets::unlink),

                // Sign in with providers
                get("/v1/auth/providers", API_KEY, "listProviders", providers::list),
                get("/v1/auth/oauth/:provider/url", KEY_OR_USER, "getOauthUrl", oauth::url, OAUTH),
                post("/v1/auth/oauth/connection", API_KEY, "findConnection", oauth::connection, OAUTH),
                post("/v1/auth/oauth/callback", API_KEY, "oauthCallback", oauth::callback, OAUTH),
                post("/v1/auth/oauth/native", API_KEY, "nativeOauth", oauth::nativeSignIn, OAUTH),
                get("/v1/auth/oauth/redirect", OPEN, "oauthRedirect", redirects::redirect, OAUTH),
                post("/v1/auth/oauth/redirect", OPEN, "postOauthRedirect", redirects::postedRedirect, OAUTH)
                        .accepts(FORM),
                get("/v1/auth/oauth/redirect/:ownerId", OPEN, "oauthRedirectOfOwner", redirects::redirect, OAUTH),
                post(
                                "/v1/auth/oauth/redirect/:ownerId",
                                OPEN,
                                "postOauthRedirectOfOwner",
                                redirects::postedRedirect,
                                OAUTH)
                        .accepts(FORM),
                post("/v1/auth/oauth/consent", OPEN, "oauthConsent", redirects::consent, OAUTH)
                        .accepts(FORM),
                get("/v1/auth/oauth/poll", API_KEY, "pollOauth", redirects::poll, OAUTH_POLL),
                get("/v1/auth/me/providers", USER, "listLinkedProviders", linked::list),
                post("/v1/auth/me/providers/:provider", USER, "linkProvider", linked::link, OAUTH),
                delete("/v1/auth/me/providers/:provider", USER, "unlinkProvider", linked::unlink),

                // Organizations, for their members
                get("/v1/auth/organizations", USER, "listMyOrganizations", organizations::listMine),
                post("/v1/auth/organizations", USER, "createMyOrganization", organizations::createMine, SIGN_UP),
                get("/v1/auth/organizations/:organizationId", USER, "getMyOrganization", organizations::get),
                patch("/v1/auth/organizations/:organizationId", USER, "updateMyOrganization", organizations::update),
                delete("/v1/auth/organizations/:organizationId", USER, "deleteMyOrganization", organizations::delete),
                post(
                        "/v1/auth/organizations/:organizationId/leave",
                        USER,
                        "leaveOrganization",
                        organizationMembers::leave),
                get(
                        "/v1/auth/organizations/:organizationId/members",
                        USER,
                        "listMyOrganizationMembers",
                        organizationMembers::list),
                patch(
                        "/v1/auth/organizations/:organizationId/members/:memberId",
                        USER,
                        "updateMyOrganizationMember",
                        organizationMembers::update),
                delete(
                        "/v1/auth/organizations/:organizationId/members/:memberId",
                        USER,
                        "removeMyOrganizationMember",
                        organizationMembers::remove),
                get(
                        "/v1/auth/organizations/:organizationId/invitations",
                        USER,
                        "listMyOrganizationInvitations",
                        organizationInvitations::list),
                post(
                        "/v1/auth/organizations/:organizationId/invitations",
                        USER,
                        "inviteToMyOrganization",
                        organizationInvitations::create,
                        CODE),
                delete(
                        "/v1/auth/organizations/:organizationId/invitations/:invitationId",
                        USER,
                        "revokeMyOrganizationInvitation",
                        organizationInvitations::revoke),
                post(
                        "/v1/auth/organizations/:organizationId/invitations/:invitationId/resend",
                        USER,
                        "resendMyOrganizationInvitation",
                        organizationInvitations::resend,
                        CODE),
                post(
                        "/v1/auth/organizations/invitations/:token/accept",
                        USER,
                        "acceptOrganizationInvitation",
                        organizationInvitations::accept,
                        CODE),
                post(
                        "/v1/auth/organizations/invitations/:token/reject",
                        USER,
                        "rejectOrganizationInvitation",
                        organizationInvitations::reject,
                        CODE),
                post(
                        "/v1/auth/organizations/invitations/accept",
                        KEY_OR_USER,
                        "acceptOrganizationInvitationByToken",
                        organizationInvitations::acceptByToken,
                        CODE),
                post(
                        "/v1/auth/organizations/invitations/reject",
                        KEY_OR_USER,
                        "rejectOrganizationInvitationByToken",
                        organizationInvitations::rejectByToken,
                        CODE),
                get(
                        "/v1/auth/organizations/suggestions",
                        USER,
                        "listSuggestedOrganizations",
                        organizationDomains::suggestions),
                post(
                        "/v1/auth/organizations/:organizationId/join",
                        USER,
                        "joinSuggestedOrganization",
                        organizationDomains::join,
                        CODE),
                post(
                        "/v1/auth/organizations/:organizationId/setup-link",
                        USER,
                        "createMySetupLink",
                        setupLinks::create,
                        CODE),
                delete(
                        "/v1/auth/organizations/:organizationId/setup-link",
                        USER,
                        "revokeMySetupLink",
                        setupLinks::revoke),
                get(
                        "/v1/auth/organizations/:organizationId/connections",
                        USER,
                        "listMyOrganizationConnections",
                        organizationConnections::list),
                post(
                        "/v1/auth/organizations/:organizationId/connections",
                        USER,
                        "addMyOrganizationConnection",
                        organizationConnections::add,
                        CODE),
                patch(
                        "/v1/auth/organizations/:organizationId/connections/:connectionId",
                        USER,
                        "updateMyOrganizationConnection",
                        organizationConnections::update,
                        CODE),
                delete(
                        "/v1/auth/organizations/:organizationId/connections/:connectionId",
                        USER,
                        "removeMyOrganizationConnection",
                        organizationConnections::remove),
                get(
                        "/v1/auth/organizations/:organizationId/domains",
                        USER,
                        "listMyOrganizationDomains",
                        organizationDomains::list),
                post(
                        "/v1/auth/organizations/:organizationId/domains",
                        USER,
                        "addMyOrganizationDomain",
                        organizationDomains::add),
                patch(
                        "/v1/auth/organizations/:organizationId/domains/:domainId",
                        USER,
                        "updateMyOrganizationDomain",
                        organizationDomains::update),
                delete(
                        "/v1/auth/organizations/:organizationId/domains/:domainId",
                        USER,
                        "removeMyOrganizationDomain",
                        organizationDomains::remove),
                post(
                        "/v1/auth/organizations/:organizationId/domains/:domainId/verify",
                        USER,
                        "verifyMyOrganizationDomain",
                        organizationDomains::verify,
                        CODE),
                get(
                        "/v1/auth/organizations/:organizationId/directories",
                        USER,
                        "listMyOrganizationDirectories",
                        directories::list),
                post(
                        "/v1/auth/organizations/:organizationId/directories",
                        USER,
                        "createMyOrganizationDirectory",
                        directories::create),
                patch(
                        "/v1/auth/organizations/:organizationId/directories/:directoryId",
                        USER,
                        "updateMyOrganizationDirectory",
                        directories::update),
                delete(
                        "/v1/auth/organizations/:organizationId/directories/:directoryId",
                        USER,
                        "deleteMyOrganizationDirectory",
                        directories::delete),
                post(
                        "/v1/auth/organizations/:organizationId/directories/:directoryId/tokens",
                        USER,
                        "createMyDirectoryToken",
                        directories::addToken),
                delete(
                        "/v1/auth/organizations/:organizationId/directories/:directoryId/tokens/:tokenId",
                        USER,
                        "revokeMyDirectoryToken",
                        directories::revokeToken),
                get(
                        "/v1/auth/organizations/:organizationId/api-keys",
                        USER,
                        "listMyOrganizationApiKeys",
                        organizationKeys::list),
                post(
                        "/v1/auth/organizations/:organizationId/api-keys",
                        USER,
                        "createMyOrganizationApiKey",
                        organizationKeys::create),
                delete(
                        "/v1/auth/organizations/:organizationId/api-keys/:keyId",
                        USER,
                        "deleteMyOrganizationApiKey",
                        organizationKeys::delete),

                // The hosted page
                get("/v1/auth/hosted/url", API_KEY, "getHostedUrl", hosted::url, OAUTH),
                post("/v1/auth/hosted/callback", API_KEY, "hostedCallback", hosted::callback, OAUTH),
                get("/p/:slug/", OPEN, "showHostedPage", page::show),
                get("/p/:slug", OPEN, "enterHostedPage", page::enter),
                get("/p/:slug/style.css", OPEN, "getHostedStyle", page::style),
                get("/p/:slug/link", OPEN, "showHostedLink", page::showLink),
                post("/p/:slug/link", OPEN, "submitHostedLink", page::submit).accepts(FORM),
                get("/p/:slug/from-provider", OPEN, "returnFromProvider", page::returnFromProvider),
                get("/p/:slug/:form", OPEN, "leaveHostedForm", page::enter),
                get("/p/:slug/provider", OPEN, "leaveProviderForm", page::enter),
                post("/p/:slug/provider", OPEN, "leaveForProvider", page::leaveForProvider)
                        .accepts(FORM),
                get("/p/:slug/logout", OPEN, "showLogout", page::showLogout),
                post("/p/:slug/logout", OPEN, "logOut", page::logOut).accepts(FORM),
                get("/p/:slug/account/", OPEN, "showAccountPage", account::show),
                get("/p/:slug/account", OPEN, "enterAccountPage", account::enter),
                get("/p/:slug/account/export", OPEN, "exportAccount", account::export),
                get("/p/:slug/account/from-provider", OPEN, "linkFromProvider", account::returnFromProvider),
                get("/p/:slug/account/:form", OPEN, "leaveAccountForm", account::leaveForm),
                post("/p/:slug/account/sign-in", OPEN, "signInToAccountAgain", account::signInAgain)
                        .accepts(FORM),
                post("/p/:slug/account/:form", OPEN, "submitAccountForm", account::submit)
                        .accepts(FORM)
                        .withQuery(),
                get("/p/:slug/setup/", OPEN, "showSetup", setUp::show),
                get("/p/:slug/setup/:form", OPEN, "leaveSetupForm", setUp::leaveForm),
                post("/p/:slug/setup/:form", OPEN, "submitSetupForm", setUp::submit)
                        .accepts(FORM),
                get("/p/:slug/authorize", OPEN, "showAuthorization", page::authorize),
                get("/p/:slug/device", OPEN, "showDevice", page::showDevice),
                post("/p/:slug/device", OPEN, "enterDeviceCode", page::enterDeviceCode)
                        .accepts(FORM),
                get("/p/:slug/consent", OPEN, "leaveConsentForm", page::enter),
                post("/p/:slug/consent", OPEN, "decideAuthorization", page::decide)
                        .accepts(FORM),
                get("/p/:slug/go-on", OPEN, "leaveBackupCodesForm", page::enter),
                post("/p/:slug/go-on", OPEN, "leaveBackupCodes", page::leaveBackupCodes)
                        .accepts(FORM),
                post("/p/:slug/passkey-challenge", OPEN, "beginHostedPasskey", page::beginPasskey)
                        .accepts(FORM),
                post("/p/:slug/:form", OPEN, "submitHostedForm", page::submit).accepts(FORM),

                // What anyone can read
                get("/v1/auth/branding", API_KEY, "getBranding", branding::get),
                get("/v1/projects/:projectId/.well-known/jwks.json", KNOWN_PROJECT, "getJwks", signingKeys::jwks),
                get(
                        "/v1/projects/:projectId/.well-known/openid-configuration",
                        ISSUER,
                        "getIssuer",
                        oauthServer::discovery),
                get("/v1/projects/:projectId/captcha", KNOWN_PROJECT, "getCaptcha", captchas::challenge, CAPTCHA),
                get(
                        "/v1/projects/:projectId/.well-known/oauth-authorization-server",
                        ISSUER,
                        "getAuthorizationServer",
                        oauthServer::discovery),
                get(
                        "/.well-known/oauth-authorization-server/v1/projects/:projectId",
                        ISSUER,
                        "getAuthorizationServerOfHost",
                        oauthServer::discovery),
                get(
                        "/.well-known/openid-configuration/v1/projects/:projectId",
                        ISSUER,
                        "getIssuerOfHost",
                        oauthServer::discovery),

                // The project as an OAuth 2.1 authorization server and OpenID provider
                get("/v1/projects/:projectId/oauth/authorize", ISSUER, "authorize", page::beginAuthorization, PAGE)
                        .withQuery(),
                post("/v1/projects/:projectId/oauth/authorize", ISSUER, "postAuthorize", page::beginAuthorization, PAGE)
                        .accepts(FORM),
                post(
                                "/v1/projects/:projectId/oauth/par",
                                ISSUER,
                                "pushAuthorization",
                                oauthRequests::push,
                                OAUTH_SERVER)
                        .accepts(FORM),
                post(
                                "/v1/projects/:projectId/oauth/device_authorization",
                                ISSUER,
                                "authorizeDevice",
                                oauthRequests::device,
                                OAUTH_SERVER)
                        .accepts(FORM),
                post(
                        "/v1/projects/:projectId/oauth/register",
                        ISSUER,
                        "registerClient",
                        registrations::register,
                        OAUTH_SERVER),
                get("/v1/projects/:projectId/oauth/register/:clientId", ISSUER, "readClient", registrations::read),
                put(
                        "/v1/projects/:projectId/oauth/register/:clientId",
                        ISSUER,
                        "replaceClient",
                        registrations::replace),
                delete(
                        "/v1/projects/:projectId/oauth/register/:clientId",
                        ISSUER,
                        "removeClient",
                        registrations::remove),
                post("/v1/projects/:projectId/oauth/revoke", ISSUER, "revoke", oauthServer::revoke, OAUTH_SERVER)
                        .accepts(FORM),
                get("/v1/projects/:projectId/oauth/logout", ISSUER, "logout", page::beginLogout, PAGE)
                        .withQuery(),
                post("/v1/projects/:projectId/oauth/logout", ISSUER, "postLogout", page::beginLogout, PAGE)
                        .accepts(FORM),
                get("/v1/openapi.json", OPEN, "getOpenApi", OPEN_API::get),

                // Pages, which are not part of the API
                get("/assets/:version/*", OPEN, "getAsset", assets::get),
                get("/", OPEN, "enter", console::enter),
                get("/console", OPEN, "getConsole", console::get),
                get("/console/", OPEN, "getConsolePage", console::get),
                get("/console/preview", OPEN, "getPreviewFrame", previews::frame),
                get("/console/*", OPEN, "enterScreen", console::enterScreen),
                get("/docs", OPEN, "getDocumentation", documentation::get),
                get("/docs/:page", OPEN, "getDocumentationPage", documentation::get),

                // Accounts of dashboard users, who refresh, sign out and see their profile as all users do
                get(
                        "/v1/dashboard/auth/registration",
                        DASHBOARD,
                        "getRegistration",
                        dashboardAccounts::getRegistration,
                        OAUTH),
                post(
                        "/v1/dashboard/auth/register",
                        DASHBOARD,
                        "register",
                        dashboardAccounts::register,
                        DASHBOARD_REGISTER),
                post("/v1/dashboard/auth/login", DASHBOARD, "login", dashboardSessions::login, DASHBOARD_LOGIN),
                post(
                                "/v1/dashboard/auth/refresh",
                                DASHBOARD,
                                "refreshDashboardToken",
                                dashboardSessions::refresh,
                                REFRESH)
                        .withoutBody(),
                post("/v1/dashboard/auth/signout", DASHBOARD_USER, "signOutOfDashboard", dashboardSessions::signOut)
                        .withoutBody(),
                post(
                        "/v1/dashboard/auth/mfa/verify",
                        DASHBOARD,
                        "verifyDashboardMfa",
                        dashboardSessions::verifyMfa,
                        DASHBOARD_LOGIN),
                post(
                        "/v1/dashboard/auth/verify-email",
                        DASHBOARD,
                        "verifyDashboardEmail",
                        dashboardSessions::verifyEmail,
                        CODE),
                post("/v1/dashboard/auth/resend-code", DASHBOARD, "resendDashboardCode", email::resendCode, CODE),
                post("/v1/dashboard/auth/email/undo", DASHBOARD, "undoDashboardEmailChange", email::undoChange, CODE),
                post(
                        "/v1/dashboard/auth/password/forgot",
                        DASHBOARD,
                        "forgotDashboardPassword",
                        password::forgot,
                        CODE),
                post("/v1/dashboard/auth/password/reset", DASHBOARD, "resetDashboardPassword", password::reset, CODE),
                post(
                        "/v1/dashboard/auth/password/change",
                        DASHBOARD_USER,
                        "changeDashboardPassword",
                        password::change,
                        DASHBOARD_LOGIN),
                get("/v1/dashboard/auth/sessions", DASHBOARD_USER, "listOwnSessions", sessions::listOwn),
                delete("/v1/dashboard/auth/sessions", DASHBOARD_USER, "endOwnSessions", sessions::endAllOwn),
                delete("/v1/dashboard/auth/sessions/:sessionId", DASHBOARD_USER, "endOwnSession", sessions::endOwn),

                // Projects, for dashboard users
                post(
                                "/v1/dashboard/invitations/:token/accept",
                                DASHBOARD_USER,
                                "acceptInvitation",
                                dashboardAccounts::acceptInvitation,
                                DASHBOARD_MEMBERS)
                        .withoutBody(),
                get("/v1/dashboard/projects", DASHBOARD_USER, "listProjects", projects::list)
                        .withQuery(),
                post("/v1/dashboard/projects", DASHBOARD_USER, "createProject", projects::create),
                get("/v1/dashboard/projects/:projectId", MEMBER, "getProject", projects::get),
                patch("/v1/dashboard/projects/:projectId", DEVELOPER, "updateProject", projects::update)
                        .withoutRecentSignIn(),
                delete("/v1/dashboard/projects/:projectId", OWNER, "deleteProject", projects::delete),
                get("/v1/dashboard/projects/:projectId/statistics", MEMBER, "getProjectStatistics", statistics::get)
                        .withQuery(),
                get("/v1/dashboard/projects/:projectId/keys", MEMBER, "listKeys", apiKeys::list)
                        .withQuery(),
                post("/v1/dashboard/projects/:projectId/keys", DEVELOPER, "createKey", apiKeys::create),
                patch("/v1/dashboard/projects/:projectId/keys/:keyId", DEVELOPER, "updateKey", apiKeys::update),
                delete("/v1/dashboard/projects/:projectId/keys/:keyId", DEVELOPER, "revokeKey", apiKeys::revoke),
                get("/v1/dashboard/projects/:projectId/oauth-clients", MEMBER, "listOauthClients", oauthClients::list),
                post(
                        "/v1/dashboard/projects/:projectId/oauth-clients",
                        DEVELOPER,
                        "createOauthClient",
                        oauthClients::create),
                get(
                        "/v1/dashboard/projects/:projectId/oauth-clients/:clientId",
                        MEMBER,
                        "getOauthClient",
                        oauthClients::get),
                patch(
                        "/v1/dashboard/projects/:projectId/oauth-clients/:clientId",
                        DEVELOPER,
                        "updateOauthClient",
                        oauthClients::update),
                delete(
                        "/v1/dashboard/projects/:projectId/oauth-clients/:clientId",
                        DEVELOPER,
                        "deleteOauthClient",
                        oauthClients::delete),
                post(
                                "/v1/dashboard/projects/:projectId/oauth-clients/:clientId/secrets",
                                DEVELOPER,
                                "createOauthClientSecret",
                                oauthClients::createSecret)
                        .withoutBody(),
                delete(
                        "/v1/dashboard/projects/:projectId/oauth-clients/:clientId/secrets/:secretId",
                        DEVELOPER,
                        "deleteOauthClientSecret",
                        oauthClients::deleteSecret),
                get("/v1/dashboard/projects/:projectId/oauth-apis", MEMBER, "listOauthApis", oauthApis::list),
                post("/v1/dashboard/projects/:projectId/oauth-apis", DEVELOPER, "createOauthApi", oauthApis::create),
                put(
                        "/v1/dashboard/projects/:projectId/oauth-apis/:apiId",
                        DEVELOPER,
                        "updateOauthApi",
                        oauthApis::update),
                delete(
                        "/v1/dashboard/projects/:projectId/oauth-apis/:apiId",
                        DEVELOPER,
                        "deleteOauthApi",
                        oauthApis::delete),
                get(
                        "/v1/dashboard/projects/:projectId/jwt-templates",
                        MEMBER,
                        "listProjectJwtTemplates",
                        templates::list),
                post(
                        "/v1/dashboard/projects/:projectId/jwt-templates",
                        DEVELOPER,
                        "createProjectJwtTemplate",
                        templates::create),
                put(
                        "/v1/dashboard/projects/:projectId/jwt-templates/:templateId",
                        DEVELOPER,
                        "updateProjectJwtTemplate",
                        templates::update),
                delete(
                        "/v1/dashboard/projects/:projectId/jwt-templates/:templateId",
                        DEVELOPER,
                        "deleteProjectJwtTemplate",
                        templates::delete),
                post(
                        "/v1/dashboard/projects/:projectId/jwt-templates/preview",
                        MEMBER,
                        "previewJwtTemplate",
                        templates::preview),
                post(
                        "/v1/dashboard/projects/:projectId/signing-keys/rotate",
                        DEVELOPER,
                        "rotateSigningKeys",
                        signingKeys::rotate,
                        SIGNING_KEYS),
                get("/v1/dashboard/projects/:projectId/members", MEMBER, "listMembers", members::list)
                        .withQuery(),
                post("/v1/dashboard/projects/:projectId/members", OWNER, "addMember", members::add, DASHBOARD_MEMBERS),
                patch("/v1/dashboard/projects/:projectId/members/:memberId", OWNER, "updateMember", members::update),
                delete("/v1/dashboard/projects/:projectId/members/:memberId", MEMBER, "removeMember", members::remove),
                get("/v1/dashboard/projects/:projectId/branding", MEMBER, "getProjectBranding", branding::getOfProject),
                patch(
                                "/v1/dashboard/projects/:projectId/branding",
                                DEVELOPER,
                                "updateBranding",
                                branding::update,
                                BRANDING)
                        .withoutRecentSignIn()
                        .bodyLimit(BRANDING_BYTES),
                post(
                                "/v1/dashboard/projects/:projectId/branding/preview",
                                MEMBER,
                                "previewBranding",
                                previews::branding,
                                BRANDING)
                        .bodyLimit(BRANDING_BYTES),
                get(
                        "/v1/dashboard/projects/:projectId/providers",
                        MEMBER,
                        "listProviderSettings",
                        providers::listSettings),
                put(
                        "/v1/dashboard/projects/:projectId/captcha-secret",
                        DEVELOPER,
                        "setCaptchaSecret",
                        captchas::setSecret),
                put("/v1/dashboard/projects/:projectId/providers/:provider", DEVELOPER, "setProvider", providers::set),
                delete(
                        "/v1/dashboard/projects/:projectId/providers/:provider",
                        DEVELOPER,
                        "deleteProvider",
                        providers::delete),
                post(
                                "/v1/dashboard/projects/:projectId/providers/:provider/test",
                                DEVELOPER,
                                "testProvider",
                                trials::begin,
                                OAUTH)
                        .withoutRecentSignIn()
                        .withoutBody(),
                get(
                        "/v1/dashboard/projects/:projectId/providers/:provider/test",
                        DEVELOPER,
                        "getProviderTest",
                        trials::get),
                post(
                        "/v1/dashboard/projects/:projectId/users/:userId/impersonate",
                        OWNER,
                        "impersonateUser",
                        impersonations::impersonate),

                // The server and all projects, for its administrators
                get("/v1/dashboard/administration/projects", ADMINISTRATOR, "listAllProjects", allProjects::list)
                        .withQuery(),
                post(
                                "/v1/dashboard/administration/projects/:projectId/adopt",
                                ADMINISTRATOR,
                                "adoptProject",
                                allProjects::adopt)
                        .withoutBody(),
                get("/v1/dashboard/administration/nodes", ADMINISTRATOR, "listNodes", serverState::listNodes),
                get("/v1/dashboard/administration/health", ADMINISTRATOR, "getServerHealth", serverState::health),
                get(
                        "/v1/dashboard/administration/settings",
                        ADMINISTRATOR,
                        "listServerSettings",
                        serverState::listSettings),

                // Users and their sessions, for the application's servers and for members
                get("/v1/dashboard/users", SERVER_OR_MEMBER, "listUsers", users::list)
                        .withQuery(),
                post("/v1/dashboard/users", SERVER_OR_SUPPORT, "createUser", users::create),
                post("/v1/dashboard/users/import", SERVER_OR_DEVELOPER, "importUsers", userImports::importUsers)
                        .withQuery()
                        .accepts("application/x-ndjson")
                        .streamed(),
                get("/v1/dashboard/users/export", SERVER_OR_SUPPORT, "exportUsers", userExports::export)
                        .withQuery()
                        .streamed(),
                get("/v1/dashboard/users/:userId", SERVER_OR_MEMBER, "getUser", users::get),
                patch("/v1/dashboard/users/:userId", SERVER_OR_SUPPORT, "updateUser", userChanges::update)
                        .withoutRecentSignIn(),
                delete("/v1/dashboard/users/:userId", SERVER_OR_SUPPORT, "deleteUser", users::delete),
                patch("/v1/dashboard/users/:userId/ban", SERVER_OR_SUPPORT, "banUser", userChanges::ban)
                        .withoutRecentSignIn()
                        .withoutBody(),
                patch("/v1/dashboard/users/:userId/unban", SERVER_OR_SUPPORT, "unbanUser", userChanges::unban)
                        .withoutBody(),
                post("/v1/dashboard/users/:userId/unlock", SERVER_OR_SUPPORT, "unlockUser", userChanges::unlock)
                        .withoutBody(),
                delete("/v1/dashboard/users/:userId/factors", SERVER_OR_SUPPORT, "resetUserFactors", factors::reset),
                get(
                        "/v1/dashboard/users/:userId/web3-wallets",
                        SERVER_OR_MEMBER,
                        "listWalletsOfUser",
                        wallets::listForUser),
                delete(
                        "/v1/dashboard/users/:userId/web3-wallets/:walletId",
                        SERVER_OR_SUPPORT,
                        "unlinkWalletOfUser",
                        wallets::unlinkForUser),
                get(
                        "/v1/dashboard/users/:userId/passkeys",
                        SERVER_OR_MEMBER,
                        "listPasskeysOfUser",
                        passkeys::listForUser),
                delete(
                        "/v1/dashboard/users/:userId/passkeys/:passkeyId",
                        SERVER_OR_SUPPORT,
                        "deletePasskeyOfUser",
                        passkeys::deleteForUser),
                get(
                        "/v1/dashboard/users/:userId/providers/:provider/tokens",
                        SERVER,
                        "getProviderTokens",
                        linked::tokens),
                get("/v1/dashboard/users/:userId/sessions", SERVER_OR_MEMBER, "listUserSessions", sessions::listForUser)
                        .withQuery(),
                delete(
                                "/v1/dashboard/users/:userId/sessions",
                                SERVER_OR_SUPPORT,
                                "revokeUserSessions",
                                sessions::revokeAllForUser)
                        .withoutRecentSignIn(),
                get("/v1/dashboard/users/:userId/grants", SERVER_OR_MEMBER, "listUserGrants", oauthGrants::listForUser),
                delete(
                                "/v1/dashboard/users/:userId/grants",
                                SERVER_OR_SUPPORT,
                                "withdrawUserGrant",
                                oauthGrants::withdrawForUser)
                        .withQuery(),
                get("/v1/dashboard/sessions", SERVER_OR_MEMBER, "listSessions", sessions::list)
                        .withQuery(),
                delete("/v1/dashboard/sessions/:sessionId", SERVER_OR_SUPPORT, "revokeSession", sessions::revoke)
                        .withoutRecentSignIn(),

                // The paths that servers with the published SDK call, with the same handlers if the answers agree
                get("/v1/backend/users", SERVER, "listBackendUsers", users::listForBackend)
                        .withQuery(),
                post("/v1/backend/users", SERVER, "createBackendUser", users::create),
                get(
                        "/v1/backend/users/by-external-id/:externalId",
                        SERVER,
                        "getUserByExternalId",
                        users::getByExternalId),
                get("/v1/backend/users/:userId", SERVER, "getBackendUser", users::get),
                patch("/v1/backend/users/:userId", SERVER, "updateBackendUser", userChanges::update),
                delete("/v1/backend/users/:userId", SERVER, "deleteBackendUser", users::delete),
                post("/v1/backend/users/:userId/ban", SERVER, "banBackendUser", userChanges::banForBackend),
                post("/v1/backend/users/:userId/unban", SERVER, "unbanBackendUser", userChanges::unbanForBackend)
                        .withoutBody(),
                delete("/v1/backend/users/:userId/factors", SERVER, "resetBackendUserFactors", factors::reset),
                post("/v1/backend/passwordless/send", SERVER, "sendBackendPasswordless", passwordless::sendForBackend),
                post(
                        "/v1/backend/passwordless/verify",
                        SERVER,
                        "verifyBackendPasswordless",
                        passwordless::verifyForBackend),
                get("/v1/backend/users/:userId/web3-wallets", SERVER, "listUserWallets", wallets::listForUser),
                delete(
                        "/v1/backend/users/:userId/web3-wallets/:walletId",
                        SERVER,
                        "unlinkUserWallet",
                        wallets::unlinkForUser),
                post("/v1/backend/web3/verify-signature", SERVER, "verifyWalletSignature", wallets::verifySignature),
                get("/v1/backend/users/:userId/passkeys", SERVER, "listUserPasskeys", passkeys::listForUser),
                delete(
                        "/v1/backend/users/:userId/passkeys/:passkeyId",
                        SERVER,
                        "deleteUserPasskey",
                        passkeys::deleteForUser),
                get("/v1/backend/users/:userId/api-keys", SERVER, "listUserApiKeys", userKeys::listForUser),
                post("/v1/backend/users/:userId/api-keys", SERVER, "createUserApiKey", userKeys::createForUser),
                delete(
                        "/v1/backend/users/:userId/api-keys/:keyId",
                        SERVER,
                        "deleteUserApiKey",
                        userKeys::deleteForUser),
                get("/v1/backend/users/:userId/sessions", SERVER, "listBackendUserSessions", sessions::listAllForUser),
                delete(
                        "/v1/backend/users/:userId/sessions/:sessionId",
                        SERVER,
                        "revokeUserSession",
                        sessions::revokeForUser),
                get("/v1/backend/users/:userId/grants", SERVER, "listBackendUserGrants", oauthGrants::listForUser),
                delete(
                                "/v1/backend/users/:userId/grants",
                                SERVER,
                                "withdrawBackendUserGrant",
                                oauthGrants::withdrawForUser)
                        .withQuery(),

                // Organizations, for management
                get("/v1/dashboard/organizations", SERVER_OR_MEMBER, "listOrganizations", organizations::list)
                        .withQuery(),
                post("/v1/dashboard/organizations", SERVER_OR_SUPPORT, "createOrganization", organizations::create),
                get(
                        "/v1/dashboard/organizations/:organizationId",
                        SERVER_OR_MEMBER,
                        "getOrganization",
                        organizations::get),
                patch(
                        "/v1/dashboard/organizations/:organizationId",
                        SERVER_OR_SUPPORT,
                        "updateOrganization",
                        organizations::update),
                delete(
                        "/v1/dashboard/organizations/:organizationId",
                        SERVER_OR_SUPPORT,
                        "deleteOrganization",
                        organizations::delete),
                get(
                                "/v1/dashboard/organizations/:organizationId/members",
                                SERVER_OR_MEMBER,
                                "listOrganizationMembers",
                                organizationMembers::listForDashboard)
                        .withQuery(),
                post(
                        "/v1/dashboard/organizations/:organizationId/members",
                        SERVER_OR_SUPPORT,
                        "addOrganizationMember",
                        organizationMembers::add),
                patch(
                        "/v1/dashboard/organizations/:organizationId/members/:memberId",
                        SERVER_OR_SUPPORT,
                        "updateOrganizationMember",
                        organizationMembers::update),
                delete(
                        "/v1/dashboard/organizations/:organizationId/members/:memberId",
                        SERVER_OR_SUPPORT,
                        "removeOrganizationMember",
                        organizationMembers::remove),
                get(
                                "/v1/dashboard/users/:userId/organizations",
                                SERVER_OR_MEMBER,
                                "listUserOrganizations",
                                organizations::listForUser)
                        .withQuery(),
                get("/v1/backend/organizations", SERVER, "listBackendOrganizations", organizations::listForBackend)
                        .withQuery(),
                post("/v1/backend/organizations", SERVER, "createBackendOrganization", organizations::create),
                get("/v1/backend/organizations/:organizationId", SERVER, "getBackendOrganization", organizations::get),
                patch(
                        "/v1/backend/organizations/:organizationId",
                        SERVER,
                        "updateBackendOrganization",
                        organizations::update),
                delete(
                        "/v1/backend/organizations/:organizationId",
                        SERVER,
                        "deleteBackendOrganization",
                        organizations::delete),
                get(
                                "/v1/backend/organizations/:organizationId/members",
                                SERVER,
                                "listBackendOrganizationMembers",
                                organizationMembers::list)
                        .withQuery(),
                post(
                        "/v1/backend/organizations/:organizationId/members",
                        SERVER,
                        "addBackendOrganizationMember",
                        organizationMembers::add),
                patch(
                        "/v1/backend/organizations/:organizationId/members/:memberId",
                        SERVER,
                        "updateBackendOrganizationMember",
                        organizationMembers::update),
                delete(
                        "/v1/backend/organizations/:organizationId/members/:memberId",
                        SERVER,
                        "removeBackendOrganizationMember",
                        organizationMembers::remove),
                get(
                                "/v1/dashboard/organizations/:organizationId/invitations",
                                SERVER_OR_MEMBER,
                                "listOrganizationInvitations",
                                organizationInvitations::listForDashboard)
                        .withQuery(),
                post(
                        "/v1/dashboard/organizations/:organizationId/invitations",
                        SERVER_OR_SUPPORT,
                        "inviteToOrganization",
                        organizationInvitations::create),
                delete(
                        "/v1/dashboard/organizations/:organizationId/invitations/:invitationId",
                        SERVER_OR_SUPPORT,
                        "revokeOrganizationInvitation",
                        organizationInvitations::revoke),
                post(
                                "/v1/dashboard/organizations/:organizationId/invitations/:invitationId/resend",
                                SERVER_OR_SUPPORT,
                                "resendOrganizationInvitation",
                                organizationInvitations::resend)
                        .withoutBody(),
                get(
                                "/v1/backend/organizations/:organizationId/invitations",
                                SERVER,
                                "listBackendOrganizationInvitations",
                                organizationInvitations::list)
                        .withQuery(),
                post(
                        "/v1/backend/organizations/:organizationId/invitations",
                        SERVER,
                        "inviteBackendUserToOrganization",
                        organizationInvitations::create),
                delete(
                        "/v1/backend/organizations/:organizationId/invitations/:invitationId",
                        SERVER,
                        "revokeBackendOrganizationInvitation",
                        organizationInvitations::revoke),
                post(
                                "/v1/backend/organizations/:organizationId/invitations/:invitationId/resend",
                                SERVER,
                                "resendBackendOrganizationInvitation",
                                organizationInvitations::resend)
                        .withoutBody(),
                post(
                        "/v1/dashboard/organizations/:organizationId/setup-link",
                        SERVER_OR_DEVELOPER,
                        "createSetupLink",
                        setupLinks::create,
                        CODE),
                delete(
                        "/v1/dashboard/organizations/:organizationId/setup-link",
                        SERVER_OR_DEVELOPER,
                        "revokeSetupLink",
                        setupLinks::revoke),
                get(
                        "/v1/dashboard/organizations/:organizationId/connections",
                        SERVER_OR_MEMBER,
                        "listOrganizationConnections",
                        organizationConnections::list),
                post(
                        "/v1/dashboard/organizations/:organizationId/connections",
                        SERVER_OR_DEVELOPER,
                        "addOrganizationConnection",
                        organizationConnections::add,
                        CODE),
                patch(
                        "/v1/dashboard/organizations/:organizationId/connections/:connectionId",
                        SERVER_OR_DEVELOPER,
                        "updateOrganizationConnection",
                        organizationConnections::update,
                        CODE),
                delete(
                        "/v1/dashboard/organizations/:organizationId/connections/:connectionId",
                        SERVER_OR_DEVELOPER,
                        "removeOrganizationConnection",
                        organizationConnections::remove),
                get(
                        "/v1/dashboard/organizations/:organizationId/domains",
                        SERVER_OR_MEMBER,
                        "listOrganizationDomains",
                        organizationDomains::list),
                post(
                        "/v1/dashboard/organizations/:organizationId/domains",
                        SERVER_OR_SUPPORT,
                        "addOrganizationDomain",
                        organizationDomains::add),
                patch(
                        "/v1/dashboard/organizations/:organizationId/domains/:domainId",
                        SERVER_OR_SUPPORT,
                        "updateOrganizationDomain",
                        organizationDomains::update),
                delete(
                        "/v1/dashboard/organizations/:organizationId/domains/:domainId",
                        SERVER_OR_SUPPORT,
                        "removeOrganizationDomain",
                        organizationDomains::remove),
                post(
                                "/v1/dashboard/organizations/:organizationId/domains/:domainId/verify",
                                SERVER_OR_SUPPORT,
                                "verifyOrganizationDomain",
                                organizationDomains::verify,
                                CODE)
                        .withoutBody(),
                get(
                        "/v1/dashboard/organizations/:organizationId/directories",
                        SERVER_OR_MEMBER,
                        "listOrganizationDirectories",
                        directories::list),
                post(
                        "/v1/dashboard/organizations/:organizationId/directories",
                        SERVER_OR_DEVELOPER,
                        "createOrganizationDirectory",
                        directories::create),
                patch(
                        "/v1/dashboard/organizations/:organizationId/directories/:directoryId",
                        SERVER_OR_DEVELOPER,
                        "updateOrganizationDirectory",
                        directories::update),
                delete(
                        "/v1/dashboard/organizations/:organizationId/directories/:directoryId",
                        SERVER_OR_DEVELOPER,
                        "deleteOrganizationDirectory",
                        directories::delete),
                post(
                                "/v1/dashboard/organizations/:organizationId/directories/:directoryId/tokens",
                                SERVER_OR_DEVELOPER,
                                "createDirectoryToken",
                                directories::addToken)
                        .withoutBody(),
                delete(
                        "/v1/dashboard/organizations/:organizationId/directories/:directoryId/tokens/:tokenId",
                        SERVER_OR_DEVELOPER,
                        "revokeDirectoryToken",
                        directories::revokeToken),
                get(
                        "/v1/dashboard/organizations/:organizationId/api-keys",
                        SERVER_OR_MEMBER,
                        "listOrganizationApiKeys",
                        organizationKeys::list),
                post(
                        "/v1/dashboard/organizations/:organizationId/api-keys",
                        SERVER_OR_DEVELOPER,
                        "createOrganizationApiKey",
                        organizationKeys::create),
                delete(
                        "/v1/dashboard/organizations/:organizationId/api-keys/:keyId",
                        SERVER_OR_DEVELOPER,
                        "deleteOrganizationApiKey",
                        organizationKeys::delete),

                // Provisioning (SCIM)
                get("/v1/scim/:projectId/:directoryId/Users", DIRECTORY, "listScimUsers", scimUsers::list, SCIM),
                post("/v1/scim/:projectId/:directoryId/Users", DIRECTORY, "createScimUser", scimUsers::create, SCIM)
                        .accepts(SCIM_JSON),
                get("/v1/scim/:projectId/:directoryId/Users/:userId", DIRECTORY, "getScimUser", scimUsers::get, SCIM),
                put(
                                "/v1/scim/:projectId/:directoryId/Users/:userId",
                                DIRECTORY,
                                "replaceScimUser",
                                scimUsers::replace,
                                SCIM)
                        .accepts(SCIM_JSON),
                patch(
                                "/v1/scim/:projectId/:directoryId/Users/:userId",
                                DIRECTORY,
                                "patchScimUser",
                                scimUsers::patch,
                                SCIM)
                        .accepts(SCIM_JSON),
                delete(
                        "/v1/scim/:projectId/:directoryId/Users/:userId",
                        DIRECTORY,
                        "deleteScimUser",
                        scimUsers::delete,
                        SCIM),
                get("/v1/scim/:projectId/:directoryId/Groups", DIRECTORY, "listScimGroups", scimGroups::list, SCIM),
                post("/v1/scim/:projectId/:directoryId/Groups", DIRECTORY, "createScimGroup", scimGroups::create, SCIM)
                        .accepts(SCIM_JSON)
                        .bodyLimit(SCIM_GROUP_BYTES),
                get(
                        "/v1/scim/:projectId/:directoryId/Groups/:groupId",
                        DIRECTORY,
                        "getScimGroup",
                        scimGroups::get,
                        SCIM),
                put(
                                "/v1/scim/:projectId/:directoryId/Groups/:groupId",
                                DIRECTORY,
                                "replaceScimGroup",
                                scimGroups::replace,
                                SCIM)
                        .accepts(SCIM_JSON)
                        .bodyLimit(SCIM_GROUP_BYTES),
                patch(
                                "/v1/scim/:projectId/:directoryId/Groups/:groupId",
                                DIRECTORY,
                                "patchScimGroup",
                                scimGroups::patch,
                                SCIM)
                        .accepts(SCIM_JSON)
                        .bodyLimit(SCIM_GROUP_BYTES),
                delete(
                        "/v1/scim/:projectId/:directoryId/Groups/:groupId",
                        DIRECTORY,
                        "deleteScimGroup",
                        scimGroups::delete,
                        SCIM),
                get(
                        "/v1/scim/:projectId/:directoryId/ServiceProviderConfig",
                        DIRECTORY,
                        "getScimServiceProviderConfig",
                        scimService::config,
                        SCIM),
                get(
                        "/v1/scim/:projectId/:directoryId/ResourceTypes",
                        DIRECTORY,
                        "listScimResourceTypes",
                        scimService::listResourceTypes,
                        SCIM),
                get(
                        "/v1/scim/:projectId/:directoryId/ResourceTypes/:name",
                        DIRECTORY,
                        "getScimResourceType",
                        scimService::getResourceType,
                        SCIM),
                get(
                        "/v1/scim/:projectId/:directoryId/Schemas",
                        DIRECTORY,
                        "listScimSchemas",
                        scimService::listSchemas,
                        SCIM),
                get(
                        "/v1/scim/:projectId/:directoryId/Schemas/:name",
                        DIRECTORY,
                        "getScimSchema",
                        scimService::getSchema,
                        SCIM),
                post(
                                "/v1/scim/:projectId/:directoryId/.search",
                                DIRECTORY,
                                "searchScimResources",
                                scimService::search,
                                SCIM)
                        .accepts(SCIM_JSON),

                // Who did what
                get("/v1/dashboard/audit-logs", SERVER_OR_MEMBER, "listAuditLogs", auditLog::list)
                        .withQuery(),
                get("/v1/dashboard/projects/:projectId/audit-logs", MEMBER, "listProjectAuditLogs", auditLog::list)
                        .withQuery(),
                get("/v1/dashboard/audit-logs/export", SERVER_OR_SUPPORT, "exportAuditLogs", auditLog::export)
                        .withQuery()
                        .streamed(),
                get("/v1/backend/audit-logs", SERVER, "listBackendAuditLogs", auditLog::list)
                        .withQuery(),

                // Claims that the project adds to access tokens
                get("/v1/backend/jwt-templates", SERVER, "listJwtTemplates", templates::list),
                post("/v1/backend/jwt-templates", SERVER, "createJwtTemplate", templates::create),
                get("/v1/backend/jwt-templates/:templateId", SERVER, "getJwtTemplate", templates::get),
                put("/v1/backend/jwt-templates/:templateId", SERVER, "updateJwtTemplate", templates::update),
                delete("/v1/backend/jwt-templates/:templateId", SERVER, "deleteJwtTemplate", templates::delete),
                get("/v1/backend/revocations", SERVER, "listRevocations", revocations::list)
                        .withQuery(),
                post("/v1/backend/sessions/:sessionId/token", SERVER, "issueSessionToken", templates::issue),

                // Webhooks, for the application's servers and for members
                get("/v1/dashboard/webhooks", SERVER_OR_MEMBER, "listWebhooks", webhooks::list)
                        .withQuery(),
                post("/v1/dashboard/webhooks", SERVER_OR_DEVELOPER, "createWebhook", webhooks::create),
                get("/v1/dashboard/webhooks/:webhookId", SERVER_OR_MEMBER, "getWebhook", webhooks::get),
                patch("/v1/dashboard/webhooks/:webhookId", SERVER_OR_DEVELOPER, "updateWebhook", webhooks::update),
                delete("/v1/dashboard/webhooks/:webhookId", SERVER_OR_DEVELOPER, "deleteWebhook", webhooks::delete),
                post(
                                "/v1/dashboard/webhooks/:webhookId/rotate-secret",
                                SERVER_OR_DEVELOPER,
                                "rotateWebhookSecret",
                                webhooks::rotateSecret)
                        .withoutBody(),
                post("/v1/dashboard/webhooks/:webhookId/test", SERVER_OR_DEVELOPER, "testWebhook", webhooks::test)
                        .withoutRecentSignIn()
                        .withoutBody(),
                get(
                                "/v1/dashboard/webhooks/:webhookId/deliveries",
                                SERVER_OR_MEMBER,
                                "listDeliveries",
                                deliveries::list)
                        .withQuery(),
                get(
                        "/v1/dashboard/webhooks/:webhookId/deliveries/:deliveryId",
                        SERVER_OR_MEMBER,
                        "getDelivery",
                        deliveries::get),
                post(
                                "/v1/dashboard/webhooks/:webhookId/deliveries/retry",
                                SERVER_OR_DEVELOPER,
                                "retryDeadDeliveries",
                                deliveries::retryDead)
                        .withoutRecentSignIn()
                        .withoutBody(),
                post(
                                "/v1/dashboard/webhooks/:webhookId/deliveries/:deliveryId/retry",
                                SERVER_OR_DEVELOPER,
                                "retryDelivery",
                                deliveries::retry)
                        .withoutRecentSignIn()
                        .withoutBody());
    }
}
