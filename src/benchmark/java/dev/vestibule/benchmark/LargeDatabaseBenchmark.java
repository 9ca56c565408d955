package dev.vestibule.benchmark;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares a database of a million users and three million sessions with one of ten thousand users: the busiest paths,
 * and management.
 */
class LargeDatabaseBenchmark {
    private static final int MANY = Integer.getInteger("large.users", 1_000_000);
    private static final int FEW = 10_000;
    private static final int OTHER_PROJECTS = 1_000;
    private static final int ACCOUNTS = 10_000;
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Turns TURNS = new Turns(4, Duration.ofMillis(500), Duration.ofSeconds(3));
    private static final int CALLS = 200;
    private static final int PAGE = 20;
    private static final int LONGEST_PAGE = 100;

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Report report = new Report("large-database");
    private final Path folder;

    LargeDatabaseBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    /** A project with many users in its own database. */
    private record Seeded(MeasuredServer server, Seeding seeding, TestProject project, int users)
            implements AutoCloseable {
        static Seeded of(Path folder, int users) throws SQLException {
            var server = MeasuredServer.start(MeasuredServer.cheap(folder));
            var seeding = Seeding.of(server.database(), Instant.now());
            var project = server.firstProject();
            var id = UUID.fromString(project.id());
            seeding.otherProjects(OTHER_PROJECTS);
            seeding.users(id, users);
            var at = Instant.now().minusSeconds(86_400L * 60);
            seeding.user(id, "l.zamenhof@esperanto.example", "Ludwik Zamenhof", at);
            seeding.user(id, "xq@rare.example", "정미르", at);
            seeding.vacuum();
            return new Seeded(server, seeding, project, users);
        }

        /** Accounts of random users who sign in, so that their sessions are spread among the older ones. */
        AccountPool crowd() throws SQLException {
            var accounts = seeding.anyEmails(UUID.fromString(project.id()), ACCOUNTS).parallelStream()
                    .map(email -> Account.of(project, project.signIn(email)))
                    .toList();
            return new AccountPool(users + " users", server, accounts);
        }

        @Override
        public void close() throws SQLException {
            seeding.close();
            server.close();
        }
    }

    @Test
    void figures() throws SQLException {
        try (var few = Seeded.of(folder.resolve("few"), FEW);
                var many = Seeded.of(folder.resolve("many"), MANY)) {
            report.line("search: %s", many.seeding().searchSizes());
            paths(few, many);
            report.line("%-34s %28s   %28s   ratio", "first, median, p99 in ms", FEW + " users", MANY + " users");
            compare("list, first page", few, many, project -> users(project, ""));
            compare("list, page 400", few, many, project -> users(project, "?offset=" + 400 * PAGE));
            calls("list, page 10,000", many.project(), project -> users(project, "?offset=" + 10_000 * PAGE));
            var deep = cursorAt(many.project(), 10_000 * PAGE);
            calls("list, page 10,000 by a cursor", many.project(), project -> users(project, "?cursor=" + deep));
            searches(few, many);
            searchWhileOthersSignUp(many);
            lifecycle(few, many);
            compare(
                    "projects with counts",
                    few,
                    many,
                    project -> project.api()
                            .get("/v1/dashboard/projects?limit=100")
                            .bearer(project.owner()));
        }
        vertx.close().await();
        report.write();
    }

    private void paths(Seeded few, Seeded many) throws SQLException {
        var small = few.crowd();
        var large = many.crowd();
        var lines = Stream.of(small, large)
                .flatMap(crowd -> crowd.lines(vertx).stream())
                .toList();
        Turns.warmUp(lines, WARM_UP);
        report.header();
        large.report(report, TURNS.measure(lines), small, 0.85);
    }

    private void searches(Seeded few, Seeded many) {
        search("rare", "zamenhof", few, many);
        search("rare, two characters", "xq", few, many);
        search("rare, Korean", "미르", few, many);
        search("one of 3,200, Korean", "김민준", few, many);
        search("one of 160, one Korean letter", "김", few, many);
        search("one of 40", "rossi", few, many);
        search("every second", "gmail", few, many);
        search("common, two characters", "an", few, many);
        search("one letter", "z", few, many);
        search("nothing", "no such user", few, many);
    }

    private void search(String what, String term, Seeded few, Seeded many) {
        compare("search " + what, few, many, project -> users(project, "?search=" + encoded(term)));
    }

    /** A cached total is updated with the users who have signed up since. */
    private void searchWhileOthersSignUp(Seeded many) throws SQLException {
        var histogram = new Histogram(3);
        var project = many.project();
        for (int i = 0; i < CALLS; i++) {
            many.seeding()
                    .user(UUID.fromString(project.id()), "newcomer" + i + "@gmail.com", "New Comer", Instant.now());
            histogram.recordValue((long) (Times.millis(users(project, "?search=newcomer" + i)) * 1000));
        }
        print("search of the newest", Times.of(histogram, 0));
    }

    private void lifecycle(Seeded few, Seeded many) {
        compare("user", few, many, project -> project.manage("GET", "/v1/dashboard/users/" + someUser(project)));
        compare("sessions of the project", few, many, project -> project.manage("GET", "/v1/dashboard/sessions"));
        compare(
                "sessions of a user",
                few,
                many,
                project -> project.manage("GET", "/v1/dashboard/users/" + someUser(project) + "/sessions"));
    }

    private static String someUser(TestProject project) {
        return users(project, "?limit=1&offset=5000").expect(200).text("users/0/id");
    }

    /** The cursor of the page that begins after this many users; gets there by pages of the maximum length. */
    private static String cursorAt(TestProject project, int users) {
        var cursor = "";
        for (int passed = 0; passed < users; passed += LONGEST_PAGE) {
            cursor = users(project, "?limit=" + LONGEST_PAGE + (cursor.isEmpty() ? "" : "&cursor=" + cursor))
                    .expect(200)
                    .text("nextCursor");
        }
        return cursor;
    }

    private static Call users(TestProject project, String query) {
        return project.manage("GET", "/v1/dashboard/users" + query);
    }

    private static String encoded(String term) {
        return URLEncoder.encode(term, StandardCharsets.UTF_8);
    }

    private void compare(String what, Seeded few, Seeded many, Function<TestProject, Call> call) {
        var small = Times.of(call.apply(few.project()));
        var large = Times.of(call.apply(many.project()));
        report.add(what, List.of(small, large));
        report.line(
                "%-34s %s   %s   %5.2f%s",
                what, small.inWords(), large.inWords(), large.medianMillis() / small.medianMillis(), large.bar());
    }

    private void calls(String what, TestProject project, Function<TestProject, Call> call) {
        print(what, Times.of(call.apply(project)));
    }

    private void print(String what, Times times) {
        report.add(what, times);
        report.line("%-34s %28s   %s        %s", what, "", times.inWords(), times.bar());
    }
}
