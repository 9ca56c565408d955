package dev.vestibule.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which callers may use the routes; GuardsIT tests the rules of all routes. */
@ExtendWith(WithServer.class)
class WebhookAccessIT {
    private static final String PATH = "/v1/dashboard/webhooks";

    private final TestServer server;
    private final TestProject project;
    private final TestProject other;

    WebhookAccessIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.other = server.newProject();
    }

    private static Map<String, Object> body(@Nullable Object projectId) {
        var fields = new HashMap<String, Object>(Map.of("url", "http://127.0.0.1:1/", "events", List.of("*")));
        if (projectId != null) {
            fields.put("projectId", projectId);
        }
        return fields;
    }

    private Call post(String query) {
        return server.api().post(PATH + query);
    }

    @Test
    void aSecretKeyWorksOnlyForItsOwnProject() {
        post("").key(project.secretKey()).json(body(null)).expect(201);
        post("").bearer(project.secretKey()).json(body(project.id())).expect(201);
        post("?projectId=" + project.id())
                .key(project.secretKey())
                .json(body(project.id()))
                .expect(201);
        for (var foreign : List.of(other.id(), "no-id", "", "\u0000")) {
            post("").key(project.secretKey()).json(body(foreign)).expect(403);
        }
        post("?projectId=" + other.id())
                .key(project.secretKey())
                .json(body(project.id()))
                .expect(403);
        post("?projectId=" + project.id())
                .key(project.secretKey())
                .json(body(other.id()))
                .expect(403);
        assertThat(other.manage("GET", PATH).expect(200).text("total")).isEqualTo("0");
    }

    @Test
    void aMemberGivesTheProjectInTheQueryOrInTheBody() {
        post("").bearer(project.owner()).json(body(project.id())).expect(201);
        post("?projectId=" + project.id())
                .bearer(project.owner())
                .json(body(null))
                .expect(201);
        post("?projectId=" + project.id())
                .bearer(project.owner())
                .json(body(project.id()))
                .expect(201);
        assertThat(post("").bearer(project.owner()).json(body(null)).expect(422).failingFields())
                .containsExactly("projectId");
        assertThat(post("?projectId=" + project.id())
                        .bearer(project.owner())
                        .json(body(other.id()))
                        .expect(422)
                        .failingFields())
                .containsExactly("projectId");
        for (var unknown : List.of(other.id(), "no-id", "", "\u0000", "\ud800")) {
            post("").bearer(project.owner()).json(body(unknown)).expect(404);
        }
        assertThat(other.manage("GET", PATH).expect(200).text("total")).isEqualTo("0");
    }

    @Test
    void aProjectIdIsAString() {
        for (var odd : List.of(1, true, 1e300, List.of(project.id()), Map.of())) {
            post("").json(body(odd)).expect(401);
            for (var call : List.of(post("").bearer(project.owner()), post("").key(project.secretKey()))) {
                assertThat(call.json(body(odd)).expect(422).failingFields()).containsExactly("projectId");
            }
        }
    }

    @Test
    void anOwnerCanDoWhatASecretKeyCan() {
        var webhook = TestWebhook.create(server, project, "http://127.0.0.1:1/");
        var delivery = webhook.addDelivery("delivered");
        var path = PATH + "/" + webhook.id();
        var named = "?projectId=" + project.id();
        var owner = project.owner();
        var api = server.api();

        assertThat(api.get(PATH + named).bearer(owner).expect(200).text("total"))
                .isEqualTo("1");
        api.get(path + named).bearer(owner).expect(200);
        api.get(path + "/deliveries" + named).bearer(owner).expect(200);
        api.get(path + "/deliveries/" + delivery + named).bearer(owner).expect(200);
        api.post(path + "/deliveries/" + delivery + "/retry" + named)
                .bearer(owner)
                .expect(200);
        api.post(path + "/test")
                .bearer(owner)
                .json(Map.of("projectId", project.id()))
                .expect(200);
        api.post(path + "/rotate-secret" + named).bearer(owner).expect(200);
        api.patch(path)
                .bearer(owner)
                .json(Map.of("projectId", project.id(), "status", "disabled"))
                .expect(200);
        api.call("DELETE", path + named).bearer(owner).expect(200);
    }

    @Test
    void aViewerCanReadButNotChange() {
        var webhook = TestWebhook.create(server, project, "http://127.0.0.1:1/");
        var delivery = webhook.addDelivery("delivered");
        var viewer = server.newMember(project, "viewer");
        var path = PATH + "/" + webhook.id();
        var named = "?projectId=" + project.id();

        for (var readable : List.of(PATH, path, path + "/deliveries", path + "/deliveries/" + delivery)) {
            server.api().get(readable + named).bearer(viewer).expect(200);
        }
        server.api()
                .patch(path)
                .bearer(viewer)
                .json(Map.of("projectId", project.id()))
                .expect(403);
        server.api().call("DELETE", path + named).bearer(viewer).expect(403);
        post("").bearer(viewer).json(body(project.id())).expect(403);
    }

    /** The owner of one project, with the id of an endpoint of another. */
    @Test
    void anOwnerCannotReachAnEndpointOfAnotherProject() {
        var webhook = TestWebhook.create(server, other, "http://127.0.0.1:1/");

        server.api()
                .get(PATH + "/" + webhook.id() + "?projectId=" + project.id())
                .bearer(project.owner())
                .expect(404);
    }

    @Test
    void allowedOriginsDoNotApplyToServersAndMembers() {
        project.asOwner("PATCH", "")
                .json(Map.of("allowedOrigins", List.of("https://app.example.com")))
                .expect(200);

        for (var call : List.of(
                project.manage("GET", PATH),
                server.api().get(PATH + "?projectId=" + project.id()).bearer(project.owner()))) {
            assertThat(call.header("Origin", "https://auth.example.com")
                            .expect(200)
                            .header("Access-Control-Allow-Origin"))
                    .hasValue("https://auth.example.com");
        }
    }
}
