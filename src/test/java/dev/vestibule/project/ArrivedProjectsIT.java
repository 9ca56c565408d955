package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.config.Settings;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Connection;
import dev.vestibule.database.ConnectionLimits;
import dev.vestibule.database.Database;
import dev.vestibule.database.Servers;
import dev.vestibule.database.Shard;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the servers make of moves whose process has died. */
@ExtendWith(WithServer.class)
class ArrivedProjectsIT {
    private static final Shard EU = new Shard("eu");
    private static final Shard US = new Shard("us");
    private static final ConnectionLimits LIMITS =
            new ConnectionLimits(1, 100, 10_000, 1, 128, 1, Duration.ofSeconds(10));

    private final Vertx vertx = Vertx.vertx();
    private final Map<Shard, Sql> sql = new HashMap<>();
    private final Database us;
    private final Database all;
    private final String project = UUID.randomUUID().toString();

    ArrivedProjectsIT(TestDatabase databases) {
        var servers = new HashMap<Shard, Servers>();
        for (var shard : List.of(Shard.HOME, EU, US)) {
            var url = databases.createDatabase();
            var settings = Settings.load(
                    Optional.empty(),
                    Map.of("VESTIBULE_DATABASE_URL", url, "VESTIBULE_SECRET", TestServer.SECRET),
                    Path.of("no configuration file here"));
            sql.put(shard, new Sql(url));
            servers.put(
                    shard,
                    new Servers(vertx, Connection.to(settings.database().url().orElseThrow(), settings.database())));
        }
        us = Database.open(vertx, US, Objects.requireNonNull(servers.get(US)), LIMITS, 0);
        all = Database.ofEventLoops(vertx, servers, new ChangeFeed(vertx, List.of(EU, US)), LIMITS, () -> 1);
        all.open();
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private Sql sql(Shard shard) {
        return Objects.requireNonNull(sql.get(shard));
    }

    private void row(Shard in, String columns, String values) {
        sql(in).update(
                        "INSERT INTO projects (id, name, slug, environment, created_at, updated_at, " + columns
                                + ") VALUES (?::uuid, 'A', 'a', 'test', now(), now(), " + values + ")",
                        project);
    }

    private String state(Shard in) {
        return sql(in).texts(
                        "SELECT concat_ws(' ', coalesce(shard, 'here'), CASE WHEN arrives THEN 'arrives' END,"
                                + " CASE WHEN has_left_rows THEN 'left rows' END) FROM projects WHERE id = ?::uuid",
                        project)
                .get(0);
    }

    private void settle() {
        new ArrivedProjects().settle(us, all).await();
    }

    @Test
    void aProjectThatHasLeftTheOtherDatabaseIsHere() {
        row(Shard.HOME, "shard", "'eu'");
        row(EU, "shard, has_left_rows", "'us', true");
        row(US, "shard, arrives", "'eu', true");
        settle();
        assertThat(state(US)).isEqualTo("here");
        assertThat(state(Shard.HOME)).isEqualTo("us");
        assertThat(state(EU)).isEqualTo("us left rows");
        for (var told : List.of(Shard.HOME, US)) {
            assertThat(sql(told).count("SELECT count(*) FROM project_changes WHERE project_id = ?::uuid", project))
                    .isOne();
        }
    }

    @Test
    void homeLeadsToItEvenIfAnEarlierMoveHasLeftACopyThere() {
        row(Shard.HOME, "shard, arrives", "'eu', true");
        row(EU, "shard, has_left_rows", "'us', true");
        row(US, "shard, arrives", "'eu', true");
        settle();
        assertThat(state(US)).isEqualTo("here");
        assertThat(state(Shard.HOME)).isEqualTo("us left rows");
    }

    /** The next move may have begun while this one was being settled. */
    @Test
    void aCopyAtHomeThatArrivesFromHereStays() {
        row(Shard.HOME, "shard, arrives", "'us', true");
        row(EU, "shard, has_left_rows", "'us', true");
        row(US, "shard, arrives", "'eu', true");
        settle();
        assertThat(state(US)).isEqualTo("here");
        assertThat(state(Shard.HOME)).isEqualTo("us arrives");
    }

    @Test
    void aDatabaseThatIsAwayDelaysOnlyTheMovesFromThere() {
        sql(US).update("INSERT INTO projects (id, name, slug, environment, created_at, updated_at, shard, arrives)"
                + " VALUES ('00000000-0000-7000-8000-000000000001', 'B', 'b', 'test', now(), now(), 'away', true)");
        row(EU, "shard", "'us'");
        row(US, "shard, arrives", "'eu', true");
        assertThatThrownBy(this::settle).hasMessageContaining("database");
        assertThat(state(US)).isEqualTo("here");
    }

    @Test
    void aMoveThatMayGoOnIsLeftAlone() {
        row(Shard.HOME, "shard", "'eu'");
        row(EU, "leaves_until", "now() - interval '50 minutes'");
        row(US, "shard, arrives", "'eu', true");
        settle();
        assertThat(state(US)).isEqualTo("eu arrives");
        assertThat(state(Shard.HOME)).isEqualTo("eu");
    }

    @Test
    void theCopyOfAMoveThatNobodyRepeatsIsToBeRemoved() {
        row(Shard.HOME, "shard", "'eu'");
        row(EU, "leaves_until", "now() - interval '70 minutes'");
        row(US, "shard, arrives", "'eu', true");
        settle();
        assertThat(state(US)).isEqualTo("eu left rows");
        assertThat(state(EU)).isEqualTo("here");
    }

    @Test
    void theCopyOfADeletedProjectIsToBeRemoved() {
        row(US, "shard, arrives", "'eu', true");
        settle();
        assertThat(state(US)).isEqualTo("eu left rows");
    }
}
