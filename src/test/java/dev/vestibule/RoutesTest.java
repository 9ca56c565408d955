package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.access.Guard;
import dev.vestibule.fixture.Description;
import dev.vestibule.project.member.Role;
import dev.vestibule.server.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Compares the routes with the API description, in both directions. */
class RoutesTest {
    /** What the project's servers and its members do alike. */
    private static final Set<Guard> SHARED =
            Set.of(Guard.SERVER_OR_MEMBER, Guard.SERVER_OR_DEVELOPER, Guard.SERVER_OR_SUPPORT);

    private static final Set<Guard> BY_MEMBERS = Set.of(
            Guard.MEMBER,
            Guard.OWNER,
            Guard.DEVELOPER,
            Guard.SERVER_OR_MEMBER,
            Guard.SERVER_OR_DEVELOPER,
            Guard.SERVER_OR_SUPPORT);

    private final Description description = Description.get();
    private final List<Route> routes = AllRoutes.list();

    @Test
    void everyRouteIsDescribedAndEveryDescribedOperationIsARoute() {
        var described = new TreeSet<String>();
        description
                .root()
                .path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation ->
                                described.add(line(operation.getKey(), path.getKey(), operation.getValue()))));

        assertThat(routes)
                .extracting(route -> route.method() + " " + template(route) + " " + route.operation())
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(described);
    }

    private static String line(String method, String path, JsonNode operation) {
        return method.toUpperCase(Locale.ROOT) + " " + path + " "
                + operation.path("operationId").asText();
    }

    @Test
    void theDescribedSecurityIsWhatTheGuardAsksFor() {
        for (var route : routes) {
            assertThat(security(route))
                    .as("security of %s, whose guard is %s", route.operation(), route.guard())
                    .isEqualTo(expectedSecurity(route.guard()));
        }
    }

    private static List<List<String>> expectedSecurity(Guard guard) {
        return switch (guard) {
            case OPEN, KNOWN_PROJECT, ISSUER, DASHBOARD -> List.of();
            case PROJECT, REFRESH_TOKEN -> List.of(List.of(), List.of("apiKey"), List.of("apiKeyAsBearer"));
            case API_KEY -> List.of(List.of("accessToken", "apiKey"), List.of("apiKey"), List.of("apiKeyAsBearer"));
            case PROJECT_OR_USER ->
                List.of(
                        List.of(),
                        List.of("accessToken"),
                        List.of("accessToken", "apiKey"),
                        List.of("apiKey"),
                        List.of("apiKeyAsBearer"));
            case KEY_OR_USER ->
                List.of(
                        List.of("accessToken"),
                        List.of("accessToken", "apiKey"),
                        List.of("apiKey"),
                        List.of("apiKeyAsBearer"));
            case USER -> List.of(List.of("accessToken"), List.of("accessToken", "apiKey"));
            case DASHBOARD_USER, ADMINISTRATOR, MEMBER, OWNER, DEVELOPER -> List.of(List.of("accessToken"));
            case DIRECTORY -> List.of(List.of("directoryToken"));
            case SERVER -> List.of(List.of("apiKey"), List.of("apiKeyAsBearer"));
            case SERVER_OR_MEMBER, SERVER_OR_DEVELOPER, SERVER_OR_SUPPORT ->
                List.of(List.of("accessToken"), List.of("apiKey"), List.of("apiKeyAsBearer"));
        };
    }

    /** The alternatives, each as the sorted names of what it needs; the whole sorted too. */
    private List<List<String>> security(Route route) {
        var alternatives = new ArrayList<List<String>>();
        for (var alternative : operation(route).path("security")) {
            alternatives.add(alternative.properties().stream()
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList());
        }
        alternatives.sort(Comparator.comparing(names -> String.join(" ", names)));
        return alternatives;
    }

    @Test
    void theDescribedRoleIsTheOneThatTheGuardAsksFor() {
        for (var route : routes) {
            var described = new ArrayList<String>();
            operation(route)
                    .path("security")
                    .forEach(alternative ->
                            alternative.path("accessToken").forEach(role -> described.add(role.asText())));
            assertThat(described)
                    .as("role in the security of %s, as in accessToken: [support]", route.operation())
                    .isEqualTo(
                            BY_MEMBERS.contains(route.guard())
                                    ? List.of(route.guard().role().text())
                                    : List.of());
        }
    }

    @Test
    void changesByOwnersNeedARecentSignInUnlessTheDescriptionExemptsThem() {
        var description = Description.get().root().at("/info/description").asText();
        assertThat(routes)
                .filteredOn(route -> route.guard().role() != Role.VIEWER || route.guard() == Guard.ADMINISTRATOR)
                .filteredOn(route -> !route.method().name().equals("GET"))
                .isNotEmpty()
                .allSatisfy(route -> assertThat(description.contains("`" + route.operation() + "`"))
                        .as(route.operation())
                        .isNotEqualTo(route.requiresRecentSignIn()));
    }

    @Test
    void everyRefusalThatARouteCanGiveIsDescribed() {
        for (var route : routes) {
            var expected = new TreeSet<>(List.of("414", "431", "500"));
            if (route.guard() == Guard.KNOWN_PROJECT || route.guard() == Guard.ISSUER) {
                expected.addAll(List.of("404", "429", "503"));
            } else if (route.guard() == Guard.DASHBOARD) {
                expected.addAll(List.of("403", "503"));
            } else if (route.guard() != Guard.OPEN) {
                expected.addAll(List.of("401", "403", "429", "503"));
            }
            if (route.quota() != null) {
                expected.addAll(List.of("429", "503"));
            }
            if (!route.method().name().equals("GET")) {
                expected.addAll(List.of("413", "503"));
                if (!route.isStreamed()) {
                    expected.add("408");
                }
            }
            if (route.path().contains(":")) {
                expected.add("404");
            }
            if (route.guard() == Guard.PROJECT || route.guard() == Guard.REFRESH_TOKEN) {
                expected.addAll(List.of("400", "404", "422"));
            }
            if (SHARED.contains(route.guard())) {
                expected.addAll(List.of("404", "422"));
            }
            assertThat(operation(route).path("responses").properties())
                    .extracting(Map.Entry::getKey)
                    .as("answers of %s", route.operation())
                    .containsAll(expected);
        }
    }

    @Test
    void onlyRoutesWithAQuotaOrCredentialsDescribeARateLimit() {
        assertThat(routes)
                .filteredOn(route -> operation(route).path("responses").has("429"))
                .allSatisfy(route -> assertThat(route.quota() != null || route.guard() != Guard.OPEN)
                        .isTrue());
    }

    @Test
    void everyTemplateParameterIsDescribed() {
        for (var route : routes) {
            var parameters = new ArrayList<String>();
            operation(route).path("parameters").forEach(reference -> {
                var parameter = description.resolve(reference);
                if (parameter.path("in").asText().equals("path")) {
                    parameters.add("{" + parameter.path("name").asText() + "}");
                }
            });
            assertThat(template(route).split("/"))
                    .filteredOn(segment -> segment.startsWith("{"))
                    .as("path parameters of %s", route.operation())
                    .containsExactlyInAnyOrderElementsOf(parameters);
        }
    }

    private JsonNode operation(Route route) {
        return description
                .root()
                .path("paths")
                .path(template(route))
                .path(route.method().name().toLowerCase(Locale.ROOT));
    }

    private static String template(Route route) {
        return route.path().replaceAll(":([A-Za-z]+)", "{$1}");
    }
}
