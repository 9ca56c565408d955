package dev.vestibule.server;

import static dev.vestibule.access.Guard.API_KEY;
import static dev.vestibule.access.Guard.DASHBOARD_USER;
import static dev.vestibule.access.Guard.KEY_OR_USER;
import static dev.vestibule.access.Guard.MEMBER;
import static dev.vestibule.access.Guard.OPEN;
import static dev.vestibule.access.Guard.OWNER;
import static dev.vestibule.access.Guard.PROJECT;
import static dev.vestibule.access.Guard.REFRESH_TOKEN;
import static dev.vestibule.access.Guard.SECRET_KEY;
import static dev.vestibule.access.Guard.USER;
import static dev.vestibule.server.Route.delete;
import static dev.vestibule.server.Route.get;
import static dev.vestibule.server.Route.patch;
import static dev.vestibule.server.Route.post;
import static dev.vestibule.server.Route.put;

import dev.vestibule.authentication.GetMeHandler;
import dev.vestibule.authentication.RefreshAccessTokenHandler;
import dev.vestibule.authentication.RefreshTokenHandler;
import dev.vestibule.authentication.SignInHandler;
import dev.vestibule.authentication.SignOutHandler;
import dev.vestibule.authentication.SignUpHandler;
import dev.vestibule.authentication.UpdateMeHandler;
import dev.vestibule.authentication.VerifyTokenHandler;
import dev.vestibule.authentication.dashboard.LoginHandler;
import dev.vestibule.authentication.dashboard.RegisterHandler;
import dev.vestibule.authentication.email.ResendCodeHandler;
import dev.vestibule.authentication.email.VerifyEmailHandler;
import dev.vestibule.authentication.password.ChangePasswordHandler;
import dev.vestibule.authentication.password.ForgotPasswordHandler;
import dev.vestibule.authentication.password.ResetPasswordHandler;
import dev.vestibule.limits.Quota;
import dev.vestibule.oauth.provider.DeleteProviderHandler;
import dev.vestibule.oauth.provider.SetProviderHandler;
import dev.vestibule.project.CreateKeyHandler;
import dev.vestibule.project.CreateProjectHandler;
import dev.vestibule.project.DeleteProjectHandler;
import dev.vestibule.project.GetProjectHandler;
import dev.vestibule.project.ListKeysHandler;
import dev.vestibule.project.ListProjectsHandler;
import dev.vestibule.project.RevokeKeyHandler;
import dev.vestibule.project.UpdateProjectHandler;
import dev.vestibule.project.branding.GetBrandingHandler;
import dev.vestibule.project.branding.GetProjectBrandingHandler;
import dev.vestibule.project.branding.UpdateBrandingHandler;
import dev.vestibule.project.member.AddMemberHandler;
import dev.vestibule.project.member.ListMembersHandler;
import dev.vestibule.project.member.RemoveMemberHandler;
import dev.vestibule.project.member.UpdateMemberHandler;
import dev.vestibule.session.ListSessionsHandler;
import dev.vestibule.session.ListUserSessionsHandler;
import dev.vestibule.session.RevokeSessionHandler;
import dev.vestibule.session.RevokeUserSessionsHandler;
import dev.vestibule.token.GetJwksHandler;
import dev.vestibule.user.BanUserHandler;
import dev.vestibule.user.CreateUserHandler;
import dev.vestibule.user.DeleteUserHandler;
import dev.vestibule.user.GetUserHandler;
import dev.vestibule.user.ListUsersHandler;
import dev.vestibule.user.UnbanUserHandler;
import dev.vestibule.user.UpdateUserHandler;
import dev.vestibule.user.imports.ImportUsersHandler;
import java.util.List;
import java.util.stream.Stream;

/** The whole API on one page: method, path, what a route asks of its caller, who answers, and how often. */
public final class Routes {
    /** A logo of 200 KiB as base64, and the rest of a branding. */
    private static final int BRANDING_BYTES = 300 * 1024;

    private Routes() {}

    /** Those of webhooks have a page of their own. */
    public static List<Route> of(Services services) {
        return Stream.of(onThisPage(services), WebhookRoutes.of(services))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Route> onThisPage(Services s) {
        return List.of(
                // Public authentication
                post("/v1/auth/signup", PROJECT, new SignUpHandler(s.passwords().signUp(), s.devices()))
                        .limited(Quota.SIGN_UP),
                post("/v1/auth/signin", PROJECT, new SignInHandler(s.passwords().signIn(), s.devices()))
                        .limited(Quota.SIGN_IN),
                post("/v1/auth/verify-email", PROJECT, new VerifyEmailHandler(s.verification(), s.devices()))
                        .limited(Quota.CODE),
                post("/v1/auth/resend-code", PROJECT, new ResendCodeHandler(s.database(), s.mails()))
                        .limited(Quota.CODE),
                post("/v1/auth/password/forgot", PROJECT, new ForgotPasswordHandler(s.database(), s.mails()))
                        .limited(Quota.CODE),
                post(
                                "/v1/auth/password/reset",
                                PROJECT,
                                new ResetPasswordHandler(s.passwords().reset()))
                        .limited(Quota.CODE),
                post(
                                "/v1/auth/password/change",
                                USER,
                                new ChangePasswordHandler(s.passwords().change()))
                        .limited(Quota.SIGN_IN),
                post("/v1/auth/signout", USER, new SignOutHandler(s.database(), s.sessionChanges(), s.clock())),
                post("/v1/auth/token/refresh", PROJECT, new RefreshTokenHandler(s.refresh()))
                        .limited(Quota.REFRESH),
                post("/v1/auth/refresh", REFRESH_TOKEN, new RefreshAccessTokenHandler(s.refresh()))
                        .limited(Quota.REFRESH),
                get("/v1/auth/token/verify", USER, new VerifyTokenHandler()),
                get("/v1/auth/me", USER, new GetMeHandler()),
                patch("/v1/auth/me", USER, new UpdateMeHandler(s.database(), s.users(), s.events(), s.clock())),
                get("/v1/auth/providers", API_KEY, s.oauth().list()),
                get("/v1/auth/oauth/:provider/url", KEY_OR_USER, s.oauth().url())
                        .limited(Quota.OAUTH),
                post("/v1/auth/oauth/callback", API_KEY, s.oauth().callback()).limited(Quota.OAUTH),
                get("/v1/auth/oauth/redirect", OPEN, s.oauth().redirect()).limited(Quota.OAUTH),
                post("/v1/auth/oauth/redirect", OPEN, s.oauth().postedRedirect())
                        .limited(Quota.OAUTH),
                get("/v1/auth/oauth/poll", API_KEY, s.oauth().poll()).limited(Quota.OAUTH_POLL),
                get("/v1/auth/me/providers", USER, s.oauth().linked()),
                post("/v1/auth/me/providers/:provider", USER, s.oauth().link()).limited(Quota.OAUTH),
                delete("/v1/auth/me/providers/:provider", USER, s.oauth().unlink()),
                get("/v1/auth/branding", API_KEY, new GetBrandingHandler(s.database(), s.brandings())),
                get(
                        "/v1/projects/:projectId/.well-known/jwks.json",
                        OPEN,
                        new GetJwksHandler(s.database(), s.keySets())),
                get("/v1/openapi.json", OPEN, new GetOpenApiHandler(s.description())),

                // Dashboard
                post(
                                "/v1/dashboard/auth/register",
                                OPEN,
                                new RegisterHandler(
                                        s.database(),
                                        s.system(),
                                        s.registration(),
                                        s.passwords().signUp(),
                                        s.devices()))
                        .limited(Quota.DASHBOARD_REGISTER),
                post(
                                "/v1/dashboard/auth/login",
                                OPEN,
                                new LoginHandler(s.system(), s.passwords().signIn(), s.devices()))
                        .limited(Quota.DASHBOARD_LOGIN),
                get("/v1/dashboard/projects", DASHBOARD_USER, new ListProjectsHandler(s.database(), s.members())),
                post(
                        "/v1/dashboard/projects",
                        DASHBOARD_USER,
                        new CreateProjectHandler(
                                s.database(), s.newProjects(), s.members(), s.signingKeys(), s.clock())),
                get("/v1/dashboard/projects/:projectId", MEMBER, new GetProjectHandler()),
                patch(
                        "/v1/dashboard/projects/:projectId",
                        OWNER,
                        new UpdateProjectHandler(s.projectChanges(), s.projects(), s.clock())),
                delete(
                        "/v1/dashboard/projects/:projectId",
                        OWNER,
                        new DeleteProjectHandler(
                                s.projectChanges(),
                                s.projects(),
                                s.apiKeys(),
                                s.signingKeys(),
                                s.members(),
                                s.webhooks().endpoints(),
                                s.clock())),
                get(
                        "/v1/dashboard/projects/:projectId/members",
                        MEMBER,
                        new ListMembersHandler(s.database(), s.members())),
                post(
                                "/v1/dashboard/projects/:projectId/members",
                                OWNER,
                                new AddMemberHandler(s.database(), s.users(), s.memberChanges(), s.clock()))
                        .limited(Quota.DASHBOARD_MEMBERS),
                patch(
                        "/v1/dashboard/projects/:projectId/members/:userId",
                        OWNER,
                        new UpdateMemberHandler(s.memberChanges())),
                delete(
                        "/v1/dashboard/projects/:projectId/members/:userId",
                        MEMBER,
                        new RemoveMemberHandler(s.memberChanges())),
                get("/v1/dashboard/projects/:projectId/keys", MEMBER, new ListKeysHandler(s.database(), s.apiKeys())),
                post(
                        "/v1/dashboard/projects/:projectId/keys",
                        OWNER,
                        new CreateKeyHandler(s.projectChanges(), s.projects(), s.apiKeys(), s.maxApiKeys(), s.clock())),
                delete(
                        "/v1/dashboard/projects/:projectId/keys/:keyId",
                        OWNER,
                        new RevokeKeyHandler(s.projectChanges(), s.apiKeys())),
                get(
                        "/v1/dashboard/projects/:projectId/branding",
                        MEMBER,
                        new GetProjectBrandingHandler(s.database(), s.brandingStore())),
                patch(
                                "/v1/dashboard/projects/:projectId/branding",
                                OWNER,
                                new UpdateBrandingHandler(s.hashingPool(), s.projectChanges(), s.brandingStore()))
                        .withBodyOf(BRANDING_BYTES),
                get(
                        "/v1/dashboard/projects/:projectId/providers",
                        MEMBER,
                        s.oauth().settings()),
                put(
                        "/v1/dashboard/projects/:projectId/providers/:provider",
                        OWNER,
                        new SetProviderHandler(s.database(), s.projectChanges(), s.providers(), s.clock())),
                delete(
                        "/v1/dashboard/projects/:projectId/providers/:provider",
                        OWNER,
                        new DeleteProviderHandler(
                                s.projectChanges(), s.providers().store())),

                // Users and their sessions, for the application's servers
                get(
                        "/v1/dashboard/users",
                        SECRET_KEY,
                        new ListUsersHandler(s.database(), s.userLists(), s.userTotals())),
                post(
                        "/v1/dashboard/users",
                        SECRET_KEY,
                        new CreateUserHandler(
                                s.database(),
                                s.events(),
                                s.hasher(),
                                s.providers().catalogue(),
                                s.clock())),
                post(
                                "/v1/dashboard/users/import",
                                SECRET_KEY,
                                new ImportUsersHandler(
                                        s.database(),
                                        s.events(),
                                        s.hasher(),
                                        s.importSlots(),
                                        s.imports(),
                                        s.providers().catalogue(),
                                        s.clock()))
                        .streamed(),
                get(
                        "/v1/dashboard/users/:userId",
                        SECRET_KEY,
                        new GetUserHandler(s.database(), s.users(), s.sessionLists(), s.clock())),
                patch(
                        "/v1/dashboard/users/:userId",
                        SECRET_KEY,
                        new UpdateUserHandler(
                                s.database(),
                                s.users(),
                                s.revocations(),
                                s.sessionChanges(),
                                s.events(),
                                s.hasher(),
                                s.clock())),
                delete(
                        "/v1/dashboard/users/:userId",
                        SECRET_KEY,
                        new DeleteUserHandler(
                                s.database(),
                                s.users(),
                                s.sessionChanges(),
                                s.events(),
                                s.passwords().failures(),
                                s.mails(),
                                s.clock())),
                patch(
                        "/v1/dashboard/users/:userId/ban",
                        SECRET_KEY,
                        new BanUserHandler(s.database(), s.users(), s.sessionChanges(), s.events(), s.clock())),
                patch(
                        "/v1/dashboard/users/:userId/unban",
                        SECRET_KEY,
                        new UnbanUserHandler(s.database(), s.users(), s.events(), s.clock())),
                get(
                        "/v1/dashboard/users/:userId/providers/:provider/tokens",
                        SECRET_KEY,
                        s.oauth().tokens()),
                get(
                        "/v1/dashboard/users/:userId/sessions",
                        SECRET_KEY,
                        new ListUserSessionsHandler(s.database(), s.sessionLists(), s.clock())),
                delete(
                        "/v1/dashboard/users/:userId/sessions",
                        SECRET_KEY,
                        new RevokeUserSessionsHandler(s.database(), s.users(), s.sessionChanges(), s.clock())),
                get(
                        "/v1/dashboard/sessions",
                        SECRET_KEY,
                        new ListSessionsHandler(s.database(), s.sessionLists(), s.clock())),
                delete(
                        "/v1/dashboard/sessions/:sessionId",
                        SECRET_KEY,
                        new RevokeSessionHandler(s.database(), s.sessionChanges(), s.clock())));
    }
}
