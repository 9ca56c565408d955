package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.access.Guard;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Description;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.server.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How all current and future routes handle unknown fields. */
@ExtendWith(WithServer.class)
class UnknownFieldsIT {
    private static final List<Route> ROUTES = AllRoutes.list();

    private final TestProject project;
    private final Response user;
    private final RouteCalls calls;

    UnknownFieldsIT(TestServer server) {
        this.project = server.newProject();
        project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("web3", true)))
                .expect(200);
        this.user = project.signUp();
        this.calls = new RouteCalls(project.api(), project, user, server.administrator());
    }

    /** Those with a JSON body, as described. */
    private static List<Route> routes(boolean management) {
        var routes = ROUTES.stream()
                .filter(route -> route.isManagement() == management)
                .filter(route -> !knownFields(route).isEmpty())
                .toList();
        assertThat(routes).hasSizeGreaterThan(10);
        return routes;
    }

    private static List<String> knownFields(Route route) {
        var names = new ArrayList<String>();
        addFields(operation(route).at("/requestBody/content/application~1json/schema"), names);
        return names;
    }

    private static void addFields(JsonNode reference, List<String> names) {
        var schema = Description.get().resolve(reference);
        schema.path("allOf").forEach(part -> addFields(part, names));
        schema.path("properties").fieldNames().forEachRemaining(names::add);
    }

    private static JsonNode operation(Route route) {
        return RouteCalls.operation(route);
    }

    private Call call(Route route) {
        return call(route, "");
    }

    private Call call(Route route, String query) {
        return calls.call(route, query);
    }

    private static List<String> unknown(Response refused) {
        var unknown = new ArrayList<String>();
        refused.json().path("details").forEach(detail -> {
            var message = detail.path("message").asText();
            if (message.startsWith("is not known")) {
                unknown.add(detail.path("field").asText() + " " + message);
            }
        });
        return unknown;
    }

    @Test
    void managementRefusesAFieldThatItDoesNotKnow() {
        for (var route : routes(true)) {
            var refused = call(route).json(Map.of("qqqqqqqqqqqq", true)).expect(422);
            assertThat(unknown(refused)).as(route.operation()).containsExactly("qqqqqqqqqqqq is not known");
            assertThat(refused.text("message")).isEqualTo("qqqqqqqqqqqq is not known");
        }
    }

    @Test
    void managementNamesTheFieldThatWasMeant() {
        for (var route : routes(true)) {
            var misspelt = knownFields(route).stream().collect(Collectors.toMap(UnknownFieldsIT::misspelt, name -> 1));
            var refused = call(route).json(misspelt).expect(422);
            assertThat(unknown(refused))
                    .as(route.operation())
                    .containsExactlyInAnyOrderElementsOf(knownFields(route).stream()
                            .map(name -> misspelt(name) + " is not known; did you mean " + name + "?")
                            .toList());
        }
    }

    /** Otherwise a misspelt filter would show everything. */
    @Test
    void managementNamesTheQueryParameterThatWasMeant() {
        var withParameters = ROUTES.stream()
                .filter(route -> route.path().matches("/v1/(backend|dashboard)/.*"))
                .filter(route -> !knownParameters(route).isEmpty())
                .toList();
        assertThat(withParameters).hasSizeGreaterThan(10);
        for (var route : withParameters) {
            for (var name : knownParameters(route)) {
                var refused =
                        call(route, "?" + misspelt(name) + "=1&qqqqqqqqqqqq=").expect(422);
                assertThat(unknown(refused))
                        .as(route.operation())
                        .containsExactly(
                                misspelt(name) + " is not known; did you mean " + name + "?",
                                "qqqqqqqqqqqq is not known");
            }
        }
    }

    /** Somebody who asks for a dry run must not find out afterwards that it was not one. */
    @Test
    void managementRefusesParametersIfItAcceptsNone() {
        for (var route : ROUTES) {
            if (route.isManagement() && knownParameters(route).isEmpty()) {
                var refused = call(route, "?qqqqqqqqqqqq=true").json(Map.of()).expect(422);
                assertThat(unknown(refused)).as(route.operation()).containsExactly("qqqqqqqqqqqq is not known");
            }
        }
        project.manage("GET", "/v1/dashboard/users/" + user.text("user/id")).expect(200);
    }

    @Test
    void managementRefusesABodyIfItAcceptsNone() {
        var routes = ROUTES.stream()
                .filter(route -> route.isManagement() && !route.isStreamed())
                .filter(route -> !operation(route).has("requestBody"))
                .filter(route -> !route.method().name().equals("GET"))
                .toList();
        assertThat(routes).hasSizeGreaterThan(10);
        for (var route : routes) {
            var refused = call(route).json(Map.of("qqqqqqqqqqqq", true)).expect(422);
            assertThat(unknown(refused)).as(route.operation()).containsExactly("qqqqqqqqqqqq is not known");
        }
        project.manage("PATCH", "/v1/dashboard/users/" + user.text("user/id") + "/ban")
                .json(Map.of())
                .expect(200);
    }

    @Test
    void managementThatIsOfNoProjectRefusesTheIdOfOne() {
        var routes = ROUTES.stream()
                .filter(Route::isManagement)
                .filter(route -> route.guard() == Guard.DASHBOARD_USER || route.guard() == Guard.ADMINISTRATOR)
                .toList();
        assertThat(routes).hasSizeGreaterThan(5);
        for (var route : routes) {
            var named = call(route, "?projectId=" + project.id());
            var refused = (route.method().name().equals("GET") ? named : named.json(Map.of())).expect(422);
            assertThat(unknown(refused)).as(route.operation()).containsExactly("projectId is not known");
            if (!route.method().name().equals("GET")) {
                assertThat(unknown(call(route, "")
                                .json(Map.of("projectId", project.id()))
                                .expect(422)))
                        .as(route.operation())
                        .containsExactly("projectId is not known");
            }
        }
    }

    /** A line of Routes declares the same input as its description. */
    @Test
    void routesAcceptWhatIsDescribed() {
        for (var route : ROUTES) {
            if (route.isManagement()) {
                assertThat(route.acceptsBody())
                        .as(route.operation())
                        .isEqualTo(operation(route).has("requestBody"));
                assertThat(route.acceptsQuery())
                        .as(route.operation())
                        .isEqualTo(!knownParameters(route).isEmpty());
            }
        }
    }

    /** The guard reads projectId, and asks for it where it is needed. */
    private static List<String> knownParameters(Route route) {
        var description = Description.get();
        var names = new ArrayList<String>();
        operation(route).path("parameters").forEach(reference -> {
            var parameter = description.resolve(reference);
            if (parameter.path("in").asText().equals("query")) {
                names.add(parameter.path("name").asText());
            }
        });
        names.remove("projectId");
        return names;
    }

    private static String misspelt(String name) {
        return name.substring(0, name.length() - 1);
    }

    @Test
    void publicRoutesIgnoreFieldsThatTheyDoNotKnow() {
        for (var route : routes(false)) {
            var response = call(route).json(Map.of("qqqqqqqqqqqq", true)).send();
            assertThat(response.status())
                    .as(route.operation())
                    .isIn(200, 401, 403, 404, 409, 422); // 404 and 409: what is not set up here
            assertThat(response.body()).as(route.operation()).doesNotContain("qqqqqqqqqqqq");
        }
    }

    @Test
    void aMisspeltFieldOfANestedObjectIsNamedWithItsPath() {
        var refused = project.asOwner("PATCH", "")
                .json(Map.of("name", "Other", "sessionConfig", Map.of("accessTokenTTLs", 60)))
                .expect(422);
        assertThat(refused.text("message"))
                .isEqualTo("sessionConfig.accessTokenTTLs is not known; did you mean sessionConfig.accessTokenTtl?");
        assertThat(project.asOwner("GET", "").expect(200).text("name")).isNotEqualTo("Other");

        var inList = project.manage("POST", "/v1/dashboard/users")
                .json(Map.of(
                        "email",
                        TestServer.newEmail(),
                        "identities",
                        List.of(Map.of("provider", "google", "subject", "1", "isuer", "x"))))
                .expect(422);
        assertThat(unknown(inList))
                .containsExactly("identities.0.isuer is not known; did you mean identities.0.issuer?");
    }

    @Test
    void freeFormFieldsCanContainAnything() {
        project.manage("PATCH", "/v1/dashboard/users/" + user.text("user/id"))
                .json(Map.of("publicMetadata", Map.of("qqqqqqqqqqqq", Map.of("email", 1))))
                .expect(200);
    }

    @Test
    void oddNamesAreRefusedAsNames() {
        for (var name : List.of("a\\u0000b", "", "__proto__", "projectId", "é".repeat(20_000))) {
            assertThat(unknown(project.asOwner("PATCH", "")
                            .text("{\"" + name + "\":null}")
                            .expect(422)))
                    .as(name)
                    .hasSize(1);
        }
    }

    private static Response signUp(TestProject where, Map<String, ?> more) {
        var fields = new HashMap<String, Object>(
                Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD, "captchaToken", ""));
        fields.putAll(more);
        return where.post("/v1/auth/signup").json(fields).send();
    }

    @Test
    void aTestProjectIsToldOfFieldsThatAreIgnored() {
        var tests = TestProject.create(project.api(), project.owner(), Map.of("name", "Tests", "environment", "test"));

        var answer = signUp(tests, Map.of("nickname", "Ann"));
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.header("Vestibule-Unknown-Fields")).contains("nickname");
        var refused = signUp(tests, Map.of("dispalyName", "Ann", "password", "x"));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.header("Vestibule-Unknown-Fields")).contains("dispalyName");
        assertThat(signUp(tests, Map.of()).header("Vestibule-Unknown-Fields")).isEmpty();
        assertThat(signUp(project, Map.of("nickname", "Ann")).header("Vestibule-Unknown-Fields"))
                .isEmpty();
    }

    @Test
    void theNamesOfIgnoredFieldsAreFewAndInjectNothing() {
        var tests = TestProject.create(project.api(), project.owner(), Map.of("name", "Tests", "environment", "test"));

        assertThat(signUp(tests, Map.of("a\r\nSet-Cookie: x=y", 1)).header("Vestibule-Unknown-Fields"))
                .contains("?");
        assertThat(signUp(tests, Map.of("x".repeat(65), 1, "né", 2)).header("Vestibule-Unknown-Fields"))
                .contains("?, ?");
        var many = IntStream.range(0, 100).boxed().collect(Collectors.toMap(i -> "field" + i, i -> i));
        assertThat(signUp(tests, many)
                        .header("Vestibule-Unknown-Fields")
                        .orElseThrow()
                        .split(", ", -1))
                .hasSize(20);
    }
}
