package dev.vestibule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Description;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.server.Route;
import java.util.Locale;
import java.util.UUID;

/** Calls any route of a project, with credentials that it accepts. */
record RouteCalls(ApiClient api, TestProject project, Response user, String administrator) {
    /** What the API description says of the route. */
    static JsonNode operation(Route route) {
        return Description.get()
                .root()
                .path("paths")
                .path(route.path().replaceAll(":([A-Za-z]+)", "{$1}"))
                .path(route.method().name().toLowerCase(Locale.ROOT));
    }

    /** Uses ids that exist for the first thing that the route looks up. */
    Call call(Route route, String query) {
        return call(route, route.path(), query);
    }

    /** Calls the route with the access token of a member of the project. */
    Call callAs(String member, Route route, String query) {
        var named = route.path().contains(":projectId") ? "" : "&projectId=" + project.id();
        return callWithoutCredentials(route, route.path(), query + named).bearer(member);
    }

    private Call callWithoutCredentials(Route route, String template, String query) {
        var path = template.replace(":projectId", project.id())
                .replace(":userId", user.text("user/id"))
                .replace(":provider", "google")
                .replace(":message/:language", "verification/en")
                .replaceAll(":[a-zA-Z]+", UUID.randomUUID().toString());
        return api.call(route.method().name(), path + query);
    }

    /** Calls the route with a path in which some parameters are already filled in. */
    Call call(Route route, String template, String query) {
        var call = callWithoutCredentials(route, template, query);
        return switch (route.guard()) {
            case OPEN, KNOWN_PROJECT, ISSUER, DASHBOARD, DIRECTORY, REFRESH_TOKEN -> call;
            case PROJECT, API_KEY, KEY_OR_USER -> call.key(project.publishableKey());
            case USER, PROJECT_OR_USER -> call.bearer(user.accessToken());
            case DASHBOARD_USER, MEMBER, OWNER, DEVELOPER -> call.bearer(project.owner());
            case ADMINISTRATOR -> call.bearer(administrator);
            case SERVER, SERVER_OR_MEMBER, SERVER_OR_DEVELOPER, SERVER_OR_SUPPORT -> call.key(project.secretKey());
        };
    }
}
