package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the feed reads of real transactions. */
@ExtendWith(WithServer.class)
class ChangeFeedIT {
    private static final String CHANGE =
            "INSERT INTO project_changes (project_id, transaction_id) VALUES ('%s', pg_current_xact_id())";
    private static final String OF_THIS_DATABASE = " FROM pg_stat_activity WHERE datname = current_database()";

    private final Vertx vertx = Vertx.vertx();
    private final Sql sql;
    private final Database database;
    private final ChangeFeed feed = new ChangeFeed(vertx);
    private final RecordedChanges heard = new RecordedChanges();

    ChangeFeedIT(TestDatabase server) {
        sql = new Sql(server.createDatabase());
        database = TestDatabase.connect(vertx, sql.databaseUrl(), 1);
        feed.subscribe(heard);
        feed.start(database.reads()).await();
        heard.missed.set(0);
    }

    @AfterEach
    void close() {
        feed.close();
        database.close().eventually(vertx::close).await();
    }

    private static String change(UUID project) {
        return CHANGE.formatted(project);
    }

    private void awaitChangeOf(UUID project) {
        Eventually.until("the change is heard of", () -> heard.projects.contains(project));
    }

    /** Changes another project, so that all that was committed before has been read when that one has. */
    private void awaitAllChanges() {
        var next = UUID.randomUUID();
        sql.update(change(next));
        awaitChangeOf(next);
    }

    @Test
    void aTransactionThatBeganEarlierAndCommitsLaterIsSeen() throws SQLException {
        var late = UUID.randomUUID();
        try (var slow = sql.connect();
                var statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute(change(late));
            awaitAllChanges();
            awaitAllChanges();
            assertThat(heard.projects).doesNotContain(late);

            slow.commit();

            awaitChangeOf(late);
        }
        assertThat(heard.missed).hasValue(0);
    }

    @Test
    void aRolledBackChangeIsNotSeen() throws SQLException {
        var undone = UUID.randomUUID();
        try (var slow = sql.connect();
                var statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute(change(undone));
            slow.rollback();
        }
        awaitAllChanges();

        assertThat(heard.projects).doesNotContain(undone);
    }

    @Test
    void eachChangeIsReadOnceDuringALongTransactionOfOthers() throws SQLException {
        try (var slow = sql.connect();
                var statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute("SELECT pg_current_xact_id()");
            var changes = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
            for (var project : changes) {
                sql.update(change(project));
                awaitAllChanges();
            }

            assertThat(heard.projects).doesNotHaveDuplicates().containsAll(changes);
        }
        assertThat(heard.missed).hasValue(0);
    }

    @Test
    void aChangeWhileTheConnectionIsDownIsNotMissed() {
        for (int round = 0; round < 5; round++) {
            var project = UUID.randomUUID();
            var before = heard.missed.get();
            sql.texts("SELECT pg_terminate_backend(pid)" + OF_THIS_DATABASE + " AND pid <> pg_backend_pid()");
            sql.update(change(project));

            Eventually.until(
                    "it is heard of, or all caches were emptied after it",
                    () -> heard.projects.contains(project) || (heard.missed.get() > before && feed.isUpToDate()));
        }
        awaitAllChanges();
    }

    @Test
    void manyChangesAtOnceEmptyTheCaches() {
        sql.update("INSERT INTO project_changes (project_id, transaction_id)"
                + " SELECT gen_random_uuid(), pg_current_xact_id() FROM generate_series(1, 1001)");

        Eventually.until("all caches are emptied", () -> heard.missed.get() > 0);
        awaitAllChanges();
    }

    @Test
    void changesAreKeptForMinutesAfterTheyCouldBeRead() throws SQLException {
        var old = UUID.randomUUID();
        var recent = UUID.randomUUID();
        var late = UUID.randomUUID();
        sql.update(change(old));
        sql.update(change(recent));
        try (var slow = sql.connect();
                var statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute(change(late));
            feed.purge(Shard.HOME, database.writes()).await();
            slow.commit();
        }
        sql.update("UPDATE project_changes SET changed_at = now() - interval '1 hour' WHERE project_id <> ?", recent);

        feed.purge(Shard.HOME, database.writes()).await();
        assertThat(kept()).containsExactlyInAnyOrder(recent.toString(), late.toString());

        feed.purge(Shard.HOME, database.writes()).await();
        assertThat(kept()).containsExactly(recent.toString());
    }

    /** Several nodes may start at once on a restored database. */
    @Test
    void nodesThatStartTogetherWriteEachCopiedRevocationOnce() {
        sql.update("INSERT INTO revocations (project_id, transaction_id, id, expires_at)"
                + " SELECT id, number::text::xid8, gen_random_uuid(), now() + interval '1 hour'"
                + " FROM projects, generate_series(9000000000000, 9000000000999) AS number");
        var nodes = TestDatabase.connect(vertx, sql.databaseUrl(), 4);
        try {
            Future.all(Stream.generate(() -> feed.renumber(nodes.writes()))
                            .limit(4)
                            .toList())
                    .await();
        } finally {
            nodes.close().await();
        }

        assertThat(sql.count("SELECT count(*) FROM revocations")).isEqualTo(1000);
        assertThat(sql.count("SELECT count(*) FROM revocations WHERE transaction_id >= '9000000000000'"))
                .isZero();
    }

    private List<String> kept() {
        return sql.texts("SELECT project_id FROM project_changes");
    }

    @Test
    void noPrivilegeIsNeededExceptToReadTheTables() {
        var role = "plain_" + UUID.randomUUID().toString().replace('-', '_');
        sql.update("CREATE ROLE " + role + " LOGIN PASSWORD 'plain'");
        sql.update("GRANT SELECT ON project_changes, revocations, projects TO " + role);
        var plain = TestDatabase.connect(vertx, sql.databaseUrl().replaceFirst("//[^@]+@", "//" + role + ":plain@"), 1);
        try {
            assertThat(new ChangeStore().read(plain.reads(), null).await().server())
                    .isNotEmpty();
        } finally {
            plain.close().await();
            sql.update("DROP OWNED BY " + role);
            sql.update("DROP ROLE " + role);
        }
    }

    @Test
    void noConnectionIsKeptForListening(TestDatabase tests) {
        try (var server = TestServer.start(tests, Map.of())) {
            assertThat(server.sql().count("SELECT count(*)" + OF_THIS_DATABASE + " AND query LIKE 'LISTEN%'"))
                    .isZero();
        }
    }
}
