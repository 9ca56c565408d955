package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.access.Guard;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.Environment;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.member.Role;
import dev.vestibule.server.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every route's guard promises, for all current and future routes. */
@ExtendWith(WithServer.class)
class GuardsIT {
    private static final List<Route> ROUTES = AllRoutes.list();

    private final TestServer server;
    private final TestProject project;
    private final String user;
    private final String userId;

    GuardsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        var signedUp = project.signUp();
        this.user = signedUp.accessToken();
        this.userId = signedUp.text("user/id");
    }

    private static List<Route> routes(Guard... guards) {
        var routes = ROUTES.stream()
                .filter(route -> Arrays.asList(guards).contains(route.guard()))
                .toList();
        assertThat(routes).isNotEmpty();
        return routes;
    }

    private void expect(int status, List<Route> routes, UnaryOperator<Call> credentials) {
        expect(status, routes, project.id(), "", credentials);
    }

    private void expect(
            int status, List<Route> routes, String projectId, String query, UnaryOperator<Call> credentials) {
        for (var route : routes) {
            var path = route.path()
                    .replace(":projectId", projectId)
                    .replaceAll(":[a-zA-Z]+", UUID.randomUUID().toString());
            var call = server.api().call(route.method().name(), path + query);
            credentials
                    .apply(route.method().name().equals("GET") ? call : call.json(Map.of()))
                    .expect(status);
        }
    }

    private String unknownKey(ApiKey.Kind kind) {
        return ApiKey.generate(
                        kind, Environment.LIVE, ProjectId.parse(project.id()).orElseThrow())
                .text();
    }

    @Test
    void onlyOpenRoutesAnswerWithoutCredentials() {
        var guarded = routes(
                Guard.API_KEY,
                Guard.KEY_OR_USER,
                Guard.PROJECT_OR_USER,
                Guard.USER,
                Guard.DASHBOARD_USER,
                Guard.ADMINISTRATOR,
                Guard.MEMBER,
                Guard.OWNER,
                Guard.DEVELOPER,
                Guard.DIRECTORY,
                Guard.SERVER,
                Guard.SERVER_OR_MEMBER,
                Guard.SERVER_OR_DEVELOPER,
                Guard.SERVER_OR_SUPPORT);
        expect(401, guarded, call -> call);
        expect(401, guarded, call -> call.bearer("nonsense"));
        expect(401, guarded, call -> call.bearer(user.substring(0, user.length() - 4) + "AAAA"));
        expect(401, guarded, call -> call.key(unknownKey(ApiKey.Kind.SECRET)));
        expect(401, guarded, call -> call.key("sk_live_nonsense"));
    }

    @Test
    void onlyAProjectsServersManageItsUsers() {
        var routes = routes(Guard.SERVER);
        expect(403, routes, call -> call.key(project.publishableKey()));
        expect(403, routes, call -> call.bearer(project.publishableKey()));
        expect(403, routes, call -> call.bearer(user));
        expect(403, routes, call -> call.bearer(project.owner()));
        expect(403, routes, call -> call.key(project.publishableKey()).bearer(user));
    }

    @Test
    void aSecretKeyOfOneProjectDoesNotGoWithTheIdOrTheTokenOfAnother() {
        var routes = routes(Guard.SERVER, Guard.SERVER_OR_MEMBER, Guard.SERVER_OR_DEVELOPER, Guard.SERVER_OR_SUPPORT);
        var other = server.newProject();
        expect(403, routes, project.id(), "?projectId=" + other.id(), call -> call.key(project.secretKey()));
        expect(403, routes, project.id(), "?projectId=nonsense", call -> call.key(project.secretKey()));
        expect(
                403,
                routes,
                call -> call.key(project.secretKey()).bearer(other.signUp().accessToken()));
    }

    /** Those whose body the guard can read. */
    private static List<Route> withBody(List<Route> routes) {
        return routes.stream()
                .filter(route -> !route.method().name().equals("GET") && !route.isStreamed())
                .toList();
    }

    private void expectAnotherProject(List<Route> routes, String query, Map<String, ?> body, String credential) {
        for (var route : routes) {
            var path = route.path().replace(":projectId", project.id()).replaceAll(":[a-zA-Z]+", userId);
            var call = server.api().call(route.method().name(), path + query).bearer(credential);
            assertThat((route.method().name().equals("GET") ? call : call.json(body))
                            .expect(403)
                            .text("code"))
                    .as(route.operation())
                    .isEqualTo("project_mismatch");
        }
    }

    @Test
    void aKeyDoesNotGoWithTheIdOfAnotherProjectInTheBody() {
        var another = Map.of("projectId", server.newProject().id());
        expectAnotherProject(
                withBody(routes(
                        Guard.SERVER, Guard.SERVER_OR_MEMBER, Guard.SERVER_OR_DEVELOPER, Guard.SERVER_OR_SUPPORT)),
                "",
                another,
                project.secretKey());
        expectAnotherProject(withBody(routes(Guard.API_KEY, Guard.KEY_OR_USER)), "", another, project.publishableKey());

        project.manage("DELETE", "/v1/backend/users/" + userId)
                .json(Map.of("projectId", project.id()))
                .expect(200);
    }

    @Test
    void thePathDoesNotGoWithTheIdOfAnotherProject() {
        var routes = routes(Guard.MEMBER, Guard.OWNER, Guard.DEVELOPER);
        var another = server.newProject().id();
        expectAnotherProject(routes, "?projectId=" + another, Map.of(), project.owner());
        expectAnotherProject(withBody(routes), "", Map.of("projectId", another), project.owner());

        project.asOwner("DELETE", "?projectId=" + project.id())
                .json(Map.of("projectId", project.id()))
                .expect(200);
    }

    @Test
    void aProjectsServersAndItsMembersShareSomeOfItsManagement() {
        var routes = routes(Guard.SERVER_OR_MEMBER, Guard.SERVER_OR_DEVELOPER, Guard.SERVER_OR_SUPPORT);
        expect(403, routes, call -> call.key(project.publishableKey()));
        expect(403, routes, call -> call.bearer(project.publishableKey()));
        expect(403, routes, call -> call.bearer(user));
        expect(403, routes, call -> call.key(project.publishableKey()).bearer(user));
        expect(403, routes, call -> call.key(project.secretKey()).bearer(project.owner()));
    }

    @Test
    void aMemberNamesTheProject() {
        var routes = routes(Guard.SERVER_OR_MEMBER, Guard.SERVER_OR_DEVELOPER, Guard.SERVER_OR_SUPPORT);
        expect(422, routes, call -> call.bearer(project.owner()));
        var stranger = server.newDashboardUser();
        expect(404, routes, "", "?projectId=" + project.id(), call -> call.bearer(stranger));
        for (var unknown : List.of(UUID.randomUUID().toString(), ProjectId.SYSTEM.toString(), "no-id", "", "%00")) {
            expect(404, routes, "", "?projectId=" + unknown, call -> call.bearer(project.owner()));
        }
    }

    @Test
    void onlyDashboardUsersManageProjects() {
        var routes = routes(Guard.DASHBOARD_USER, Guard.ADMINISTRATOR, Guard.MEMBER, Guard.OWNER, Guard.DEVELOPER);
        expect(403, routes, call -> call.key(project.secretKey()));
        expect(403, routes, call -> call.key(project.publishableKey()));
        expect(403, routes, call -> call.bearer(user));
    }

    @Test
    void aProjectIsNotFoundByNonMembers() {
        var routes = routes(Guard.MEMBER, Guard.OWNER, Guard.DEVELOPER);
        var stranger = server.newDashboardUser();
        expect(404, routes, call -> call.bearer(stranger));
        expect(404, routes, UUID.randomUUID().toString(), "", call -> call.bearer(project.owner()));
        expect(404, routes, ProjectId.SYSTEM.toString(), "", call -> call.bearer(project.owner()));
        expect(404, routes, "no-id", "", call -> call.bearer(project.owner()));
    }

    @ParameterizedTest
    @EnumSource(value = Role.class, names = "OWNER", mode = EnumSource.Mode.EXCLUDE)
    void aMemberIsRefusedWhatTheRoleDoesNotInclude(Role role) {
        var member = server.newMember(project, role.text());
        var refused = Arrays.stream(Guard.values())
                .filter(guard -> !role.includes(guard.role()))
                .toArray(Guard[]::new);
        expect(403, routes(refused), project.id(), "?projectId=" + project.id(), call -> call.bearer(member));
    }

    @Test
    void nobodyButAnAdministratorAdministratesTheServer() {
        var routes = routes(Guard.ADMINISTRATOR);
        expect(403, routes, call -> call.bearer(project.owner()));
        expect(403, routes, call -> call.bearer(server.newDashboardUser()));
    }

    @Test
    void aDashboardUserWhoSignedOutManagesNothing() {
        var routes = routes(Guard.DASHBOARD_USER, Guard.MEMBER, Guard.OWNER, Guard.DEVELOPER);
        project.signOut(project.owner()).expect(200);
        expect(401, routes, call -> call.bearer(project.owner()));
        expect(
                401,
                routes(Guard.SERVER_OR_MEMBER, Guard.SERVER_OR_DEVELOPER, Guard.SERVER_OR_SUPPORT),
                "",
                "?projectId=" + project.id(),
                call -> call.bearer(project.owner()));
    }

    /**
     * Routes that are added later are closed to impersonators, unless their line says otherwise and they are named
     * here.
     */
    @Test
    void anImpersonatorChangesNothingThroughAnyRouteThatIsNotNamedHere() {
        var impersonated = project.asOwner("POST", "/users/" + userId + "/impersonate")
                .json(Map.of("reason", "To see what can be done"))
                .expect(200)
                .accessToken();
        var ofUsers = routes(Guard.USER, Guard.KEY_OR_USER, Guard.PROJECT_OR_USER);
        assertThat(ofUsers)
                .filteredOn(route ->
                        route.allowsImpersonators() && !route.method().name().equals("GET"))
                .extracting(route -> route.method() + " " + route.path())
                .containsExactlyInAnyOrder("POST /v1/auth/signout", "PATCH /v1/auth/me");
        for (var route : ofUsers) {
            if (!route.allowsImpersonators()) {
                var path =
                        route.path().replaceAll(":[a-zA-Z]+", UUID.randomUUID().toString());
                var call = server.api().call(route.method().name(), path).bearer(impersonated);
                assertThat((route.method().name().equals("GET") ? call : call.json(Map.of()))
                                .expect(403)
                                .text("reason"))
                        .as(route.operation())
                        .isEqualTo("impersonated_session");
            }
        }
        expect(
                403,
                routes(
                        Guard.DASHBOARD_USER,
                        Guard.ADMINISTRATOR,
                        Guard.MEMBER,
                        Guard.OWNER,
                        Guard.DEVELOPER,
                        Guard.SERVER,
                        Guard.SERVER_OR_MEMBER,
                        Guard.SERVER_OR_DEVELOPER,
                        Guard.SERVER_OR_SUPPORT),
                call -> call.bearer(impersonated));
    }
}
