package dev.vestibule.journal.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class ExportAuditLogsIT {
    private static final String PATH = "/v1/dashboard/audit-logs/export";

    /** More than one page of the database. */
    private static final int MANY = 1_200;

    /** With 4 kB each, more than the buffers on the way hold. */
    private static final int BIG = 12_000;

    private static final String WRITE = """
            INSERT INTO audit_log (project_id, created_at, id, actor_type, actor_id, event, target_type, target_id, metadata)
            SELECT ?::uuid, now() - n / 4 * interval '1 second',
                   overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1)::uuid, 'admin', ?::uuid,
                   CASE n % 3 WHEN 0 THEN 'admin.user.banned' ELSE 'admin.user.deleted' END, 'user',
                   overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1)::uuid,
                   jsonb_build_object('text', repeat('x', ?))
            FROM generate_series(1, ?) AS n
            """;

    private final TestDatabase database;
    private final TestServer server;
    private final TestProject project;
    private final String actor = UUID.randomUUID().toString();

    ExportAuditLogsIT(TestDatabase database, TestServer server) {
        this.database = database;
        this.server = server;
        this.project = server.newProject();
    }

    private void write(TestServer at, TestProject of, int entries, int size) {
        at.sql().update(WRITE, of.id(), actor, size, entries);
    }

    private static List<JsonNode> export(TestProject of, String query) {
        return of.manage("GET", PATH + query)
                .expect(200)
                .body()
                .lines()
                .map(line -> Json.parse(Buffer.buffer(line)))
                .toList();
    }

    private static List<String> ids(Iterable<JsonNode> entries) {
        var ids = new ArrayList<String>();
        entries.forEach(entry -> ids.add(entry.path("id").asText()));
        return ids;
    }

    @Test
    void everyEntryIsOneLineInTheOrderOfTheList() {
        write(server, project, MANY, 1);
        var exported = export(project, "");

        assertThat(exported).hasSize(MANY + 2); // its creation, and the export
        assertThat(ids(exported)).doesNotHaveDuplicates();
        assertThat(exported.get(0).path("event").asText()).isEqualTo("audit.exported");
        assertThat(ids(exported).subList(0, 100))
                .isEqualTo(ids(project.manage("GET", "/v1/dashboard/audit-logs?limit=100")
                        .expect(200)
                        .json()
                        .path("data")));
        assertThat(exported.stream().map(entry -> entry.path("createdAt").asText()))
                .isSortedAccordingTo((a, b) -> b.compareTo(a));
    }

    @Test
    void theFiltersAreThoseOfTheList() {
        write(server, project, MANY, 1);

        assertThat(export(project, "?event=admin.user.banned")).hasSize(MANY / 3);
        assertThat(export(project, "?actorId=" + actor + "&event=admin.user.deleted"))
                .hasSize(MANY * 2 / 3);
        assertThat(export(project, "?targetId=" + UUID.randomUUID())).isEmpty();
        assertThat(export(project, "?dateTo=2020-01-01")).isEmpty();
        assertThat(export(project, "?event=org.created")).isEmpty();
    }

    @Test
    void anExportRecordsWhoExportedAndWithWhichFilters() {
        export(project, "?event=auth.signin&dateFrom=2020-01-01");

        assertThat(export(project, "?event=audit.exported")).hasSize(2).last().satisfies(entry -> {
            assertThat(entry.path("actorType").asText()).isEqualTo("api_key");
            assertThat(entry.at("/metadata/filters").toString()).isEqualTo("[\"event\",\"dateFrom\"]");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=5", "page=1", "cursor=x", "event=auth.nothing", "actorId=x", "evnt=auth.signin"})
    void anInvalidQueryIsRefusedAndNotRecorded(String query) {
        project.manage("GET", PATH + "?" + query).expect(422);

        assertThat(export(project, "?event=audit.exported")).hasSize(1);
    }

    @Test
    void supportCanExportAndViewersAndStrangersCannot() {
        var named = PATH + "?projectId=" + project.id();
        var stranger = server.newDashboardUser();
        var user = project.signUp().accessToken();
        assertThat(server.api()
                        .get(named)
                        .bearer(server.newMember(project, "support"))
                        .expect(200)
                        .body())
                .contains("project.created");
        server.api().get(named).bearer(server.newMember(project, "viewer")).expect(403);
        server.api().get(named).bearer(stranger).expect(404);
        server.api().get(named).bearer(user).expect(403);
        project.get(PATH).expect(403);
        assertThat(export(server.newProject(), ""))
                .hasSize(2)
                .noneMatch(entry -> entry.path("projectId").asText().equals(project.id()));
    }

    @Test
    void membersReadTheLogOfTheProjectInThePath() {
        write(server, project, 3, 1);
        var list = project.asOwner("GET", "/audit-logs?event=admin.user.deleted&limit=1")
                .expect(200)
                .json();

        assertThat(list.path("total").asInt()).isEqualTo(2);
        assertThat(list.path("data")).hasSize(1);
        project.as(server.newMember(project, "viewer"), "GET", "/audit-logs").expect(200);
        project.as(server.newDashboardUser(), "GET", "/audit-logs").expect(404);
        project.asOwner("GET", "/audit-logs?event=nothing").expect(422);
        project.asOwner("GET", "/audit-logs?projectId=" + server.newProject().id())
                .expect(403);
    }

    @Test
    void aReaderThatStopsIsCutOffAndFreesItsSlot() throws IOException {
        var settings = Map.of("VESTIBULE_EXPORTS_STALL_SECONDS", "5", "VESTIBULE_EXPORTS_WAITING_BYTES", "1024");
        try (var own = TestServer.start(database, settings);
                var stopped = new Socket()) {
            var big = own.newProject();
            write(own, big, BIG, 4000);
            startReading(big, stopped);
            assertThat(big.manage("GET", PATH).expect(503).header("Retry-After"))
                    .hasValue("10");
            assertThat(big.manage("GET", "/v1/dashboard/users/export")
                            .expect(503)
                            .text("message"))
                    .as("exports of both kinds share their connections")
                    .contains("exports");

            Eventually.until(
                    "there is room for another",
                    () -> big.manage("GET", PATH + "?dateTo=2020-01-01").send().status() == 200);
            Eventually.until("no transaction is left open", () -> own.sql().count("""
                            SELECT count(*) FROM pg_stat_activity
                            WHERE datname = current_database() AND state LIKE 'idle in transaction%'
                            """) == 0);
            assertThat(isWhole(stopped.getInputStream())).isFalse();
        }
    }

    /** Keeps the buffer small: the kernel would let it grow until it holds a whole export. */
    private static void startReading(TestProject of, Socket reader) throws IOException {
        var server = of.api().base();
        reader.setReceiveBufferSize(65_536);
        reader.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        var head = "GET %s HTTP/1.1\r\nHost: %s\r\nx-api-key: %s\r\n\r\n"
                .formatted(PATH, server.getAuthority(), of.secretKey());
        reader.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        assertThat(reader.getInputStream().read()).isEqualTo('H');
    }

    private static boolean isWhole(InputStream response) {
        try {
            return new String(response.readAllBytes(), StandardCharsets.UTF_8).endsWith("\r\n0\r\n\r\n");
        } catch (IOException reset) {
            return false;
        }
    }
}
