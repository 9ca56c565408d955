package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.access.Guard;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.member.Role;
import dev.vestibule.server.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every route of management with every role. What a role may do is taken from the description, and {@code RoutesTest}
 * compares that with the guards, so a route that declares no role fails there.
 */
@ExtendWith(WithServer.class)
class RoleTableIT {
    private static final List<Route> ROUTES = AllRoutes.list();

    private final TestServer server;
    private final TestProject project;
    private final RouteCalls calls;

    RoleTableIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.calls = new RouteCalls(server.api(), project, project.signUp(), server.administrator());
    }

    private static Optional<Role> leastRole(Route route) {
        for (var alternative : RouteCalls.operation(route).path("security")) {
            for (var role : alternative.path("accessToken")) {
                return Optional.of(Role.of(role.asText()));
            }
        }
        return Optional.empty();
    }

    /**
     * A field and a parameter that no operation knows let a call through the guard and stop it before it does anything.
     */
    @ParameterizedTest
    @EnumSource(Role.class)
    void aRoleIsAllowedWhatTheDescriptionSaysAndNothingElse(Role role) {
        var member = server.newMember(project, role.text());
        var allowed = new ArrayList<String>();
        var refused = new ArrayList<String>();
        for (var route : ROUTES) {
            var least = leastRole(route);
            if (least.isEmpty()) {
                continue;
            }
            var call = calls.callAs(member, route, "?qqqqqqqqqqqq=1");
            var answer = (route.method().name().equals("GET") ? call : call.json(Map.of("qqqqqqqqqqqq", 1))).send();
            var as = role.text() + " at " + route.operation();
            if (role.includes(least.get())) {
                assertThat(answer.status()).as(as).isEqualTo(422);
                allowed.add(route.operation());
            } else {
                assertThat(answer.status()).as(as).isEqualTo(403);
                assertThat(answer.text("code"))
                        .as(as)
                        .isEqualTo(least.get() == Role.OWNER ? "owner_required" : "role_not_allowed");
                refused.add(route.operation());
            }
        }
        assertThat(allowed).hasSizeGreaterThan(20);
        assertThat(refused.isEmpty()).isEqualTo(role == Role.OWNER);
        assertThat(allowed.size() + refused.size()).isEqualTo((int)
                ROUTES.stream().filter(route -> leastRole(route).isPresent()).count());
    }

    /** Servers do not become members, and a dashboard user without a project has no role. */
    @ParameterizedTest
    @EnumSource(
            value = Guard.class,
            names = {"SERVER", "USER", "DASHBOARD_USER"})
    void aRouteThatNoMemberCallsHasNoRole(Guard guard) {
        assertThat(ROUTES)
                .filteredOn(route -> route.guard() == guard)
                .isNotEmpty()
                .allSatisfy(route -> assertThat(leastRole(route)).isEmpty());
    }
}
