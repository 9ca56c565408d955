package dev.vestibule.oauth.server;

import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.parameter;
import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.refreshForm;
import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.userinfo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What users read about the applications that have access to their account, and how they end it. */
@ExtendWith(WithServer.class)
class ConnectedAppsIT {
    private static final String NOTES = "https://notes.example.com/";

    private final TestServer server;
    private final TestProject project;
    private final OauthBrowser browser;
    private final String email = TestServer.newEmail();
    private final String user;

    ConnectedAppsIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        browser = new OauthBrowser(project);
        user = project.signUp(email).text("user/id");
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of(
                        "uri",
                        NOTES,
                        "name",
                        "Notes",
                        "scopes",
                        List.of(
                                Map.of("name", "read", "texts", Map.of("en", "Read notes", "de", "Notizen lesen")),
                                Map.of("name", "write"))))
                .expect(201);
    }

    private String thirdParty() {
        return register(project, "spa", Map.of("firstParty", false, "name", "Agent"))
                .text("clientId");
    }

    private Response connect(String client, String scope) {
        browser.authorize(client, Map.of("resource", NOTES, "scope", scope, "prompt", "login"));
        var answer = browser.signIn(email);
        if (answer.body().contains("value=\"allow\"")) {
            answer = browser.submit("consent", Map.of("decision", "allow"));
        }
        return redeem(project, client, parameter(onward(answer), "code"), 200);
    }

    private Call mine(String method, String query) {
        return server.api()
                .call(method, "/v1/auth/me/grants" + query)
                .bearer(project.signIn(email).accessToken());
    }

    private JsonNode apps() {
        return mine("GET", "").expect(200).json().path("grants");
    }

    @Test
    void anApplicationIsShownOnceWithAllThatItMayDo() {
        var client = thirdParty();
        connect(client, "openid email read");
        connect(client, "openid offline_access read write");

        var apps = apps();
        assertThat(apps).hasSize(1);
        var app = apps.get(0);
        assertThat(app.path("clientId").asText()).isEqualTo(client);
        assertThat(app.path("name").asText()).isEqualTo("Agent");
        assertThat(app.path("firstParty").asBoolean()).isFalse();
        assertThat(app.path("offline").asBoolean()).isTrue();
        assertThat(app.path("scopes").toString()).isEqualTo("[\"openid\",\"email\",\"offline_access\"]");
        assertThat(app.path("apis").toString())
                .isEqualTo("[{\"uri\":\"" + NOTES + "\",\"name\":\"Notes\",\"scopes\":["
                        + "{\"name\":\"read\",\"text\":\"Read notes\"},{\"name\":\"write\",\"text\":\"write\"}]}]");
        assertThat(app.path("lastUsedAt").asText()).isNotEmpty();
        assertThat(mine("GET", "")
                        .header("Accept-Language", "de")
                        .expect(200)
                        .json()
                        .path("grants")
                        .toString())
                .contains("Notizen lesen");
    }

    @Test
    void accessThatIsWithdrawnEndsAtOnceAndHasToBeAskedForAgain() {
        var client = thirdParty();
        var other = thirdParty();
        var first = connect(client, "openid read");
        var second = connect(client, "openid offline_access");
        var kept = connect(other, "openid");

        mine("DELETE", "?clientId=" + client).expect(200);

        for (var tokens : List.of(first, second)) {
            userinfo(project, tokens.text("access_token"), 401);
            OauthBrowser.token(project, refreshForm(client, tokens.text("refresh_token")), 400);
        }
        userinfo(project, kept.text("access_token"), 200);
        assertThat(apps()).hasSize(1);
        assertThat(parameter(
                        onward(browser.authorize(
                                client, Map.of("prompt", "none", "resource", NOTES, "scope", "openid read"))),
                        "error"))
                .isEqualTo("consent_required");
        mine("DELETE", "?clientId=" + client).expect(404);
    }

    /** The tokens have ended, but the application could get new ones without a question. */
    @Test
    void whatWasAgreedToIsShownWithoutTokensToo() {
        var client = thirdParty();
        connect(client, "openid read");
        project.manage("DELETE", "/v1/dashboard/users/" + user + "/sessions").expect(200);

        assertThat(apps()).hasSize(1);
        assertThat(apps().get(0).path("lastUsedAt").isNull()).isTrue();

        mine("DELETE", "?clientId=" + client).expect(200);
        assertThat(apps()).isEmpty();
    }

    private void addGrants(String client, int count, String age) {
        OauthBrowser.addGrants(server, project, client, count, age);
    }

    private long grants(String client) {
        return server.sql()
                .count(
                        "SELECT count(*) FROM oauth_grants WHERE project_id = ?::uuid AND client_id = ?",
                        project.id(),
                        client);
    }

    @Test
    void anApplicationWithAHundredGrantsLosesTheOneThatItHasNotUsedForTheLongestTime() {
        var client = thirdParty();
        var other = thirdParty();
        var ofOther = connect(other, "openid");
        addGrants(other, 3, "2 days");
        var refreshed = connect(client, "openid");
        addGrants(client, 98, "-1 hour");
        var unused = connect(client, "openid");
        var access = OauthBrowser.token(project, refreshForm(client, refreshed.text("refresh_token")), 200)
                .text("access_token");

        var latest = connect(client, "openid");

        userinfo(project, unused.text("access_token"), 401);
        for (var kept : List.of(access, latest.text("access_token"), ofOther.text("access_token"))) {
            userinfo(project, kept, 200);
        }
        assertThat(grants(client)).isEqualTo(100);
        assertThat(grants(other)).isEqualTo(4);
    }

    @Test
    void manyGrantsOfOneApplicationHideNoOther() {
        var hidden = thirdParty();
        var client = thirdParty();
        connect(hidden, "openid");
        connect(client, "openid");
        addGrants(client, 1100, "-1 minute");

        assertThat(apps().findValuesAsText("clientId")).containsExactly(client, hidden);

        mine("DELETE", "?clientId=" + client).expect(200);
        assertThat(grants(client)).isZero();
    }

    @Test
    void nobodySeesOrEndsTheAccessToAnotherAccount() {
        var client = thirdParty();
        var tokens = connect(client, "openid");
        var other = TestServer.newEmail();
        var stranger = project.signUp(other).accessToken();
        server.api()
                .call("DELETE", "/v1/auth/me/grants?clientId=" + client)
                .bearer(stranger)
                .expect(404);
        assertThat(server.api()
                        .get("/v1/auth/me/grants")
                        .bearer(stranger)
                        .expect(200)
                        .json()
                        .path("grants"))
                .isEmpty();
        var elsewhere = server.newProject();
        elsewhere
                .manage("DELETE", "/v1/dashboard/users/" + user + "/grants?clientId=" + client)
                .expect(404);
        elsewhere.manage("GET", "/v1/backend/users/" + user + "/grants").expect(404);
        server.api()
                .get("/v1/auth/me/grants")
                .bearer(tokens.text("access_token"))
                .expect(401);
        userinfo(project, tokens.text("access_token"), 200);
    }

    @Test
    void ownersAndServersSeeAndEndItToo() {
        var client = thirdParty();
        for (var under : List.of("dashboard", "backend")) {
            var tokens = connect(client, "openid");
            var at = "/v1/" + under + "/users/" + user + "/grants";
            assertThat(project.manage("GET", at).expect(200).text("grants/0/clientId"))
                    .isEqualTo(client);
            project.manage("DELETE", at + "?clientId=" + client).expect(200);
            userinfo(project, tokens.text("access_token"), 401);
        }
    }

    @Test
    void oddNamesOfApplicationsAreUnknownOrRefused() {
        mine("DELETE", "").expect(422);
        mine("DELETE", "?clientId=").expect(404);
        mine("DELETE", "?clientId=%00").expect(422);
        mine("DELETE", "?clientId=" + "x".repeat(3000)).expect(422);
        mine("DELETE", "?client=x").expect(422);
        mine("DELETE", "?clientId=https%3A%2F%2Fagent.example.com%2F").expect(404);
    }
}
