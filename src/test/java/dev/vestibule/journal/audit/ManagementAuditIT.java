package dev.vestibule.journal.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What managers do, as those who can read the log see it. */
@ExtendWith(WithServer.class)
class ManagementAuditIT {
    private final TestServer server;
    private final TestProject project;

    ManagementAuditIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    /** The entries of events with this prefix, the oldest first. */
    private List<JsonNode> entries(String prefix) {
        var found = new ArrayList<JsonNode>();
        project.api()
                .get("/v1/dashboard/audit-logs?limit=100&projectId=" + project.id())
                .bearer(project.owner())
                .expect(200)
                .json()
                .path("data")
                .forEach(entry -> {
                    if (entry.path("event").asText().startsWith(prefix)) {
                        found.add(0, entry);
                    }
                });
        return found;
    }

    private List<String> summaries(String prefix) {
        return entries(prefix).stream()
                .map(entry -> "%s by %s %s"
                        .formatted(
                                entry.path("event").asText(),
                                entry.path("actorType").asText(),
                                entry.path("metadata").isNull()
                                        ? "-"
                                        : entry.path("metadata").toString()))
                .toList();
    }

    private String only(String event, String field) {
        assertThat(entries(event)).hasSize(1);
        return entries(event).get(0).path(field).asText();
    }

    @Test
    void creatingAndChangingUsersRecordsTheFieldNames() {
        var user = project.manage("POST", "/v1/dashboard/users")
                .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD))
                .expect(201)
                .text("id");
        project.manage("PATCH", "/v1/dashboard/users/" + user)
                .json(Map.of("displayName", "Somebody Secret", "password", "another fine password"))
                .expect(200);
        project.manage("PATCH", "/v1/dashboard/users/" + user).json(Map.of()).expect(200);

        assertThat(summaries("admin.user."))
                .satisfiesExactly(
                        created -> assertThat(created).isEqualTo("admin.user.created by api_key -"),
                        updated -> assertThat(updated)
                                .startsWith("admin.user.updated by api_key")
                                .contains("displayName", "password")
                                .doesNotContain("Somebody", "another fine"));
        assertThat(entries("admin.user."))
                .allMatch(entry -> entry.path("targetId").asText().equals(user)
                        && entry.path("targetType").asText().equals("user"));
    }

    @Test
    void aBanIsRecordedOnceWithItsReason() {
        var user = project.signUp(TestServer.newEmail()).text("user/id");
        for (var reason : List.of("a chargeback", "another")) {
            project.manage("POST", "/v1/backend/users/" + user + "/ban")
                    .json(Map.of("reason", reason))
                    .expect(200);
        }

        var entries = entries("admin.user.banned");
        assertThat(entries).hasSize(1);
        assertThat(entries.get(0).path("metadata").toString()).isEqualTo("{\"reason\":\"a chargeback\"}");
        assertThat(entries.get(0).path("targetId").asText()).isEqualTo(user);
    }

    @Test
    void anImportRecordsHowManyAndAnExportWhetherItHasHashes() {
        var lines = new StringBuilder();
        for (int line = 0; line < 7; line++) {
            lines.append("{\"email\":\"").append(TestServer.newEmail()).append("\"}\n");
        }
        project.manage("POST", "/v1/dashboard/users/import")
                .raw("application/x-ndjson", lines.toString())
                .expect(200);
        project.manage("POST", "/v1/dashboard/users/import")
                .raw("application/x-ndjson", lines.toString())
                .expect(200); // all of them exist
        project.manage("GET", "/v1/dashboard/users/export").expect(200);
        project.api()
                .get("/v1/dashboard/users/export?withHashes=true&projectId=" + project.id())
                .bearer(project.owner())
                .expect(200);

        assertThat(summaries("admin.users."))
                .containsExactly(
                        "admin.users.imported by api_key {\"users\":7}",
                        "admin.users.exported by api_key {\"withHashes\":false}",
                        "admin.users.exported by admin {\"withHashes\":true}");
    }

    @Test
    void aRefusedExportIsNotRecorded() {
        project.manage("GET", "/v1/dashboard/users/export?withHashes=true").expect(403);

        assertThat(summaries("admin.")).isEmpty();
    }

    @Test
    void theFirstEntryOfAProjectIsItsCreation() {
        assertThat(only("project.created", "targetId")).isEqualTo(project.id());
        assertThat(only("project.created", "actorType")).isEqualTo("admin");
    }

    @Test
    void keysAndTheirNamesAreRecorded() {
        var key = project.asOwner("POST", "/keys")
                .json(Map.of("kind", "secret"))
                .expect(201)
                .text("id");
        project.asOwner("PATCH", "/keys/" + key).json(Map.of("name", "Billing")).expect(200);
        project.asOwner("PATCH", "/keys/" + UUID.randomUUID())
                .json(Map.of("name", "Billing"))
                .expect(404);
        project.asOwner("POST", "/signing-keys/rotate").json(Map.of()).expect(200);
        project.asOwner("POST", "/signing-keys/rotate")
                .json(Map.of("revoke", true))
                .expect(200);

        assertThat(summaries("project.key.updated"))
                .containsExactly("project.key.updated by admin {\"fields\":[\"name\"]}");
        assertThat(only("project.key.updated", "targetId")).isEqualTo(key);
        assertThat(entries("project.signing_keys.rotated"))
                .extracting(entry -> entry.at("/metadata/revoke").asBoolean())
                .containsExactly(false, true);
    }

    @Test
    void membersAreRecordedFromTheInvitationToTheRemoval() {
        var member = project.asOwner("POST", "/members")
                .json(Map.of("email", TestServer.newEmail(), "role", "viewer"))
                .expect(201)
                .text("id");
        project.asOwner("PATCH", "/members/" + member)
                .json(Map.of("role", "owner"))
                .expect(200);
        project.asOwner("DELETE", "/members/" + member).expect(200);
        project.asOwner("DELETE", "/members/" + member).expect(404);
        server.newMember(project, "viewer");
        var active = project.asOwner("GET", "/members").expect(200).json().path("members");
        var viewer = active.get(0).path("role").asText().equals("viewer") ? active.get(0) : active.get(1);
        project.asOwner("DELETE", "/members/" + viewer.path("id").asText()).expect(200);

        assertThat(summaries("project.invitation."))
                .containsExactly(
                        "project.invitation.sent by admin {\"role\":\"viewer\"}",
                        "project.invitation.withdrawn by admin -");
        assertThat(summaries("project.member."))
                .containsExactly(
                        "project.member.role_changed by admin {\"role\":\"owner\"}",
                        "project.member.removed by admin -");
        assertThat(entries("project.member.role_changed"))
                .allMatch(entry -> entry.path("targetId").asText().equals(member));
    }

    @Test
    void brandingAndProvidersAreRecordedWithoutTheirValues() {
        project.asOwner("PATCH", "/branding")
                .json(Map.of("brandName", "Acme", "borderRadius", 4))
                .expect(200);
        project.asOwner("PUT", "/providers/google")
                .json(Map.of("clientId", "the-app", "clientSecret", "a client secret", "enabled", true))
                .expect(200);
        project.asOwner("DELETE", "/providers/google").expect(200);
        project.asOwner("DELETE", "/providers/google").expect(404);

        assertThat(entries("project.branding.updated"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.at("/metadata/fields").toString())
                        .contains("brandName", "borderRadius")
                        .doesNotContain("Acme"));
        assertThat(summaries("project.provider."))
                .satisfiesExactly(
                        set -> assertThat(set)
                                .startsWith("project.provider.updated by admin")
                                .contains("google", "clientSecret")
                                .doesNotContain("a client secret", "the-app"),
                        removed -> assertThat(removed)
                                .isEqualTo("project.provider.removed by admin {\"provider\":\"google\"}"));
    }

    @Test
    void webhooksAreRecordedWithTheirIdAndNoSecret() {
        var webhook = TestWebhook.create(server, project, "http://203.0.113.1/hook");
        webhook.call("PATCH", "")
                .json(Map.of("events", List.of("user.created")))
                .expect(200);
        var secret = webhook.call("POST", "/rotate-secret").expect(200).text("signingSecret");
        webhook.call("POST", "/test").expect(200);
        var delivery = webhook.addDelivery("dead");
        webhook.call("POST", "/deliveries/" + delivery + "/retry").expect(200);
        webhook.call("DELETE", "").expect(200);
        webhook.call("DELETE", "").expect(404);

        assertThat(summaries("webhook."))
                .containsExactly(
                        "webhook.created by api_key -",
                        "webhook.updated by api_key {\"fields\":[\"events\"]}",
                        "webhook.secret_rotated by api_key -",
                        "webhook.tested by api_key -",
                        "webhook.delivery.retried by api_key {\"deliveryId\":\"" + delivery + "\"}",
                        "webhook.deleted by api_key -");
        assertThat(entries("webhook."))
                .allMatch(entry -> entry.path("targetId").asText().equals(webhook.id()))
                .noneMatch(entry ->
                        entry.toString().contains(secret) || entry.toString().contains(webhook.signingSecret()));
    }

    @Test
    void tokenTemplatesAreRecorded() {
        var templates = "/v1/backend/jwt-templates";
        var claims = List.of(Map.of("key", "plan", "value", "a value that is nobody's business"));
        var template = project.manage("POST", templates)
                .json(Map.of("name", "usual", "claims", claims))
                .expect(201)
                .text("id");
        project.manage("POST", templates)
                .json(Map.of("name", "usual", "claims", claims))
                .expect(409);
        project.manage("PUT", templates + "/" + template)
                .json(Map.of("name", "other", "claims", claims, "isDefault", false))
                .expect(200);
        project.manage("DELETE", templates + "/" + template).expect(200);
        project.manage("DELETE", templates + "/" + template).expect(404);
        project.manage("PUT", templates + "/" + template)
                .json(Map.of("name", "other", "claims", claims))
                .expect(404);

        assertThat(summaries("project.jwt_template."))
                .containsExactly(
                        "project.jwt_template.created by api_key {\"name\":\"usual\",\"isDefault\":true}",
                        "project.jwt_template.updated by api_key {\"name\":\"other\",\"isDefault\":false}",
                        "project.jwt_template.deleted by api_key -");
        assertThat(entries("project.jwt_template.")).allSatisfy(entry -> {
            assertThat(entry.path("targetType").asText()).isEqualTo("jwt_template");
            assertThat(entry.path("targetId").asText()).isEqualTo(template);
        });
    }

    @Test
    void whatAnImpersonatingOwnerDoesIsRecordedAsTheOwners() {
        var user = project.signUp().text("user/id");
        var session = project.asOwner("POST", "/users/" + user + "/impersonate")
                .json(Map.of("reason", "Ticket 4711"))
                .expect(200);
        var owner = only("admin.user.impersonated", "actorId");
        project.api()
                .patch("/v1/auth/me")
                .bearer(session.accessToken())
                .json(Map.of("displayName", "Ada"))
                .expect(200);

        var changed = entries("auth.profile.updated").get(0);
        assertThat(changed.path("actorType").asText()).isEqualTo("admin");
        assertThat(changed.path("actorId").asText()).isEqualTo(owner);
        assertThat(changed.at("/metadata/actingAs").asText()).isEqualTo(user);
    }
}
