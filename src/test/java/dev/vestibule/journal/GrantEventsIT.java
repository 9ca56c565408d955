package dev.vestibule.journal;

import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.parameter;
import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.refreshForm;
import static dev.vestibule.fixture.OauthBrowser.register;
import static dev.vestibule.fixture.OauthBrowser.token;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What clients of the authorization server may do, in events and in the audit log. */
@ExtendWith(WithServer.class)
class GrantEventsIT {
    private final TestServer server;
    private final TestProject project;
    private final RecordedEvents recorded;
    private final OauthBrowser browser;
    private final String email = TestServer.newEmail();
    private final String user;
    private final String client;

    GrantEventsIT(TestServer server) {
        this.server = server;
        project = server.newProject();
        browser = new OauthBrowser(project);
        user = project.signUp(email).text("user/id");
        client = register(project, "spa", Map.of()).text("clientId");
        recorded = RecordedEvents.of(server, project);
    }

    private String code() {
        return browser.code(client, email, Map.of());
    }

    private JsonNode entries(String action) {
        return project.manage("GET", "/v1/backend/audit-logs?event=" + action)
                .expect(200)
                .json()
                .path("data");
    }

    private void revoke(String token) {
        OauthBrowser.post(project, "/oauth/revoke", Map.of("client_id", client, "token", token), 200);
    }

    @Test
    void aGrantIsRecordedWhenItIsMadeAndOnceWhenItsClientGivesItBack() {
        var tokens = redeem(project, client, code(), 200);
        revoke(tokens.text("refresh_token"));
        revoke(tokens.text("refresh_token"));

        assertThat(recorded.summary()).containsExactly("session.created", "grant.created", "grant.ended revoked");
        var grant = recorded.last("grant.created").at("/data/grant");
        assertThat(grant.path("clientId").asText()).isEqualTo(client);
        assertThat(grant.path("userId").asText()).isEqualTo(user);
        assertThat(grant.path("scopes")).hasToString("[\"openid\",\"email\"]");
        assertThat(grant.properties()).hasSize(5);
        assertThat(recorded.last("grant.ended").at("/data/grant")).isEqualTo(grant);
        var made = entries("auth.grant.created");
        assertThat(made).hasSize(1);
        assertThat(made.at("/0/actorId").asText()).isEqualTo(user);
        var ended = entries("auth.grant.ended");
        assertThat(ended).hasSize(1);
        assertThat(ended.at("/0/targetId").asText()).isEqualTo(user);
    }

    @Test
    void aCodeThatComesTwiceEndsItsGrantAndIsTold() {
        var code = code();
        redeem(project, client, code, 200);
        redeem(project, client, code, 400);
        redeem(project, client, code, 400);

        assertThat(recorded.summary()).containsExactly("session.created", "grant.created", "grant.ended code_misused");
        assertThat(entries("auth.code.misused").at("/0/metadata/clientId").asText())
                .isEqualTo(client);
    }

    @Test
    void anOldRefreshTokenEndsItsGrantAndIsTold() {
        var first = redeem(project, client, code(), 200).text("refresh_token");
        var second = refresh(first, 200).text("refresh_token");
        refresh(second, 200);
        refresh(first, 400);

        assertThat(recorded.summary()).containsExactly("session.created", "grant.created", "grant.ended token_reused");
        assertThat(entries("auth.token.reused").at("/0/targetId").asText()).isEqualTo(user);
    }

    @Test
    void aGrantThatMakesRoomForANewerOneIsTold() {
        var first = redeem(project, client, code(), 200);
        OauthBrowser.addGrants(server, project, client, 100, "1 hour");
        redeem(project, client, browser.code(client, email, Map.of("prompt", "login")), 200);

        var ended = Collections.nCopies(2, "grant.ended evicted");
        assertThat(recorded.summary())
                .containsExactlyInAnyOrderElementsOf(Stream.of(
                                List.of("session.created", "grant.created", "session.created", "grant.created"), ended)
                        .flatMap(List::stream)
                        .toList());
        assertThat(refresh(first.text("refresh_token"), 200).text("refresh_token"))
                .isNotEmpty();
    }

    private Response refresh(String token, int status) {
        return token(project, refreshForm(client, token), status);
    }

    @Test
    void aRefusedApplicationIsInTheAuditLogAndPublishesNoEvent() {
        var third = register(project, "spa", Map.of("firstParty", false)).text("clientId");
        browser.authorize(third, Map.of());
        browser.signIn(email);
        assertThat(parameter(onward(browser.submit("consent", Map.of("decision", "deny"))), "error"))
                .isEqualTo("access_denied");

        Eventually.until(
                "the entry is written", () -> entries("auth.grant.refused").size() == 1);
        assertThat(recorded.summary()).containsExactly("session.created");
    }

    @Test
    void aServiceThatGivesItsTokenBackIsToldWithoutAUser() {
        var api = "https://api.example.com/v1";
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", api, "name", "Orders", "scopes", List.of(Map.of("name", "read"))))
                .expect(201);
        var service = register(project, "service", Map.of("apiScopes", Map.of(api, List.of("read"))));
        var credentials = Map.of("client_id", service.text("clientId"), "client_secret", service.text("clientSecret"));
        var issued = token(project, with(credentials, "grant_type", "client_credentials"), 200);
        OauthBrowser.post(project, "/oauth/revoke", with(credentials, "token", issued.text("access_token")), 200);

        assertThat(recorded.summary()).containsExactly("grant.ended revoked");
        assertThat(recorded.last("grant.ended").at("/data/grant/userId").isNull())
                .isTrue();
        assertThat(entries("auth.grant.ended").at("/0/targetId").isNull()).isTrue();
    }

    private static Map<String, String> with(Map<String, String> form, String name, String value) {
        var all = new HashMap<>(form);
        all.put(name, value);
        return all;
    }
}
