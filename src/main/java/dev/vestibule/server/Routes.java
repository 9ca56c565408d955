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
import static dev.vestibule.server.Route.Property.ENDS_SESSIONS;
import static dev.vestibule.server.Route.Property.FORM;
import static dev.vestibule.server.Route.Property.FOR_IMPERSONATORS;
import static dev.vestibule.server.Route.Property.NDJSON;
import static dev.vestibule.server.Route.Property.NO_BODY;
import static dev.vestibule.server.Route.Property.NO_RECENT_SIGN_IN;
import static dev.vestibule.server.Route.Property.QUERY;
import static dev.vestibule.server.Route.Property.SCIM_JSON;
import static dev.vestibule.server.Route.Property.STREAMED;

import dev.vestibule.App;
import dev.vestibule.access.Guard;
import dev.vestibule.access.captcha.CaptchaPurpose;
import dev.vestibule.http.limits.Quota;
import dev.vestibule.server.Route.ApiHandler;
import dev.vestibule.server.Route.Property;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole API and all pages in one list, one line per endpoint: method, path, guard, operation id, handler, rate
 * limit, and further properties.
 */
public final class Routes {
    /** Room for a logo of 200 KiB as base64 and the rest of a branding. */
    private static final int BRANDING_BYTES = 300 * 1024;

    /** Room for the members that one request can name. */
    private static final int SCIM_GROUP_BYTES = 512 * 1024;

    /** All event loops share the description that it reads. */
    private static final OpenApiHandler OPEN_API = new OpenApiHandler(ApiDescription::json);

    private final App app;
    private final List<Route> routes = new ArrayList<>();

    private Routes(App app) {
        this.app = app;
    }

    /** {@link ApiRouter} puts exact paths before templates, and tries the exact ones in this order. */
    public static List<Route> of(App app) {
        var all = new Routes(app);
        all.mostCalled();
        all.signInAndOut();
        all.secondFactors();
        all.passwordless();
        all.passkeys();
        all.wallets();
        all.providers();
        all.organizationsOfMembers();
        all.hostedPages();
        all.published();
        all.authorizationServer();
        all.pages();
        all.dashboardAccounts();
        all.projects();
        all.administration();
        all.users();
        all.backendUsers();
        all.managedOrganizations();
        all.provisioning();
        all.auditLogs();
        all.claims();
        all.webhooks();
        return List.copyOf(all.routes);
    }

    /** What applications ask all the time; a router compares a request with these first. */
    private void mostCalled() {
        var me = app.authentication.signIns.me;
        var tokens = app.authentication.signIns.tokens;
        var userKeys = app.userKeys.operations;
        var oauthServer = app.authorizationServer.operations;
        get("/v1/auth/me", USER, "getMe", me::get);
        get("/v1/auth/token/verify", USER, "verifyToken", tokens::verify);
        post("/v1/backend/keys/verify", SERVER, "verifyApiKey", userKeys::verify);
        post("/v1/projects/:projectId/oauth/introspect", ISSUER, "introspect", oauthServer::introspect, FORM);
        post("/v1/projects/:projectId/oauth/token", ISSUER, "token", oauthServer::token, OAUTH_SERVER, FORM);
        get("/v1/projects/:projectId/oauth/userinfo", ISSUER, "getUserinfo", oauthServer::userinfo);
        post("/v1/projects/:projectId/oauth/userinfo", ISSUER, "postUserinfo", oauthServer::userinfo, FORM);
    }

    /** Sign up, in and out, for applications. */
    private void signInAndOut() {
        var signUp = app.authentication.signIns.signUp;
        var signIn = app.authentication.signIns.signIn;
        var sessions = app.sessions.operations;
        var tokens = app.authentication.signIns.tokens;
        var me = app.authentication.signIns.me;
        var oauthGrants = app.authorizationServer.grants;
        var userKeys = app.userKeys.operations;
        var email = app.authentication.signIns.email;
        var phones = app.authentication.phones.operations;
        var password = app.authentication.signIns.password;
        var reauthentication = app.authentication.reauthentication.operations;
        post("/v1/auth/signup", PROJECT, "signUp", signUp::signUp, SIGN_UP).asksForCaptcha(CaptchaPurpose.SIGN_UP);
        post("/v1/auth/signin", PROJECT, "signIn", signIn::signIn, SIGN_IN);
        post("/v1/auth/testing/token", API_KEY, "testingToken", signIn::testingToken, SIGN_UP);
        post("/v1/auth/signout", USER, "signOut", sessions::signOut, FOR_IMPERSONATORS, ENDS_SESSIONS);
        post("/v1/auth/token/refresh", PROJECT, "refreshToken", tokens::refresh, REFRESH);
        post("/v1/auth/refresh", REFRESH_TOKEN, "refreshAccessToken", tokens::refreshAccessToken, REFRESH);
        post("/v1/auth/token/organization", USER, "issueOrganizationToken", tokens::forOrganization, REFRESH);
        patch("/v1/auth/me", USER, "updateMe", me::update, FOR_IMPERSONATORS);
        delete("/v1/auth/me", USER, "deleteMe", me::delete, SIGN_IN);
        get("/v1/auth/me/sessions", USER, "listMySessions", sessions::listMine);
        delete("/v1/auth/me/sessions/:sessionId", USER, "endMySession", sessions::endOfUser, ENDS_SESSIONS);
        get("/v1/auth/me/grants", USER, "listMyGrants", oauthGrants::list);
        delete("/v1/auth/me/grants", USER, "withdrawMyGrant", oauthGrants::withdraw, QUERY);
        get("/v1/auth/me/api-keys", USER, "listMyApiKeys", userKeys::list);
        post("/v1/auth/me/api-keys", USER, "createMyApiKey", userKeys::create, SIGN_IN);
        delete("/v1/auth/me/api-keys/:keyId", USER, "deleteMyApiKey", userKeys::delete);
        post("/v1/auth/api-keys/token", PROJECT, "exchangeApiKey", userKeys::exchange, REFRESH);
        post("/v1/auth/verify-email", PROJECT, "verifyEmail", email::verify, CODE);
        post("/v1/auth/resend-code", PROJECT, "resendCode", email::resendCode, CODE);
        post("/v1/auth/me/email", USER, "requestEmailChange", email::requestChange, CODE);
        post("/v1/auth/me/email/verify", USER, "verifyEmailChange", email::verifyChange, CODE);
        post("/v1/auth/me/phone", USER, "requestPhoneVerification", phones::requestVerification, CODE);
        post("/v1/auth/me/phone/verify", USER, "verifyPhone", phones::verify, CODE);
        post("/v1/auth/passwordless/sms-otp", PROJECT, "requestSmsOtp", phones::requestSmsOtp, CODE)
                .asksForCaptcha(CaptchaPurpose.SMS_CODE);
        post("/v1/auth/email/undo", PROJECT, "undoEmailChange", email::undoChange, CODE);
        post("/v1/auth/password/forgot", PROJECT, "forgotPassword", password::forgot, CODE)
                .asksForCaptcha(CaptchaPurpose.FORGOT_PASSWORD);
        post("/v1/auth/password/reset", PROJECT, "resetPassword", password::reset, CODE);
        post("/v1/auth/password/change", USER, "changePassword", password::change, SIGN_IN);
        post("/v1/auth/reauthenticate", USER, "reauthenticate", reauthentication::reauthenticate, SIGN_IN);
    }

    /** Second factors. */
    private void secondFactors() {
        var signIn = app.authentication.signIns.signIn;
        var factors = app.authentication.factors.operations;
        post("/v1/auth/mfa/verify", PROJECT, "verifyMfa", signIn::verifyMfa, SIGN_IN);
        get("/v1/auth/mfa/status", USER, "getMfaStatus", factors::status);
        post("/v1/auth/mfa/totp/setup", PROJECT_OR_USER, "setUpTotp", factors::setUpTotp, SIGN_IN);
        post("/v1/auth/mfa/totp/verify-setup", PROJECT_OR_USER, "verifyTotpSetup", factors::verifyTotpSetup, SIGN_IN);
        post(
                "/v1/auth/mfa/backup-codes/regenerate",
                USER,
                "regenerateBackupCodes",
                factors::regenerateBackupCodes,
                SIGN_IN);
        post("/v1/auth/mfa/disable", USER, "disableMfa", factors::disable, SIGN_IN);
    }

    /** Without a password. */
    private void passwordless() {
        var passwordless = app.authentication.passwordless.operations;
        post("/v1/auth/passwordless/magic-link", PROJECT, "sendMagicLink", passwordless::sendMagicLink, CODE)
                .asksForCaptcha(CaptchaPurpose.MAGIC_LINK);
        post("/v1/auth/passwordless/email-otp", PROJECT, "sendEmailOtp", passwordless::sendEmailOtp, CODE)
                .asksForCaptcha(CaptchaPurpose.EMAIL_CODE);
        post("/v1/auth/passwordless/verify", PROJECT, "verifyPasswordless", passwordless::verify, CODE);
    }

    /** Passkeys. */
    private void passkeys() {
        var passkeys = app.authentication.passkeys.operations;
        post(
                "/v1/auth/passkeys/register/options",
                USER,
                "beginPasskeyRegistration",
                passkeys::beginRegistration,
                SIGN_IN);
        post(
                "/v1/auth/passkeys/register/verify",
                USER,
                "finishPasskeyRegistration",
                passkeys::finishRegistration,
                SIGN_IN);
        post("/v1/auth/passkeys/authenticate/options", PROJECT, "beginPasskeySignIn", passkeys::beginSignIn, OAUTH);
        post("/v1/auth/passkeys/authenticate/verify", PROJECT, "finishPasskeySignIn", passkeys::finishSignIn, SIGN_IN);
        get("/v1/auth/passkeys", USER, "listPasskeys", passkeys::list);
        patch("/v1/auth/passkeys/:passkeyId", USER, "renamePasskey", passkeys::rename);
        delete("/v1/auth/passkeys/:passkeyId", USER, "deletePasskey", passkeys::delete);
    }

    /** Wallets. */
    private void wallets() {
        var wallets = app.authentication.wallets.operations;
        post("/v1/auth/web3/nonce", PROJECT, "createWalletNonce", wallets::nonce, OAUTH);
        post("/v1/auth/web3/verify", PROJECT, "verifyWallet", wallets::verify, SIGN_IN);
        get("/v1/auth/web3/wallets", USER, "listWallets", wallets::list);
        post("/v1/auth/web3/wallets/link", USER, "linkWallet", wallets::link, SIGN_IN);
        post("/v1/auth/web3/link", USER, "linkWalletAlias", wallets::link, SIGN_IN);
        delete("/v1/auth/web3/wallets/:walletId", USER, "unlinkWallet", wallets::unlink);
    }

    /** Sign in with providers. */
    private void providers() {
        var providers = app.oauth.providers();
        var oauth = app.oauth.signIns;
        var redirects = app.oauth.redirects;
        var linked = app.oauth.linked;
        get("/v1/auth/providers", API_KEY, "listProviders", providers::list);
        get("/v1/auth/oauth/:provider/url", KEY_OR_USER, "getOauthUrl", oauth::url, OAUTH);
        post("/v1/auth/oauth/connection", API_KEY, "findConnection", oauth::connection, OAUTH);
        post("/v1/auth/oauth/callback", API_KEY, "oauthCallback", oauth::callback, OAUTH);
        post("/v1/auth/oauth/native", API_KEY, "nativeOauth", oauth::nativeSignIn, OAUTH);
        get("/v1/auth/oauth/redirect", OPEN, "oauthRedirect", redirects::redirect, OAUTH);
        post("/v1/auth/oauth/redirect", OPEN, "postOauthRedirect", redirects::postedRedirect, OAUTH, FORM);
        get("/v1/auth/oauth/redirect/:ownerId", OPEN, "oauthRedirectOfOwner", redirects::redirect, OAUTH);
        post(
                "/v1/auth/oauth/redirect/:ownerId",
                OPEN,
                "postOauthRedirectOfOwner",
                redirects::postedRedirect,
                OAUTH,
                FORM);
        post("/v1/auth/oauth/consent", OPEN, "oauthConsent", redirects::consent, OAUTH, FORM);
        get("/v1/auth/oauth/poll", API_KEY, "pollOauth", redirects::poll, OAUTH_POLL);
        get("/v1/auth/me/providers", USER, "listLinkedProviders", linked::list);
        post("/v1/auth/me/providers/:provider", USER, "linkProvider", linked::link, OAUTH);
        delete("/v1/auth/me/providers/:provider", USER, "unlinkProvider", linked::unlink);
    }

    /** Organizations, for their members. */
    private void organizationsOfMembers() {
        var organization = "/v1/auth/organizations/:organizationId";
        var organizations = app.organizations.operations;
        var members = app.organizations.members;
        var invitations = app.organizations.invitations;
        var domains = app.organizations.domains;
        var setupLinks = app.organizations.setups;
        var connections = app.organizations.connections;
        var directories = app.provisioning.directories;
        var keys = app.userKeys.ofOrganizations;
        get("/v1/auth/organizations", USER, "listMyOrganizations", organizations::listMine);
        post("/v1/auth/organizations", USER, "createMyOrganization", organizations::createMine, SIGN_UP);
        get(organization, USER, "getMyOrganization", organizations::get);
        patch(organization, USER, "updateMyOrganization", organizations::update);
        delete(organization, USER, "deleteMyOrganization", organizations::delete);
        post(organization + "/leave", USER, "leaveOrganization", members::leave);
        get(organization + "/members", USER, "listMyOrganizationMembers", members::list);
        patch(organization + "/members/:memberId", USER, "updateMyOrganizationMember", members::update);
        delete(organization + "/members/:memberId", USER, "removeMyOrganizationMember", members::remove);
        get(organization + "/invitations", USER, "listMyOrganizationInvitations", invitations::list);
        post(organization + "/invitations", USER, "inviteToMyOrganization", invitations::create, CODE);
        delete(
                organization + "/invitations/:invitationId",
                USER,
                "revokeMyOrganizationInvitation",
                invitations::revoke);
        post(
                organization + "/invitations/:invitationId/resend",
                USER,
                "resendMyOrganizationInvitation",
                invitations::resend,
                CODE);
        post(
                "/v1/auth/organizations/invitations/:token/accept",
                USER,
                "acceptOrganizationInvitation",
                invitations::accept,
                CODE);
        post(
                "/v1/auth/organizations/invitations/:token/reject",
                USER,
                "rejectOrganizationInvitation",
                invitations::reject,
                CODE);
        post(
                "/v1/auth/organizations/invitations/accept",
                KEY_OR_USER,
                "acceptOrganizationInvitationByToken",
                invitations::accept,
                CODE);
        post(
                "/v1/auth/organizations/invitations/reject",
                KEY_OR_USER,
                "rejectOrganizationInvitationByToken",
                invitations::reject,
                CODE);
        get("/v1/auth/organizations/suggestions", USER, "listSuggestedOrganizations", domains::suggestions);
        post(organization + "/join", USER, "joinSuggestedOrganization", domains::join, CODE);
        post(organization + "/setup-link", USER, "createMySetupLink", setupLinks::create, CODE);
        delete(organization + "/setup-link", USER, "revokeMySetupLink", setupLinks::revoke);
        get(organization + "/connections", USER, "listMyOrganizationConnections", connections::list);
        post(organization + "/connections", USER, "addMyOrganizationConnection", connections::add, CODE);
        patch(
                organization + "/connections/:connectionId",
                USER,
                "updateMyOrganizationConnection",
                connections::update,
                CODE);
        delete(
                organization + "/connections/:connectionId",
                USER,
                "removeMyOrganizationConnection",
                connections::remove);
        get(organization + "/domains", USER, "listMyOrganizationDomains", domains::list);
        post(organization + "/domains", USER, "addMyOrganizationDomain", domains::add);
        patch(organization + "/domains/:domainId", USER, "updateMyOrganizationDomain", domains::update);
        delete(organization + "/domains/:domainId", USER, "removeMyOrganizationDomain", domains::remove);
        post(organization + "/domains/:domainId/verify", USER, "verifyMyOrganizationDomain", domains::verify, CODE);
        get(organization + "/directories", USER, "listMyOrganizationDirectories", directories::list);
        post(organization + "/directories", USER, "createMyOrganizationDirectory", directories::create);
        patch(organization + "/directories/:directoryId", USER, "updateMyOrganizationDirectory", directories::update);
        delete(organization + "/directories/:directoryId", USER, "deleteMyOrganizationDirectory", directories::delete);
        post(organization + "/directories/:directoryId/tokens", USER, "createMyDirectoryToken", directories::addToken);
        delete(
                organization + "/directories/:directoryId/tokens/:tokenId",
                USER,
                "revokeMyDirectoryToken",
                directories::revokeToken);
        get(organization + "/api-keys", USER, "listMyOrganizationApiKeys", keys::list);
        post(organization + "/api-keys", USER, "createMyOrganizationApiKey", keys::create);
        delete(organization + "/api-keys/:keyId", USER, "deleteMyOrganizationApiKey", keys::delete);
    }

    /** The hosted page. */
    private void hostedPages() {
        var hosted = app.signInPages.api;
        var page = app.signInPages.page;
        var style = app.hosted.style;
        var authorizations = app.signInPages.authorizations;
        var devices = app.signInPages.devices;
        var logouts = app.signInPages.logouts;
        var account = app.accountPages.page;
        var setUp = app.setupPages.page;
        get("/v1/auth/hosted/url", API_KEY, "getHostedUrl", hosted::url, OAUTH);
        post("/v1/auth/hosted/callback", API_KEY, "hostedCallback", hosted::callback, OAUTH);
        get("/p/:slug/", OPEN, "showHostedPage", page::show);
        get("/p/:slug", OPEN, "enterHostedPage", page::enter);
        get("/p/:slug/style.css", OPEN, "getHostedStyle", style::get);
        get("/p/:slug/link", OPEN, "showHostedLink", page::showLink);
        post("/p/:slug/link", OPEN, "submitHostedLink", page::submit, FORM);
        get("/p/:slug/from-provider", OPEN, "returnFromProvider", page::returnFromProvider);
        get("/p/:slug/:form", OPEN, "leaveHostedForm", page::enter);
        get("/p/:slug/provider", OPEN, "leaveProviderForm", page::enter);
        post("/p/:slug/provider", OPEN, "leaveForProvider", page::leaveForProvider, FORM);
        get("/p/:slug/logout", OPEN, "showLogout", logouts::show);
        post("/p/:slug/logout", OPEN, "logOut", logouts::confirm, FORM);
        get("/p/:slug/account/", OPEN, "showAccountPage", account::show);
        get("/p/:slug/account", OPEN, "enterAccountPage", account::enter);
        get("/p/:slug/account/export", OPEN, "exportAccount", account::export);
        get("/p/:slug/account/from-provider", OPEN, "linkFromProvider", account::returnFromProvider);
        get("/p/:slug/account/:form", OPEN, "leaveAccountForm", account::leaveForm);
        post("/p/:slug/account/sign-in", OPEN, "signInToAccountAgain", account::signInAgain, FORM);
        post("/p/:slug/account/:form", OPEN, "submitAccountForm", account::submit, FORM, QUERY);
        get("/p/:slug/setup/", OPEN, "showSetup", setUp::show);
        get("/p/:slug/setup/:form", OPEN, "leaveSetupForm", setUp::leaveForm);
        post("/p/:slug/setup/:form", OPEN, "submitSetupForm", setUp::submit, FORM);
        get("/p/:slug/authorize", OPEN, "showAuthorization", authorizations::show);
        get("/p/:slug/device", OPEN, "showDevice", devices::show);
        post("/p/:slug/device", OPEN, "enterDeviceCode", devices::enter, FORM);
        get("/p/:slug/consent", OPEN, "leaveConsentForm", page::enter);
        post("/p/:slug/consent", OPEN, "decideAuthorization", authorizations::decide, FORM);
        get("/p/:slug/go-on", OPEN, "leaveBackupCodesForm", page::enter);
        post("/p/:slug/go-on", OPEN, "leaveBackupCodes", page::leaveBackupCodes, FORM);
        post("/p/:slug/passkey-challenge", OPEN, "beginHostedPasskey", page::beginPasskey, FORM);
        post("/p/:slug/:form", OPEN, "submitHostedForm", page::submit, FORM);
    }

    /** What anyone can read. */
    private void published() {
        var branding = app.projects.branding;
        var signingKeys = app.tokens.signingKeyOperations;
        var oauthServer = app.authorizationServer.operations;
        var captchas = app.captchas.operations;
        get("/v1/auth/branding", API_KEY, "getBranding", branding::get);
        get("/v1/openapi.json", OPEN, "getOpenApi", OPEN_API::get);
        get("/v1/projects/:projectId/.well-known/jwks.json", KNOWN_PROJECT, "getJwks", signingKeys::jwks);
        get("/v1/projects/:projectId/.well-known/openid-configuration", ISSUER, "getIssuer", oauthServer::discovery);
        get("/v1/projects/:projectId/captcha", KNOWN_PROJECT, "getCaptcha", captchas::challenge, CAPTCHA);
        get(
                "/v1/projects/:projectId/.well-known/oauth-authorization-server",
                ISSUER,
                "getAuthorizationServer",
                oauthServer::discovery);
        get(
                "/.well-known/oauth-authorization-server/v1/projects/:projectId",
                ISSUER,
                "getAuthorizationServerOfHost",
                oauthServer::discovery);
        get(
                "/.well-known/openid-configuration/v1/projects/:projectId",
                ISSUER,
                "getIssuerOfHost",
                oauthServer::discovery);
    }

    /** The project as an OAuth 2.1 authorization server and OpenID provider. */
    private void authorizationServer() {
        var issuer = "/v1/projects/:projectId/oauth";
        var authorizations = app.signInPages.authorizations;
        var logouts = app.signInPages.logouts;
        var requests = app.authorizationServer.requests;
        var registrations = app.authorizationServer.registrations;
        var server = app.authorizationServer.operations;
        get(issuer + "/authorize", ISSUER, "authorize", authorizations::begin, PAGE, QUERY);
        post(issuer + "/authorize", ISSUER, "postAuthorize", authorizations::begin, PAGE, FORM);
        post(issuer + "/par", ISSUER, "pushAuthorization", requests::push, OAUTH_SERVER, FORM);
        post(issuer + "/device_authorization", ISSUER, "authorizeDevice", requests::device, OAUTH_SERVER, FORM);
        post(issuer + "/register", ISSUER, "registerClient", registrations::register, OAUTH_SERVER);
        get(issuer + "/register/:clientId", ISSUER, "readClient", registrations::read, OAUTH_SERVER);
        put(issuer + "/register/:clientId", ISSUER, "replaceClient", registrations::replace, OAUTH_SERVER);
        delete(issuer + "/register/:clientId", ISSUER, "removeClient", registrations::remove, OAUTH_SERVER);
        post(issuer + "/revoke", ISSUER, "revoke", server::revoke, OAUTH_SERVER, FORM);
        get(issuer + "/logout", ISSUER, "logout", logouts::begin, PAGE, QUERY);
        post(issuer + "/logout", ISSUER, "postLogout", logouts::begin, PAGE, FORM);
    }

    /** Pages, which are not part of the API. */
    private void pages() {
        var assets = app.pages.assets;
        var console = app.pages.console;
        var previews = app.pages.previews;
        var documentation = app.pages.documentation;
        get("/assets/:version/*", OPEN, "getAsset", assets::get);
        get("/", OPEN, "enter", console::enter);
        get("/console", OPEN, "getConsole", console::get);
        get("/console/", OPEN, "getConsolePage", console::get);
        get("/console/preview", OPEN, "getPreviewFrame", previews::frame);
        get("/console/*", OPEN, "enterScreen", console::enterScreen);
        get("/docs", OPEN, "getDocumentation", documentation::get);
        get("/docs/:page", OPEN, "getDocumentationPage", documentation::get);
    }

    /** Accounts of dashboard users, who refresh, sign out and see their profile as all users do. */
    private void dashboardAccounts() {
        var auth = "/v1/dashboard/auth";
        var accounts = app.authentication.dashboard.accounts;
        var dashboard = app.authentication.dashboard.sessions;
        var email = app.authentication.signIns.email;
        var password = app.authentication.signIns.password;
        var sessions = app.sessions.operations;
        get(auth + "/registration", DASHBOARD, "getRegistration", accounts::getRegistration, OAUTH);
        post(auth + "/register", DASHBOARD, "register", accounts::register, DASHBOARD_REGISTER);
        post(auth + "/login", DASHBOARD, "login", dashboard::login, DASHBOARD_LOGIN);
        post(auth + "/refresh", DASHBOARD, "refreshDashboardToken", dashboard::refresh, REFRESH, NO_BODY);
        post(auth + "/signout", DASHBOARD_USER, "signOutOfDashboard", dashboard::signOut, NO_BODY);
        post(auth + "/mfa/verify", DASHBOARD, "verifyDashboardMfa", dashboard::verifyMfa, DASHBOARD_LOGIN);
        post(auth + "/verify-email", DASHBOARD, "verifyDashboardEmail", dashboard::verifyEmail, CODE);
        post(auth + "/resend-code", DASHBOARD, "resendDashboardCode", email::resendCode, CODE);
        post(auth + "/email/undo", DASHBOARD, "undoDashboardEmailChange", email::undoChange, CODE);
        post(auth + "/password/forgot", DASHBOARD, "forgotDashboardPassword", password::forgot, CODE);
        post(auth + "/password/reset", DASHBOARD, "resetDashboardPassword", password::reset, CODE);
        post(auth + "/password/change", DASHBOARD_USER, "changeDashboardPassword", password::change, DASHBOARD_LOGIN);
        get(auth + "/sessions", DASHBOARD_USER, "listOwnSessions", sessions::listForUser);
        delete(auth + "/sessions", DASHBOARD_USER, "endOwnSessions", sessions::endAllOwn);
        delete(auth + "/sessions/:sessionId", DASHBOARD_USER, "endOwnSession", sessions::endOfUser);
    }

    /** Projects, for dashboard users. */
    private void projects() {
        var project = "/v1/dashboard/projects/:projectId";
        var dashboardAccounts = app.authentication.dashboard.accounts;
        var projects = app.projects.operations;
        var statistics = app.projects.statistics;
        var apiKeys = app.projects.keys;
        var clients = app.authorizationServer.clients;
        var apis = app.authorizationServer.resources;
        var templates = app.tokens.templateOperations;
        var signingKeys = app.tokens.signingKeyOperations;
        var members = app.projects.members;
        var branding = app.projects.branding;
        var messageTexts = app.mail.texts;
        var previews = app.pages.previews;
        var providers = app.oauth.providers();
        var captchas = app.captchas.operations;
        var trials = app.oauth.trials;
        var impersonations = app.authentication.dashboard.impersonations;
        post(
                "/v1/dashboard/invitations/:token/accept",
                DASHBOARD_USER,
                "acceptInvitation",
                dashboardAccounts::acceptInvitation,
                DASHBOARD_MEMBERS,
                NO_BODY);
        get("/v1/dashboard/projects", DASHBOARD_USER, "listProjects", projects::list, QUERY);
        post("/v1/dashboard/projects", DASHBOARD_USER, "createProject", projects::create);
        get(project, MEMBER, "getProject", projects::get);
        patch(project, DEVELOPER, "updateProject", projects::update, NO_RECENT_SIGN_IN);
        delete(project, OWNER, "deleteProject", projects::delete);
        get(project + "/statistics", MEMBER, "getProjectStatistics", statistics::get, QUERY);
        get(project + "/keys", MEMBER, "listKeys", apiKeys::list, QUERY);
        post(project + "/keys", DEVELOPER, "createKey", apiKeys::create);
        patch(project + "/keys/:keyId", DEVELOPER, "updateKey", apiKeys::update);
        delete(project + "/keys/:keyId", DEVELOPER, "revokeKey", apiKeys::revoke);
        get(project + "/oauth-clients", MEMBER, "listOauthClients", clients::list);
        post(project + "/oauth-clients", DEVELOPER, "createOauthClient", clients::create);
        get(project + "/oauth-clients/:clientId", MEMBER, "getOauthClient", clients::get);
        patch(project + "/oauth-clients/:clientId", DEVELOPER, "updateOauthClient", clients::update);
        delete(project + "/oauth-clients/:clientId", DEVELOPER, "deleteOauthClient", clients::delete);
        post(
                project + "/oauth-clients/:clientId/secrets",
                DEVELOPER,
                "createOauthClientSecret",
                clients::createSecret,
                NO_BODY);
        delete(
                project + "/oauth-clients/:clientId/secrets/:secretId",
                DEVELOPER,
                "deleteOauthClientSecret",
                clients::deleteSecret);
        get(project + "/oauth-apis", MEMBER, "listOauthApis", apis::list);
        post(project + "/oauth-apis", DEVELOPER, "createOauthApi", apis::create);
        put(project + "/oauth-apis/:apiId", DEVELOPER, "updateOauthApi", apis::update);
        delete(project + "/oauth-apis/:apiId", DEVELOPER, "deleteOauthApi", apis::delete);
        get(project + "/jwt-templates", MEMBER, "listProjectJwtTemplates", templates::list);
        post(project + "/jwt-templates", DEVELOPER, "createProjectJwtTemplate", templates::create);
        put(project + "/jwt-templates/:templateId", DEVELOPER, "updateProjectJwtTemplate", templates::update);
        delete(project + "/jwt-templates/:templateId", DEVELOPER, "deleteProjectJwtTemplate", templates::delete);
        post(project + "/jwt-templates/preview", MEMBER, "previewJwtTemplate", templates::preview);
        post(project + "/signing-keys/rotate", DEVELOPER, "rotateSigningKeys", signingKeys::rotate, SIGNING_KEYS);
        get(project + "/members", MEMBER, "listMembers", members::list, QUERY);
        post(project + "/members", OWNER, "addMember", members::add, DASHBOARD_MEMBERS);
        patch(project + "/members/:memberId", OWNER, "updateMember", members::update);
        delete(project + "/members/:memberId", MEMBER, "removeMember", members::remove);
        get(project + "/branding", MEMBER, "getProjectBranding", branding::getOfProject);
        patch(project + "/branding", DEVELOPER, "updateBranding", branding::update, BRANDING, NO_RECENT_SIGN_IN)
                .bodyLimit(BRANDING_BYTES);
        post(project + "/branding/preview", MEMBER, "previewBranding", previews::branding, BRANDING)
                .bodyLimit(BRANDING_BYTES);
        get(project + "/message-texts", MEMBER, "listMessageTexts", messageTexts::list, QUERY);
        var message = project + "/message-texts/:message/:language";
        get(message, MEMBER, "getMessageTexts", messageTexts::get);
        put(message, DEVELOPER, "setMessageTexts", messageTexts::set);
        delete(message, DEVELOPER, "resetMessageTexts", messageTexts::reset);
        post(message + "/preview", MEMBER, "previewMessageTexts", previews::messageTexts, BRANDING);
        get(project + "/providers", MEMBER, "listProviderSettings", providers::listSettings);
        put(project + "/captcha-secret", DEVELOPER, "setCaptchaSecret", captchas::setSecret);
        put(project + "/providers/:provider", DEVELOPER, "setProvider", providers::set);
        delete(project + "/providers/:provider", DEVELOPER, "deleteProvider", providers::delete);
        post(
                project + "/providers/:provider/test",
                DEVELOPER,
                "testProvider",
                trials::begin,
                OAUTH,
                NO_RECENT_SIGN_IN,
                NO_BODY);
        get(project + "/providers/:provider/test", DEVELOPER, "getProviderTest", trials::get);
        post(project + "/users/:userId/impersonate", OWNER, "impersonateUser", impersonations::impersonate);
        post(
                project + "/users/:userId/impersonate/in-browser",
                OWNER,
                "impersonateUserInBrowser",
                app.signInPages.impersonations::begin);
    }

    /** The server and all projects, for its administrators. */
    private void administration() {
        var allProjects = app.administration.projects;
        var serverState = app.administration.state;
        get("/v1/dashboard/administration/projects", ADMINISTRATOR, "listAllProjects", allProjects::list, QUERY);
        post(
                "/v1/dashboard/administration/projects/:projectId/adopt",
                ADMINISTRATOR,
                "adoptProject",
                allProjects::adopt,
                NO_BODY);
        get("/v1/dashboard/administration/nodes", ADMINISTRATOR, "listNodes", serverState::listNodes);
        get("/v1/dashboard/administration/health", ADMINISTRATOR, "getServerHealth", serverState::health);
        get("/v1/dashboard/administration/settings", ADMINISTRATOR, "listServerSettings", serverState::listSettings);
    }

    /** Users and their sessions, for the application's servers and for members. */
    private void users() {
        var user = "/v1/dashboard/users/:userId";
        var users = app.users.operations;
        var imports = app.users.imports;
        var exports = app.users.exports;
        var password = app.authentication.signIns.password;
        var factors = app.authentication.factors.operations;
        var wallets = app.authentication.wallets.operations;
        var passkeys = app.authentication.passkeys.operations;
        var linked = app.oauth.linked;
        var sessions = app.sessions.operations;
        var grants = app.authorizationServer.grants;
        get("/v1/dashboard/users", SERVER_OR_MEMBER, "listUsers", users::list, QUERY);
        post("/v1/dashboard/users", SERVER_OR_SUPPORT, "createUser", users::create);
        post(
                "/v1/dashboard/users/import",
                SERVER_OR_DEVELOPER,
                "importUsers",
                imports::importUsers,
                QUERY,
                NDJSON,
                STREAMED);
        get("/v1/dashboard/users/export", SERVER_OR_SUPPORT, "exportUsers", exports::export, QUERY, STREAMED);
        get(user, SERVER_OR_MEMBER, "getUser", users::get);
        patch(user, SERVER_OR_SUPPORT, "updateUser", users::update, NO_RECENT_SIGN_IN);
        delete(user, SERVER_OR_SUPPORT, "deleteUser", users::delete);
        patch(user + "/ban", SERVER_OR_SUPPORT, "banUser", users::ban, NO_RECENT_SIGN_IN, NO_BODY);
        patch(user + "/unban", SERVER_OR_SUPPORT, "unbanUser", users::unban, NO_BODY);
        post(user + "/unlock", SERVER_OR_SUPPORT, "unlockUser", users::unlock, NO_BODY);
        post(
                user + "/password-reset",
                SERVER_OR_SUPPORT,
                "sendPasswordReset",
                password::sendReset,
                NO_RECENT_SIGN_IN,
                NO_BODY);
        delete(user + "/factors", SERVER_OR_SUPPORT, "resetUserFactors", factors::reset);
        get(user + "/web3-wallets", SERVER_OR_MEMBER, "listWalletsOfUser", wallets::list);
        delete(user + "/web3-wallets/:walletId", SERVER_OR_SUPPORT, "unlinkWalletOfUser", wallets::unlinkForUser);
        get(user + "/passkeys", SERVER_OR_MEMBER, "listPasskeysOfUser", passkeys::list);
        delete(user + "/passkeys/:passkeyId", SERVER_OR_SUPPORT, "deletePasskeyOfUser", passkeys::deleteForUser);
        get(user + "/providers/:provider/tokens", SERVER, "getProviderTokens", linked::tokens);
        get(user + "/sessions", SERVER_OR_MEMBER, "listUserSessions", sessions::listForUser, QUERY);
        delete(
                user + "/sessions",
                SERVER_OR_SUPPORT,
                "revokeUserSessions",
                sessions::revokeAllForUser,
                NO_RECENT_SIGN_IN);
        get(user + "/grants", SERVER_OR_MEMBER, "listUserGrants", grants::list);
        delete(user + "/grants", SERVER_OR_SUPPORT, "withdrawUserGrant", grants::withdraw, QUERY);
        get("/v1/dashboard/sessions", SERVER_OR_MEMBER, "listSessions", sessions::list, QUERY);
        delete(
                "/v1/dashboard/sessions/:sessionId",
                SERVER_OR_SUPPORT,
                "revokeSession",
                sessions::revoke,
                NO_RECENT_SIGN_IN);
    }

    /** The paths that servers with the published SDK call, with the same handlers if the answers agree. */
    private void backendUsers() {
        var user = "/v1/backend/users/:userId";
        var users = app.users.operations;
        var factors = app.authentication.factors.operations;
        var passwordless = app.authentication.passwordless.operations;
        var wallets = app.authentication.wallets.operations;
        var passkeys = app.authentication.passkeys.operations;
        var keys = app.userKeys.operations;
        var sessions = app.sessions.operations;
        var grants = app.authorizationServer.grants;
        get("/v1/backend/users", SERVER, "listBackendUsers", users::listForBackend, QUERY);
        post("/v1/backend/users", SERVER, "createBackendUser", users::create);
        get("/v1/backend/users/by-external-id/:externalId", SERVER, "getUserByExternalId", users::getByExternalId);
        get(user, SERVER, "getBackendUser", users::get);
        patch(user, SERVER, "updateBackendUser", users::update);
        delete(user, SERVER, "deleteBackendUser", users::delete);
        post(user + "/ban", SERVER, "banBackendUser", users::banForBackend);
        post(user + "/unban", SERVER, "unbanBackendUser", users::unbanForBackend, NO_BODY);
        delete(user + "/factors", SERVER, "resetBackendUserFactors", factors::reset);
        post("/v1/backend/passwordless/send", SERVER, "sendBackendPasswordless", passwordless::sendForBackend);
        post("/v1/backend/passwordless/verify", SERVER, "verifyBackendPasswordless", passwordless::verifyForBackend);
        get(user + "/web3-wallets", SERVER, "listUserWallets", wallets::list);
        delete(user + "/web3-wallets/:walletId", SERVER, "unlinkUserWallet", wallets::unlinkForUser);
        post("/v1/backend/web3/verify-signature", SERVER, "verifyWalletSignature", wallets::verifySignature);
        get(user + "/passkeys", SERVER, "listUserPasskeys", passkeys::list);
        delete(user + "/passkeys/:passkeyId", SERVER, "deleteUserPasskey", passkeys::deleteForUser);
        get(user + "/api-keys", SERVER, "listUserApiKeys", keys::list);
        post(user + "/api-keys", SERVER, "createUserApiKey", keys::create);
        delete(user + "/api-keys/:keyId", SERVER, "deleteUserApiKey", keys::delete);
        get(user + "/sessions", SERVER, "listBackendUserSessions", sessions::listAllForUser);
        delete(user + "/sessions/:sessionId", SERVER, "revokeUserSession", sessions::endOfUser);
        get(user + "/grants", SERVER, "listBackendUserGrants", grants::list);
        delete(user + "/grants", SERVER, "withdrawBackendUserGrant", grants::withdraw, QUERY);
    }

    /** Organizations, for management. */
    private void managedOrganizations() {
        var organization = "/v1/dashboard/organizations/:organizationId";
        var backendOrganization = "/v1/backend/organizations/:organizationId";
        var organizations = app.organizations.operations;
        var members = app.organizations.members;
        var invitations = app.organizations.invitations;
        var setupLinks = app.organizations.setups;
        var connections = app.organizations.connections;
        var domains = app.organizations.domains;
        var directories = app.provisioning.directories;
        var keys = app.userKeys.ofOrganizations;
        get("/v1/dashboard/organizations", SERVER_OR_MEMBER, "listOrganizations", organizations::list, QUERY);
        post("/v1/dashboard/organizations", SERVER_OR_SUPPORT, "createOrganization", organizations::create);
        get(organization, SERVER_OR_MEMBER, "getOrganization", organizations::get);
        patch(organization, SERVER_OR_SUPPORT, "updateOrganization", organizations::update);
        delete(organization, SERVER_OR_SUPPORT, "deleteOrganization", organizations::delete);
        get(organization + "/members", SERVER_OR_MEMBER, "listOrganizationMembers", members::listForDashboard, QUERY);
        post(organization + "/members", SERVER_OR_SUPPORT, "addOrganizationMember", members::add);
        patch(organization + "/members/:memberId", SERVER_OR_SUPPORT, "updateOrganizationMember", members::update);
        delete(organization + "/members/:memberId", SERVER_OR_SUPPORT, "removeOrganizationMember", members::remove);
        get(
                "/v1/dashboard/users/:userId/organizations",
                SERVER_OR_MEMBER,
                "listUserOrganizations",
                organizations::listForUser,
                QUERY);
        get("/v1/backend/organizations", SERVER, "listBackendOrganizations", organizations::listForBackend, QUERY);
        post("/v1/backend/organizations", SERVER, "createBackendOrganization", organizations::create);
        get(backendOrganization, SERVER, "getBackendOrganization", organizations::get);
        patch(backendOrganization, SERVER, "updateBackendOrganization", organizations::update);
        delete(backendOrganization, SERVER, "deleteBackendOrganization", organizations::delete);
        get(backendOrganization + "/members", SERVER, "listBackendOrganizationMembers", members::list, QUERY);
        post(backendOrganization + "/members", SERVER, "addBackendOrganizationMember", members::add);
        patch(backendOrganization + "/members/:memberId", SERVER, "updateBackendOrganizationMember", members::update);
        delete(backendOrganization + "/members/:memberId", SERVER, "removeBackendOrganizationMember", members::remove);
        get(
                organization + "/invitations",
                SERVER_OR_MEMBER,
                "listOrganizationInvitations",
                invitations::listForDashboard,
                QUERY);
        post(organization + "/invitations", SERVER_OR_SUPPORT, "inviteToOrganization", invitations::create);
        delete(
                organization + "/invitations/:invitationId",
                SERVER_OR_SUPPORT,
                "revokeOrganizationInvitation",
                invitations::revoke);
        post(
                organization + "/invitations/:invitationId/resend",
                SERVER_OR_SUPPORT,
                "resendOrganizationInvitation",
                invitations::resend,
                NO_BODY);
        get(
                backendOrganization + "/invitations",
                SERVER,
                "listBackendOrganizationInvitations",
                invitations::list,
                QUERY);
        post(backendOrganization + "/invitations", SERVER, "inviteBackendUserToOrganization", invitations::create);
        delete(
                backendOrganization + "/invitations/:invitationId",
                SERVER,
                "revokeBackendOrganizationInvitation",
                invitations::revoke);
        post(
                backendOrganization + "/invitations/:invitationId/resend",
                SERVER,
                "resendBackendOrganizationInvitation",
                invitations::resend,
                NO_BODY);
        post(organization + "/setup-link", SERVER_OR_DEVELOPER, "createSetupLink", setupLinks::create, CODE);
        delete(organization + "/setup-link", SERVER_OR_DEVELOPER, "revokeSetupLink", setupLinks::revoke);
        get(organization + "/connections", SERVER_OR_MEMBER, "listOrganizationConnections", connections::list);
        post(organization + "/connections", SERVER_OR_DEVELOPER, "addOrganizationConnection", connections::add, CODE);
        patch(
                organization + "/connections/:connectionId",
                SERVER_OR_DEVELOPER,
                "updateOrganizationConnection",
                connections::update,
                CODE);
        delete(
                organization + "/connections/:connectionId",
                SERVER_OR_DEVELOPER,
                "removeOrganizationConnection",
                connections::remove);
        get(organization + "/domains", SERVER_OR_MEMBER, "listOrganizationDomains", domains::list);
        post(organization + "/domains", SERVER_OR_SUPPORT, "addOrganizationDomain", domains::add);
        patch(organization + "/domains/:domainId", SERVER_OR_SUPPORT, "updateOrganizationDomain", domains::update);
        delete(organization + "/domains/:domainId", SERVER_OR_SUPPORT, "removeOrganizationDomain", domains::remove);
        post(
                organization + "/domains/:domainId/verify",
                SERVER_OR_SUPPORT,
                "verifyOrganizationDomain",
                domains::verify,
                CODE,
                NO_BODY);
        get(organization + "/directories", SERVER_OR_MEMBER, "listOrganizationDirectories", directories::list);
        post(organization + "/directories", SERVER_OR_DEVELOPER, "createOrganizationDirectory", directories::create);
        patch(
                organization + "/directories/:directoryId",
                SERVER_OR_DEVELOPER,
                "updateOrganizationDirectory",
                directories::update);
        delete(
                organization + "/directories/:directoryId",
                SERVER_OR_DEVELOPER,
                "deleteOrganizationDirectory",
                directories::delete);
        post(
                organization + "/directories/:directoryId/tokens",
                SERVER_OR_DEVELOPER,
                "createDirectoryToken",
                directories::addToken,
                NO_BODY);
        delete(
                organization + "/directories/:directoryId/tokens/:tokenId",
                SERVER_OR_DEVELOPER,
                "revokeDirectoryToken",
                directories::revokeToken);
        get(organization + "/api-keys", SERVER_OR_MEMBER, "listOrganizationApiKeys", keys::list);
        post(organization + "/api-keys", SERVER_OR_DEVELOPER, "createOrganizationApiKey", keys::create);
        delete(organization + "/api-keys/:keyId", SERVER_OR_DEVELOPER, "deleteOrganizationApiKey", keys::delete);
    }

    /** Provisioning (SCIM). */
    private void provisioning() {
        var directory = "/v1/scim/:projectId/:directoryId";
        var users = app.provisioning.users;
        var groups = app.provisioning.groups;
        var service = app.provisioning.service;
        get(directory + "/Users", DIRECTORY, "listScimUsers", users::list, SCIM);
        post(directory + "/Users", DIRECTORY, "createScimUser", users::create, SCIM, SCIM_JSON);
        get(directory + "/Users/:userId", DIRECTORY, "getScimUser", users::get, SCIM);
        put(directory + "/Users/:userId", DIRECTORY, "replaceScimUser", users::replace, SCIM, SCIM_JSON);
        patch(directory + "/Users/:userId", DIRECTORY, "patchScimUser", users::patch, SCIM, SCIM_JSON);
        delete(directory + "/Users/:userId", DIRECTORY, "deleteScimUser", users::delete, SCIM);
        get(directory + "/Groups", DIRECTORY, "listScimGroups", groups::list, SCIM);
        post(directory + "/Groups", DIRECTORY, "createScimGroup", groups::create, SCIM, SCIM_JSON)
                .bodyLimit(SCIM_GROUP_BYTES);
        get(directory + "/Groups/:groupId", DIRECTORY, "getScimGroup", groups::get, SCIM);
        put(directory + "/Groups/:groupId", DIRECTORY, "replaceScimGroup", groups::replace, SCIM, SCIM_JSON)
                .bodyLimit(SCIM_GROUP_BYTES);
        patch(directory + "/Groups/:groupId", DIRECTORY, "patchScimGroup", groups::patch, SCIM, SCIM_JSON)
                .bodyLimit(SCIM_GROUP_BYTES);
        delete(directory + "/Groups/:groupId", DIRECTORY, "deleteScimGroup", groups::delete, SCIM);
        get(directory + "/ServiceProviderConfig", DIRECTORY, "getScimServiceProviderConfig", service::config, SCIM);
        get(directory + "/ResourceTypes", DIRECTORY, "listScimResourceTypes", service::listResourceTypes, SCIM);
        get(directory + "/ResourceTypes/:name", DIRECTORY, "getScimResourceType", service::getResourceType, SCIM);
        get(directory + "/Schemas", DIRECTORY, "listScimSchemas", service::listSchemas, SCIM);
        get(directory + "/Schemas/:name", DIRECTORY, "getScimSchema", service::getSchema, SCIM);
        post(directory + "/.search", DIRECTORY, "searchScimResources", service::search, SCIM, SCIM_JSON);
    }

    /** Who did what. */
    private void auditLogs() {
        var auditLog = app.journal.operations;
        get("/v1/dashboard/audit-logs", SERVER_OR_MEMBER, "listAuditLogs", auditLog::list, QUERY);
        get("/v1/dashboard/projects/:projectId/audit-logs", MEMBER, "listProjectAuditLogs", auditLog::list, QUERY);
        get("/v1/dashboard/audit-logs/export", SERVER_OR_SUPPORT, "exportAuditLogs", auditLog::export, QUERY, STREAMED);
        get("/v1/backend/audit-logs", SERVER, "listBackendAuditLogs", auditLog::list, QUERY);
    }

    /** Claims that the project adds to access tokens. */
    private void claims() {
        var templates = app.tokens.templateOperations;
        var revocations = app.tokens.revocations;
        get("/v1/backend/jwt-templates", SERVER, "listJwtTemplates", templates::list);
        post("/v1/backend/jwt-templates", SERVER, "createJwtTemplate", templates::create);
        get("/v1/backend/jwt-templates/:templateId", SERVER, "getJwtTemplate", templates::get);
        put("/v1/backend/jwt-templates/:templateId", SERVER, "updateJwtTemplate", templates::update);
        delete("/v1/backend/jwt-templates/:templateId", SERVER, "deleteJwtTemplate", templates::delete);
        get("/v1/backend/revocations", SERVER, "listRevocations", revocations::list, QUERY);
        post("/v1/backend/sessions/:sessionId/token", SERVER, "issueSessionToken", templates::issue);
    }

    /** Webhooks, for the application's servers and for members. */
    private void webhooks() {
        var webhook = "/v1/dashboard/webhooks/:webhookId";
        var webhooks = app.webhooks.endpointOperations;
        var deliveries = app.webhooks.deliveryOperations;
        get("/v1/dashboard/webhooks", SERVER_OR_MEMBER, "listWebhooks", webhooks::list, QUERY);
        post("/v1/dashboard/webhooks", SERVER_OR_DEVELOPER, "createWebhook", webhooks::create);
        get(webhook, SERVER_OR_MEMBER, "getWebhook", webhooks::get);
        patch(webhook, SERVER_OR_DEVELOPER, "updateWebhook", webhooks::update);
        delete(webhook, SERVER_OR_DEVELOPER, "deleteWebhook", webhooks::delete);
        post(webhook + "/rotate-secret", SERVER_OR_DEVELOPER, "rotateWebhookSecret", webhooks::rotateSecret, NO_BODY);
        post(webhook + "/test", SERVER_OR_DEVELOPER, "testWebhook", webhooks::test, NO_RECENT_SIGN_IN, NO_BODY);
        get(webhook + "/deliveries", SERVER_OR_MEMBER, "listDeliveries", deliveries::list, QUERY);
        get(
                "/v1/dashboard/projects/:projectId/webhooks/:webhookId/deliveries",
                MEMBER,
                "listProjectDeliveries",
                deliveries::list,
                QUERY);
        get(webhook + "/deliveries/:deliveryId", SERVER_OR_MEMBER, "getDelivery", deliveries::get);
        post(
                webhook + "/deliveries/retry",
                SERVER_OR_DEVELOPER,
                "retryDeadDeliveries",
                deliveries::retryDead,
                NO_RECENT_SIGN_IN,
                NO_BODY);
        post(
                webhook + "/deliveries/:deliveryId/retry",
                SERVER_OR_DEVELOPER,
                "retryDelivery",
                deliveries::retry,
                NO_RECENT_SIGN_IN,
                NO_BODY);
    }

    private Route get(String path, Guard guard, String operation, ApiHandler handler, Property... properties) {
        return add(HttpMethod.GET, path, guard, operation, handler, null, properties);
    }

    private Route get(
            String path, Guard guard, String operation, ApiHandler handler, Quota quota, Property... properties) {
        return add(HttpMethod.GET, path, guard, operation, handler, quota, properties);
    }

    private Route post(String path, Guard guard, String operation, ApiHandler handler, Property... properties) {
        return add(HttpMethod.POST, path, guard, operation, handler, null, properties);
    }

    private Route post(
            String path, Guard guard, String operation, ApiHandler handler, Quota quota, Property... properties) {
        return add(HttpMethod.POST, path, guard, operation, handler, quota, properties);
    }

    private Route put(String path, Guard guard, String operation, ApiHandler handler, Property... properties) {
        return add(HttpMethod.PUT, path, guard, operation, handler, null, properties);
    }

    private Route put(
            String path, Guard guard, String operation, ApiHandler handler, Quota quota, Property... properties) {
        return add(HttpMethod.PUT, path, guard, operation, handler, quota, properties);
    }

    private Route patch(String path, Guard guard, String operation, ApiHandler handler, Property... properties) {
        return add(HttpMethod.PATCH, path, guard, operation, handler, null, properties);
    }

    private Route patch(
            String path, Guard guard, String operation, ApiHandler handler, Quota quota, Property... properties) {
        return add(HttpMethod.PATCH, path, guard, operation, handler, quota, properties);
    }

    private Route delete(String path, Guard guard, String operation, ApiHandler handler, Property... properties) {
        return add(HttpMethod.DELETE, path, guard, operation, handler, null, properties);
    }

    private Route delete(
            String path, Guard guard, String operation, ApiHandler handler, Quota quota, Property... properties) {
        return add(HttpMethod.DELETE, path, guard, operation, handler, quota, properties);
    }

    private Route add(
            HttpMethod method,
            String path,
            Guard guard,
            String operation,
            ApiHandler handler,
            @Nullable Quota quota,
            Property... properties) {
        var route = new Route(method, path, guard, operation, handler, quota, Set.of(properties));
        routes.add(route);
        return route;
    }
}
