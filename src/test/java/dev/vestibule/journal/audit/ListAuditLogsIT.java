package dev.vestibule.journal.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class ListAuditLogsIT {
    private static final String MANY = """
            INSERT INTO audit_log (project_id, created_at, id, actor_type, actor_id, event, target_type, target_id)
            SELECT ?::uuid, now() - n % 50 * interval '1 day',
                   overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1)::uuid, 'admin', ?::uuid,
                   CASE n % 3 WHEN 0 THEN 'admin.user.banned' ELSE 'admin.user.deleted' END, 'user', ?::uuid
            FROM generate_series(1, ?) AS n
            """;

    /** The entry of the project's own creation. */
    private static final int CREATION = 1;

    private final TestServer server;
    private final TestProject project;
    private final String actor = UUID.randomUUID().toString();
    private final String target = UUID.randomUUID().toString();

    ListAuditLogsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private JsonNode list(String query) {
        return project.manage("GET", "/v1/backend/audit-logs" + query)
                .expect(200)
                .json();
    }

    private void write(int entries) {
        server.sql().update(MANY, project.id(), actor, target, entries);
    }

    @Test
    void anEntryHasTheFieldsThatTheSdkReads() {
        var email = TestServer.newEmail();
        var user = project.signUp(email).text("user/id");
        project.signIn(email);
        var answer = list("?event=auth.signin");

        assertThat(answer.path("total").asInt()).isEqualTo(1);
        assertThat(answer.path("page").asInt()).isEqualTo(1);
        assertThat(answer.path("limit").asInt()).isEqualTo(20);
        var entry = answer.at("/data/0");
        assertThat(entry.path("projectId").asText()).isEqualTo(project.id());
        assertThat(entry.path("actorType").asText()).isEqualTo("user");
        assertThat(entry.path("actorId").asText()).isEqualTo(user);
        assertThat(entry.path("targetType").asText()).isEqualTo("session");
        assertThat(entry.at("/metadata/amr/0").asText()).isEqualTo("pwd");
        assertThat(entry.path("ipAddress").asText()).isEqualTo("127.0.0.1");
    }

    @Test
    void everyFilterFindsItsEntriesAndFiltersCombine() {
        write(30);
        project.signUp();

        assertThat(list("").path("total").asInt()).isEqualTo(30 + 1 + CREATION);
        assertThat(list("?event=admin.user.banned").path("total").asInt()).isEqualTo(10);
        assertThat(list("?actorId=" + actor).path("total").asInt()).isEqualTo(30);
        assertThat(list("?targetId=" + target).path("total").asInt()).isEqualTo(30);
        assertThat(list("?actorId=" + actor + "&event=admin.user.banned")
                        .path("total")
                        .asInt())
                .isEqualTo(10);
        assertThat(list("?targetId=" + target + "&actorId=" + actor + "&event=admin.user.deleted")
                        .path("total")
                        .asInt())
                .isEqualTo(20);
        assertThat(list("?targetId=" + target + "&actorId=" + UUID.randomUUID())
                        .path("total")
                        .asInt())
                .isZero();
        assertThat(list("?dateTo=2020-01-01").path("data")).isEmpty();
        assertThat(list("?dateFrom=2020-01-01&dateTo=2100-01-01").path("total").asInt())
                .isEqualTo(30 + 1 + CREATION);
    }

    @Test
    void aCursorReturnsEachEntryOnceAndInOrder() {
        write(95);
        var ids = new ArrayList<String>();
        var times = new ArrayList<String>();
        var page = list("?limit=20");
        while (ids.size() <= 95 + CREATION) { // a cursor that does not move must fail the test, not hang it
            page.path("data").forEach(entry -> {
                ids.add(entry.path("id").asText());
                times.add(entry.path("createdAt").asText());
            });
            if (page.path("nextCursor").isNull()) {
                break;
            }
            page = list("?limit=20&cursor=" + page.path("nextCursor").asText());
        }

        assertThat(ids).hasSize(95 + CREATION).doesNotHaveDuplicates();
        assertThat(times).isSortedAccordingTo((a, b) -> b.compareTo(a));
    }

    @Test
    void numberedPagesContinueWhereTheLastOneEnded() {
        write(45);
        var ids = new ArrayList<String>();
        for (var number : List.of(1, 2, 3, 4)) {
            list("?limit=15&page=" + number)
                    .path("data")
                    .forEach(entry -> ids.add(entry.path("id").asText()));
        }

        assertThat(ids).hasSize(45 + CREATION).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auth.mfa.setup", "auth.passkey.register", "org.created", "org.invitation.accepted"})
    void anEventThatNothingWritesIsAcceptedAndNotFound(String event) {
        assertThat(list("?event=" + event).path("data")).isEmpty();
        assertThat(list("?event=" + event).path("total").asInt()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"auth.singin,auth.signin", "org.create,org.created", "project.key.create,project.key.created"})
    void aMisspeltEventIsAnsweredWithTheNearestName(String misspelt, String nearest) {
        assertThat(project.manage("GET", "/v1/backend/audit-logs?event=" + misspelt)
                        .expect(422)
                        .text("message"))
                .endsWith("such as " + nearest);
    }

    @Test
    void moreThanTenThousandAreNotCounted() {
        write(10_001);
        var answer = list("");

        assertThat(answer.path("total").asInt()).isEqualTo(10_000);
        assertThat(answer.path("totalIsExact").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "event=auth.nothing",
                "actorId=x",
                "targetId=%00",
                "dateFrom=yesterday",
                "dateTo=99999-01-01",
                "page=0",
                "page=501",
                "limit=101",
                "cursor=x",
                "cursor=________________________________",
                "actor=x"
            })
    void anInvalidQueryIsRefused(String query) {
        project.manage("GET", "/v1/backend/audit-logs?" + query).expect(422);
    }

    @Test
    void aViewerCanListAndStrangersCannot() {
        var path = "/v1/dashboard/audit-logs?projectId=" + project.id();
        var stranger = server.newDashboardUser();
        var user = project.signUp().accessToken();
        server.api().get(path).bearer(server.newMember(project, "viewer")).expect(200);
        server.api().get(path).bearer(project.owner()).expect(200);
        server.api().get(path).bearer(stranger).expect(404);
        server.api().get(path).bearer(user).expect(403);
        server.api().get(path).key(project.publishableKey()).expect(403);
        server.api().get(path).expect(401);
        server.api().get("/v1/backend/audit-logs").bearer(project.owner()).expect(403);
    }

    @Test
    void entriesOfAnotherProjectAreNotFound() {
        write(3);
        var other = server.newProject(project.owner(), "Another");

        assertThat(other.manage("GET", "/v1/backend/audit-logs?targetId=" + target)
                        .expect(200)
                        .json()
                        .path("data"))
                .isEmpty();
    }

    @Test
    void aPageNamesTheUsersAndDashboardUsersOfItsEntries() {
        var user = project.signUp();
        var id = user.text("user/id");
        server.api()
                .call("PATCH", "/v1/dashboard/users/" + id + "/ban?projectId=" + project.id())
                .bearer(project.owner())
                .expect(200);
        var page = list("?event=admin.user.banned");
        assertThat(page.at("/people/" + id + "/email").asText()).isEqualTo(user.text("user/email"));
        var owner = page.at("/data/0/actorId").asText();
        assertThat(page.path("people").properties()).hasSize(2);
        assertThat(page.at("/people/" + owner + "/email").asText()).contains("@");
        project.manage("DELETE", "/v1/dashboard/users/" + id).expect(200);
        assertThat(list("?event=admin.user.banned").path("people").has(id)).isFalse();
    }

    @Test
    void aPageNamesWhatElseItsEntriesAreAboutButNothingOfAnotherProject() {
        var another = server.newProject();
        var own = organization(project, "Engines");
        var other = organization(another, "Theirs");
        server.sql().update(MANY.replace("'user'", "'organization'"), project.id(), other, other, 1);
        server.sql().update(MANY.replace("'admin'", "'setup_link'"), project.id(), own, own, 1);

        assertThat(list("?event=org.created").path("names")).hasToString("{\"" + own + "\":\"Engines\"}");
        assertThat(list("?actorId=" + own).path("names")).hasToString("{\"" + own + "\":\"Engines\"}");
        assertThat(list("?targetId=" + other).path("names")).isEmpty();
        project.manage("DELETE", "/v1/dashboard/organizations/" + own).expect(200);
        assertThat(list("?event=org.created").path("names")).isEmpty();
    }

    private static String organization(TestProject project, String name) {
        var user = project.signUp().text("user/id");
        return project.manage("POST", "/v1/dashboard/organizations")
                .json(Map.of("name", name, "createdBy", user))
                .expect(201)
                .text("id");
    }
}
