package dev.vestibule.project.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.database.Shard;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SeededTables;
import dev.vestibule.project.transfer.ProjectMove.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Projects move between three databases while two nodes work. */
@ExtendWith(WithServer.class)
@TakesLong("Each move waits until no node can be writing, and for maintenance.")
@TestInstance(Lifecycle.PER_CLASS)
class MoveProjectIT {
    private static final Shard EU = new Shard("eu");
    private static final Shard US = new Shard("us");

    /** What a node that hears of everything needs: a heartbeat, and to wait for a statement and a connection. */
    private static final Duration QUIET = Duration.ofMillis(1200);

    /** Where no node works for the project. */
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private static final String MOVER = "a move in a test";

    private final Map<Shard, Sql> databases = new LinkedHashMap<>();
    private final TestServer first;
    private final TestServer second;
    private TestProject project;

    MoveProjectIT(TestDatabase databases) {
        for (var shard : List.of(Shard.HOME, EU, US)) {
            this.databases.put(shard, new Sql(databases.createDatabase()));
        }
        var shards = Stream.of(EU, US)
                .map(shard -> shard + "=" + sql(shard).databaseUrl())
                .collect(Collectors.joining(","));
        var settings = Map.of(
                "VESTIBULE_DATABASE_SHARDS", shards,
                "VESTIBULE_DATABASE_POOL_WAIT_MILLIS", "3000",
                "VESTIBULE_SESSIONS_SWEEP_SECONDS", "86400"); // or old rows would be removed while they are compared
        var home = sql(Shard.HOME).databaseUrl();
        this.first = TestServer.startOn(home, settings, Clock.tickMillis(ZoneOffset.UTC));
        this.second = TestServer.startOn(home, settings, Clock.tickMillis(ZoneOffset.UTC));
        this.project = first.newProject();
    }

    @BeforeEach
    void begin() {
        project = first.newProject();
    }

    @AfterAll
    void stop() {
        first.close();
        second.close();
    }

    private Sql sql(Shard shard) {
        return Objects.requireNonNull(databases.get(shard));
    }

    private void move(Shard target, Duration quiet, Consumer<Step> told) {
        Map<Shard, ProjectMove.Opener> openers = new LinkedHashMap<>();
        databases.forEach((shard, sql) -> openers.put(shard, () -> {
            var connection = sql.connect();
            connection.setClientInfo("ApplicationName", MOVER);
            return connection;
        }));
        try {
            new ProjectMove(openers, new ProjectId(UUID.fromString(project.id())), quiet, told).to(target);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private void move(Shard target) {
        move(target, AT_ONCE, step -> {});
    }

    /** Moves it, and waits until maintenance has removed what that has left. */
    private void moveFrom(Shard source, Shard target, Duration quiet) {
        move(target, quiet, step -> {});
        Eventually.until(
                "nothing is left",
                () -> sql(source)
                                .count(
                                        "SELECT count(*) FROM projects WHERE id = ?::uuid AND has_left_rows",
                                        project.id())
                        == 0);
        assertThat(contents(source)).isEqualTo(contents(source, List.of("invitations", "memberships")));
    }

    /** The databases whose rows say that the project is there. */
    private List<Shard> places() {
        return databases.keySet().stream()
                .filter(shard -> sql(shard)
                                .count(
                                        "SELECT count(*) FROM projects WHERE id = ?::uuid AND shard IS NULL",
                                        project.id())
                        == 1)
                .toList();
    }

    /** Refreshes one session again and again, and keeps the token that the last answer had. */
    private final class Refresher {
        private final Thread thread = new Thread(this::run, "refresher");
        private final List<Integer> refused = new CopyOnWriteArrayList<>();
        private final int number;
        private volatile String token;
        private volatile boolean isEnough;
        private volatile int answered;

        Refresher(int number) {
            this.number = number;
            this.token = project.signUp().refreshToken();
            thread.start();
        }

        private void run() {
            for (int turn = number; !isEnough; turn++) {
                var answer = project.at(turn % 2 == 0 ? first : second)
                        .refresh(token)
                        .send();
                if (answer.status() == 200) {
                    token = answer.refreshToken();
                    answered++;
                } else {
                    refused.add(answer.status());
                }
            }
        }

        void stop() throws InterruptedException {
            isEnough = true;
            thread.join();
        }
    }

    private void awaitTurns(List<Refresher> refreshers) {
        var before = refreshers.stream().map(refresher -> refresher.answered).toList();
        Eventually.until(
                "each session is refreshed again",
                () -> IntStream.range(0, refreshers.size())
                        .allMatch(i -> refreshers.get(i).answered > before.get(i) + 3));
    }

    @Test
    void nobodyIsSignedOutWhileTheProjectMovesAround() throws InterruptedException {
        var revoked = project.signUp();
        project.signOut(revoked.accessToken()).expect(200);
        var refreshers = IntStream.range(0, 6).mapToObj(Refresher::new).toList();
        awaitTurns(refreshers);

        for (var target : List.of(EU, US, Shard.HOME)) {
            moveFrom(places().get(0), target, QUIET);
            assertThat(places()).containsExactly(target);
            awaitTurns(refreshers);
            assertThat(project.refresh(revoked.refreshToken()).send().status()).isEqualTo(401);
            assertThat(project.at(second).verify(revoked.accessToken()).send().status())
                    .isEqualTo(401);
        }

        for (var refresher : refreshers) {
            refresher.stop();
        }
        assertThat(refreshers).allSatisfy(refresher -> {
            assertThat(refresher.refused).isNotEmpty().containsOnly(503);
            project.at(second).refresh(refresher.token).expect(200);
        });
        // newer ones of the test, and those of the refreshers
        assertThat(sql(Shard.HOME).count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(refreshers.size());
    }

    @Test
    void everyRowMoves() {
        project.signUp();
        project.trySignIn(TestServer.newEmail(), "not the password").expect(401);
        SeededTables.seed(sql(Shard.HOME), project.id());
        sql(Shard.HOME)
                .update("INSERT INTO oauth_endings (project_id, id) VALUES (?::uuid, gen_random_uuid())", project.id());
        moveFrom(Shard.HOME, EU, AT_ONCE);
        var compared = new ArrayList<Step>();
        move(US, AT_ONCE, step -> {
            if (step == Step.COPIED) {
                assertThat(contents(US)).isEqualTo(contents(EU)).hasSizeGreaterThan(50);
                compared.add(step);
            }
        });
        assertThat(compared).hasSize(1);
        move(Shard.HOME);
        assertThat(sql(Shard.HOME).count("SELECT count(*) FROM memberships WHERE project_id = ?::uuid", project.id()))
                .isOne();
        Eventually.until(
                "the node knows", () -> project.asOwner("GET", "").send().status() == 200);
    }

    private long invitationMails(String email) {
        return sql(Shard.HOME)
                .count(
                        "SELECT count(*) FROM messages JOIN codes USING (project_id, subject_hash)"
                                + " WHERE project_id = ?::uuid AND recipient = ? AND purpose = 'invitation'",
                        project.id(),
                        email);
    }

    /** Those to a project are at home, and sent from there. */
    @Test
    void anInvitationThatWaitsWhileTheProjectMovesAwayAndBackIsSent() {
        var email = TestServer.newEmail();
        project.asOwner("POST", "/members")
                .json(Map.of("email", email, "role", "viewer"))
                .expect(201);
        Eventually.until("it is sent", () -> invitationMails(email) == 0);
        var home = sql(Shard.HOME);
        home.update("UPDATE invitations SET token_hash = NULL WHERE email = ?", email);
        home.update(
                "INSERT INTO messages (project_id, id, queue, kind, recipient, subject_hash, language, created_at,"
                        + " next_attempt_at)"
                        + " SELECT project_id, gen_random_uuid(), 'codes', purpose, ?, subject_hash, 'en', now(), 'infinity'"
                        + " FROM codes WHERE project_id = ?::uuid AND purpose = 'invitation'",
                email,
                project.id());
        move(EU);
        Eventually.until(
                "nothing else is left",
                () -> SeededTables.withRows(home, project.id())
                        .equals(List.of("codes", "invitations", "memberships", "messages", "projects")));
        move(Shard.HOME);
        assertThat(invitationMails(email)).isOne();

        home.update("UPDATE projects SET leaves_until = now() + interval '1 hour' WHERE id = ?::uuid", project.id());
        home.update("UPDATE messages SET next_attempt_at = now() WHERE recipient = ?", email);
        Eventually.until("it is sent", () -> invitationMails(email) == 0);
        assertThat(home.count("SELECT count(*) FROM invitations WHERE email = ? AND token_hash IS NOT NULL", email))
                .isOne();
    }

    /** Of every table that has rows of the project, their number and a digest; without what is made anew. */
    private List<String> contents(Shard shard) {
        return contents(
                shard,
                sql(shard)
                        .texts(
                                "SELECT attrelid::regclass::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid"
                                        + " WHERE attname = 'project_id' AND relkind IN ('r', 'p') AND NOT relispartition"
                                        + " AND relnamespace = 'public'::regnamespace ORDER BY 1"));
    }

    private List<String> contents(Shard shard, List<String> tables) {
        return tables.stream()
                .filter(table -> !table.equals("project_changes"))
                .flatMap(table -> sql(shard)
                        .texts(
                                "SELECT '" + table
                                        + " ' || count(*) || ' ' || md5(string_agg(line, ' ' ORDER BY line)) FROM"
                                        + " (SELECT " + line(table) + " AS line FROM " + table
                                        + " WHERE project_id = ?::uuid) AS lines HAVING count(line) > 0",
                                project.id())
                        .stream())
                .toList();
    }

    private static String line(String table) {
        return switch (table) {
            case "counts" -> "sum(users) || ' ' || sum(sessions)";
            case "revocations" -> "id || ' ' || expires_at";
            case "user_search" -> "id || search_text";
            default -> table + "::text";
        };
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void aMoveThatDiesIsRepeated(Step last) {
        var session = project.signUp();
        assertThatThrownBy(() -> move(EU, AT_ONCE, step -> {
                    if (step == last) {
                        databases.values().forEach(MoveProjectIT::killMoves);
                        throw new IllegalStateException("the process has ended");
                    }
                }))
                .hasMessage("the process has ended");

        var expected = last == Step.SWITCHED ? EU : Shard.HOME;
        // as if a minute had passed
        sql(Shard.HOME)
                .update(
                        "UPDATE projects SET leaves_until = now() - interval '1 second' WHERE leaves_until IS NOT NULL");
        Eventually.until(
                "the project goes on at " + expected,
                () -> project.me(session.accessToken()).send().status() == 200);
        assertThat(places()).containsExactly(expected); // where the servers have ended the move, or where it was

        if (last != Step.SWITCHED) {
            move(EU);
        }
        assertThat(places()).containsExactly(EU);
        Eventually.until(
                "both nodes know",
                () -> Stream.of(first, second)
                        .map(node -> project.at(node).me(session.accessToken()).send())
                        .map(Response::status)
                        .allMatch(status -> status == 200));
        assertThat(sql(EU).count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid", project.id()))
                .isOne();
    }

    @Test
    void homeLeadsToAProjectThatDidNotArriveThereAndMovedOnElsewhere() {
        var session = project.signUp();
        moveFrom(Shard.HOME, EU, AT_ONCE);
        // as a move to home leaves it whose process dies before the switch
        sql(EU).update("UPDATE projects SET leaves_until = now() WHERE id = ?::uuid", project.id());
        sql(Shard.HOME).update("UPDATE projects SET arrives = true WHERE id = ?::uuid", project.id());

        moveFrom(EU, US, AT_ONCE);
        assertThat(sql(Shard.HOME).texts("SELECT shard FROM projects WHERE id = ?::uuid", project.id()))
                .containsExactly("us");
        Eventually.until(
                "it goes on",
                () -> project.at(second).me(session.accessToken()).send().status() == 200);
        Eventually.until(
                "the copy is gone",
                () -> SeededTables.withRows(sql(Shard.HOME), project.id()).equals(List.of("memberships", "projects")));
        move(Shard.HOME);
        assertThat(places()).containsExactly(Shard.HOME);
    }

    @Test
    void whatAFailedCreationHasLeftDoesNotKeepTheSlug() {
        var slug = sql(Shard.HOME)
                .texts("SELECT slug FROM projects WHERE id = ?::uuid", project.id())
                .get(0);
        sql(EU).update(
                        "INSERT INTO projects (id, name, slug, environment, created_at, updated_at)"
                                + " VALUES (gen_random_uuid(), 'Left', ?, 'live', now(), now())",
                        slug);
        move(EU);
        assertThat(places()).containsExactly(EU);
        assertThat(sql(EU).texts("SELECT slug FROM projects WHERE id = ?::uuid", project.id()))
                .containsExactly(slug);
    }

    private void addUser(Shard at) {
        sql(at).update(
                        "INSERT INTO users (project_id, id, email, created_at, updated_at)"
                                + " VALUES (?::uuid, gen_random_uuid(), gen_random_uuid() || '@example.com', now(), now())",
                        project.id());
    }

    private long changes(Shard at) {
        return sql(at).count(
                        "SELECT coalesce(sum(changes), 0)::bigint FROM counts WHERE project_id = ?::uuid",
                        project.id());
    }

    private String found() {
        return project.manage("GET", "/v1/dashboard/users?search=example")
                .expect(200)
                .text("total");
    }

    /** The other database numbers the changes of users anew. */
    @Test
    void totalsOfSearchesAreCountedAnewAfterAMove() {
        for (int i = 0; i < 3; i++) {
            addUser(Shard.HOME);
        }
        sql(Shard.HOME).update("DELETE FROM users WHERE project_id = ?::uuid", project.id());
        addUser(Shard.HOME);
        assertThat(found()).isEqualTo("1");
        var counted = changes(Shard.HOME);
        move(EU);
        Eventually.until(
                "the node knows", () -> project.asOwner("GET", "").send().status() == 200);

        var users = 1;
        for (; changes(EU) < counted; users++) {
            addUser(EU);
        }
        assertThat(changes(EU)).isEqualTo(counted);
        assertThat(users).isGreaterThan(1);
        assertThat(found()).isEqualTo(Integer.toString(users));
    }

    private static void killMoves(Sql database) {
        database.count(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                        + " WHERE application_name = ? AND datname = current_database()",
                MOVER);
    }

    private void assertRefused(Shard target, String why) {
        assertThatThrownBy(() -> move(target))
                .isInstanceOf(TransferException.class)
                .hasMessageContaining(why);
    }

    @Test
    void whatCannotMoveIsRefused() {
        assertRefused(Shard.HOME, "already in the database home");
        assertRefused(new Shard("nowhere"), "no database nowhere");

        var held = new ArrayList<Step>();
        move(EU, AT_ONCE, step -> {
            if (step == Step.HELD) {
                assertRefused(US, "Another move");
            }
            held.add(step);
        });
        assertThat(held).containsExactly(Step.values());

        sql(US).update(
                        // which maintenance removes later, since something holds it
                        "INSERT INTO projects (id, name, slug, environment, shard, leaves_until, has_left_rows,"
                                + " created_at, updated_at)"
                                + " VALUES (?::uuid, 'left', 'left', 'test', 'eu', now(), true, now(), now())",
                        project.id());
        assertRefused(US, "left from an earlier move");

        sql(EU).update("UPDATE projects SET deleted_at = now() WHERE id = ?::uuid", project.id());
        assertRefused(Shard.HOME, "There is no project");
    }
}
