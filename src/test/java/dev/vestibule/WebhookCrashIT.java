package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestReceiver.Received;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every committed change is delivered, and nothing else, however often the server is killed in between;
 * {@code -Dcrash.rounds=20} kills more often.
 */
@ExtendWith(WithServer.class)
class WebhookCrashIT {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookCrashIT.class);
    private static final int ROUNDS = Integer.getInteger("crash.rounds", 2);
    private static final String PATH = "/hook";
    private static final int MAX_DELIVERIES_BEFORE_A_KILL = 400;

    private final Sql sql;
    private final JarCommand command;
    private final TestReceiver receiver = TestReceiver.start();
    private JarServer server;

    WebhookCrashIT(TestDatabase database, @TempDir Path folder) {
        var url = database.createDatabase();
        sql = new Sql(url);
        command = JarCommand.in(folder)
                .with("VESTIBULE_DATABASE_URL", url)
                .with("VESTIBULE_SECRET", TestServer.SECRET)
                .with("VESTIBULE_LIMITS_ENABLED", "false")
                .with("VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "true")
                .with("VESTIBULE_WEBHOOKS_TIMEOUT_SECONDS", "15");
        server = command.start();
    }

    @AfterEach
    void leaveNothingRunning() {
        server.kill();
        receiver.close();
    }

    @Test
    void onlyCommittedChangesAreAnnounced() {
        var project = server.firstProject();
        project.manage("POST", "/v1/dashboard/webhooks")
                .json(Map.of("url", receiver.url(PATH), "events", List.of("*")))
                .expect(201);
        for (int round = 0; round < ROUNDS; round++) {
            crash(project.through(server.api()));
        }
        Eventually.untilNone("waiting deliveries, and the node's warnings,", this::waiting);

        var deliveries = receiver.to(PATH);
        var ids = deliveries.stream()
                .collect(Collectors.groupingBy(delivery -> delivery.header("webhook-id"), Collectors.counting()));
        var users = ids("users", project);
        var sessions = ids("sessions", project);
        LOG.info(
                "{} kills: {} users, {} sessions; {} events arrived, {} of them more than once, in {} deliveries",
                ROUNDS,
                users.size(),
                sessions.size(),
                ids.size(),
                ids.values().stream().filter(count -> count > 1).count(),
                deliveries.size());
        assertThat(told(deliveries, "user.created", "/data/user/id")).isEqualTo(users);
        assertThat(told(deliveries, "session.created", "/data/session/id")).isEqualTo(sessions);
        assertThat(ids).hasSize(users.size() + sessions.size());
    }

    /** Kills after a different number of deliveries each time, so that the kill hits them at different moments. */
    private void crash(TestProject project) {
        var storm = new SignUpStorm(project);
        try {
            var until = receiver.count() + ThreadLocalRandom.current().nextInt(1, MAX_DELIVERIES_BEFORE_A_KILL);
            Eventually.until("the storm is under way", () -> receiver.count() >= until);
            server.kill();
            server = command.start();
        } finally {
            storm.end();
        }
    }

    /** What the events of a type tell of. */
    private static Set<String> told(List<Received> deliveries, String type, String pointer) {
        return deliveries.stream()
                .map(delivery -> Json.parse(Buffer.buffer(delivery.body())))
                .filter(event -> event.get("type").textValue().equals(type))
                .map(event -> event.at(pointer).textValue())
                .collect(Collectors.toSet());
    }

    private Set<String> ids(String table, TestProject project) {
        return new HashSet<>(sql.texts("SELECT id FROM " + table + " WHERE project_id = ?::uuid", project.id()));
    }

    private List<String> waiting() {
        var deliveries = sql.texts("""
                SELECT row_to_json(delivery)::text || coalesce(' of ' || row_to_json(node)::text, '')
                FROM webhook_deliveries AS delivery LEFT JOIN nodes AS node ON node.id = delivery.claimed_by
                WHERE status = 'waiting' ORDER BY next_attempt_at LIMIT 5
                """);
        return deliveries.isEmpty()
                ? deliveries
                : Stream.concat(deliveries.stream(), server.output().lines().filter(line -> line.contains(" WARN ")))
                        .toList();
    }
}
