package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The requests that Entra ID and Okta send, word for word but for names and ids. */
@ExtendWith(WithServer.class)
class ScimClientsIT {
    private final TestServer server;
    private TestProject project;
    private ScimCalls scim;

    ScimClientsIT(TestServer server) {
        this.server = server;
    }

    @BeforeEach
    void newDirectory() {
        project = server.newProject();
        scim = ScimCalls.start(server, project);
    }

    private Response find(String resources, String filter) {
        return scim.call("GET", resources + "filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8))
                .header("Accept", "application/scim+json")
                .expect(200);
    }

    private String text(String template, Object... values) {
        return template.replace("DOMAIN", scim.domain()).formatted(values);
    }

    @Test
    void entraProvisionsAUser() {
        // "Test connection"
        assertThat(find("/Users?", "userName eq \"" + UUID.randomUUID() + "\"").text("totalResults"))
                .isEqualTo("0");

        assertThat(find("/Users?", text("userName eq \"ada@DOMAIN\"")).json().path("Resources"))
                .isEmpty();
        var user = scim.send("POST", "/Users", text("""
                {
                  "schemas": [
                    "urn:ietf:params:scim:schemas:core:2.0:User",
                    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
                  "externalId": "ada.king",
                  "userName": "ada@DOMAIN",
                  "active": true,
                  "displayName": "Ada King",
                  "emails": [{"primary": true, "type": "work", "value": "ada@DOMAIN"}],
                  "meta": {"resourceType": "User"},
                  "name": {"formatted": "Ada King", "familyName": "King", "givenName": "Ada"},
                  "title": "Countess",
                  "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {"department": "Engines"}
                }""")).expect(201);
        var path = "/Users/" + user.text("id");

        // the older form, with a path for each
        scim.send("PATCH", path, text("""
                {
                  "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
                  "Operations": [
                    {"op": "Replace", "path": "emails[type eq \\"work\\"].value", "value": "ada.king@DOMAIN"},
                    {"op": "Add", "path": "phoneNumbers[type eq \\"mobile\\"].value", "value": "+44 20 7183 8750"},
                    {"op": "Replace", "path": "name.familyName", "value": "Lovelace"},
                    {"op": "Replace", "path": "displayName", "value": "Ada Lovelace"},
                    {"op": "Add", "path": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager",
                     "value": "8b2f6c1e-0d57-4f7a-9a51-2f6a5a0f1c11"}]
                }""")).expect(200);

        // without a path, names that are paths
        var changed = scim.send("PATCH", path, text("""
                {
                  "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
                  "Operations": [
                    {"op": "Replace", "value": {
                      "name.givenName": "Augusta",
                      "emails[type eq \\"work\\"].value": "ada@DOMAIN",
                      "addresses[type eq \\"work\\"].locality": "London",
                      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department": "Analysis"}}]
                }""")).expect(200);
        assertThat(changed.text("name/givenName")).isEqualTo("Augusta");
        assertThat(changed.text("name/familyName")).isEqualTo("Lovelace");
        assertThat(changed.text("emails/0/value")).isEqualTo(scim.email("ada"));
        assertThat(changed.text("phoneNumbers/0/type")).isEqualTo("mobile");
        assertThat(changed.text("addresses/0/locality")).isEqualTo("London");
        var enterprise = changed.json().path("urn:ietf:params:scim:schemas:extension:enterprise:2.0:User");
        assertThat(enterprise.path("department").asText()).isEqualTo("Analysis");
        assertThat(enterprise.at("/manager/value").asText()).isEqualTo("8b2f6c1e-0d57-4f7a-9a51-2f6a5a0f1c11");
        assertThat(project.manage("GET", "/v1/backend/users/" + user.text("id"))
                        .expect(200)
                        .text("displayName"))
                .isEqualTo("Ada Lovelace");

        // a soft deletion, a restoration, and the deletion after 30 days
        var off = "{\"schemas\": [\"urn:ietf:params:scim:api:messages:2.0:PatchOp\"],"
                + " \"Operations\": [{\"op\": \"Replace\", \"path\": \"active\", \"value\": \"%s\"}]}";
        assertThat(scim.send("PATCH", path, off.formatted("False"))
                        .expect(200)
                        .json()
                        .path("active"))
                .hasToString("false");
        assertThat(scim.roles(user)).containsExactly("");
        assertThat(find("/Users?", text("userName eq \"ada@DOMAIN\"")).text("Resources/0/active"))
                .isEqualTo("false");
        scim.send("PATCH", path, off.formatted("True")).expect(200);
        assertThat(scim.roles(user)).containsExactly("member");
        scim.send("PATCH", path, off.formatted("False")).expect(200);
        scim.call("DELETE", path).expect(204);
        scim.call("GET", path).expect(404);
    }

    @Test
    void entraProvisionsAGroup() {
        var ada = scim.user("ada");
        var bob = scim.user("bob");
        assertThat(find("/Groups?excludedAttributes=members&", "displayName eq \"Engineers\"")
                        .text("totalResults"))
                .isEqualTo("0");
        var group = scim.send("POST", "/Groups", """
                {
                  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"],
                  "externalId": "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
                  "displayName": "Engineers",
                  "meta": {"resourceType": "Group"}
                }""").expect(201);
        var path = "/Groups/" + group.text("id");
        scim.call("GET", path + "?excludedAttributes=members").expect(200);
        scim.send("PATCH", path, """
                {
                  "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
                  "Operations": [
                    {"op": "Add", "path": "members", "value": [{"$ref": null, "value": "%s"}]},
                    {"op": "Add", "path": "members", "value": [{"$ref": null, "value": "%s"}]}]
                }""".formatted(ada.text("id"), bob.text("id"))).expect(200);
        assertThat(find("/Groups?", "id eq \"" + group.text("id") + "\" and members eq \"" + ada.text("id") + "\"")
                        .text("totalResults"))
                .isEqualTo("1");
        scim.send("PATCH", path, """
                {
                  "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
                  "Operations": [{"op": "Remove", "path": "members", "value": [{"$ref": null, "value": "%s"}]}]
                }""".formatted(ada.text("id"))).expect(200);
        scim.send("PATCH", path, """
                {
                  "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
                  "Operations": [{"op": "Remove", "path": "members[value eq \\"%s\\"]"},
                                 {"op": "Replace", "path": "displayName", "value": "Builders"}]
                }""".formatted(bob.text("id"))).expect(200);
        var left = scim.call("GET", path).expect(200);
        assertThat(left.text("displayName")).isEqualTo("Builders");
        assertThat(left.json().has("members")).isFalse();
        scim.call("DELETE", path).expect(204);
    }

    @Test
    void oktaProvisionsAUser() {
        assertThat(find("/Users?startIndex=1&count=100&", text("userName eq \"ada@DOMAIN\""))
                        .text("totalResults"))
                .isEqualTo("0");
        var user = scim.send("POST", "/Users", text("""
                {
                  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
                  "userName": "ada@DOMAIN",
                  "name": {"givenName": "Ada", "familyName": "King"},
                  "emails": [{"primary": true, "value": "ada@DOMAIN", "type": "work"}],
                  "displayName": "Ada King",
                  "locale": "en-GB",
                  "externalId": "00ujl29u0le5T6Aj10h7",
                  "groups": [],
                  "password": "1mz050nq",
                  "active": true
                }""")).expect(201);
        var path = "/Users/" + user.text("id");
        scim.call("GET", path).expect(200);
        assertThat(scim.send("PUT", path, text("""
                {
                  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
                  "id": "%s",
                  "userName": "ada@DOMAIN",
                  "name": {"givenName": "Augusta", "middleName": "Ada", "familyName": "King"},
                  "emails": [{"primary": true, "value": "ada@DOMAIN", "type": "work", "display": "ada@DOMAIN"}],
                  "active": true,
                  "groups": [],
                  "meta": {"resourceType": "User"}
                }""", user.text("id")))
                        .expect(200)
                        .text("name/middleName"))
                .isEqualTo("Ada");
        assertThat(scim.send("PATCH", path, """
                {
                  "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
                  "Operations": [{"op": "replace", "value": {"active": false}}]
                }""").expect(200).text("active")).isEqualTo("false");
        assertThat(scim.roles(user)).containsExactly("");
        scim.send("PATCH", path, """
                {
                  "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
                  "Operations": [{"op": "replace", "value": {"active": true}}]
                }""").expect(200);
        assertThat(scim.roles(user)).containsExactly("member");
    }

    @Test
    void oktaPushesAGroup() {
        var ada = scim.user("ada");
        scim.call("GET", "/Groups?startIndex=1&count=100").expect(200);
        var group = scim.send("POST", "/Groups", """
                {
                  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"],
                  "displayName": "Engineers",
                  "members": [{"value": "%s", "display": "%s"}]
                }""".formatted(ada.text("id"), scim.email("ada")))
                .expect(201);
        var path = "/Groups/" + group.text("id");
        scim.send("PATCH", path, """
                {
                  "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
                  "Operations": [{"op": "replace", "value": {"id": "%s", "displayName": "Builders"}}]
                }""".formatted(group.text("id"))).expect(200);
        scim.send("PATCH", path, """
                {
                  "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
                  "Operations": [{"op": "remove", "path": "members[value eq \\"%s\\"]"},
                                 {"op": "add", "path": "members", "value": [{"value": "%1$s", "display": "x"}]}]
                }""".formatted(ada.text("id"))).expect(200);
        assertThat(scim.call("GET", path).expect(200).text("members/0/value")).isEqualTo(ada.text("id"));
    }

    @Test
    void aBurstPassesAndMoreThanThatWaits() {
        var statuses =
                IntStream.range(0, 100)
                        .mapToObj(
                                i -> scim.call("GET", "/ServiceProviderConfig").sendAsync())
                        .toList()
                        .stream()
                        .map(one -> one.join().status())
                        .toList();
        assertThat(statuses).containsOnly(200);
    }

    @Test
    void aDirectoryBeyondItsBudgetIsToldWhenToGoOn(TestDatabase database) {
        try (var strict = TestServer.start(database, Map.of("VESTIBULE_LIMITS_SCIM_PER_MINUTE", "5"))) {
            var other = ScimCalls.start(strict, strict.newProject());
            var second =
                    ScimCalls.start(other.calls(), other.owner(), other.calls().create(other.owner(), "Second"));
            for (var i = 0; i < 5; i++) {
                other.call("GET", "/Users").expect(200);
            }
            var refused = other.call("GET", "/Users").expect(429);
            assertThat(refused.header("Retry-After")).isPresent();
            assertThat(refused.text("status")).isEqualTo("429");
            second.call("GET", "/Users").expect(200);
        }
    }
}
