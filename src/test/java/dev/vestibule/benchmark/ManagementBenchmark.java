package dev.vestibule.benchmark;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.TestProject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The latency of management calls in a project of a million users, compared to one of ten thousand. */
class ManagementBenchmark {
    private static final int PROJECTS = 1_000;
    private static final int MANY = 1_000_000;
    private static final int FEW = 10_000;
    private static final int WARM_UP_CALLS = 50;
    private static final int CALLS = 200;

    private final Report report = new Report("management");
    private final Path folder;

    ManagementBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    /** Times of sequential calls of one client; the first one is listed separately. */
    private record Times(double firstMillis, double medianMillis, double p99Millis) {
        static Times of(Call call) {
            var first = millis(call);
            for (int i = 0; i < WARM_UP_CALLS; i++) {
                call.expect(200);
            }
            var histogram = new Histogram(3);
            for (int i = 0; i < CALLS; i++) {
                histogram.recordValue((long) (millis(call) * 1000));
            }
            return new Times(
                    first, histogram.getValueAtPercentile(50) / 1000.0, histogram.getValueAtPercentile(99) / 1000.0);
        }

        private static double millis(Call call) {
            var start = System.nanoTime();
            call.expect(200);
            return (System.nanoTime() - start) / 1e6;
        }
    }

    @Test
    void figures() throws IOException, SQLException {
        var command = JarCommand.in(folder).with("VESTIBULE_LIMITS_ENABLED", "false");
        try (var server = command.start();
                var seeding = Seeding.of(new EmbeddedDatabase(folder.resolve("data")), Instant.now())) {
            var few = server.firstProject();
            few = few.through(ApiClient.undescribed(few.api().base()));
            var many = TestProject.create(few.api(), few.owner(), Map.of("name", "Many"));
            seed(seeding, few, many);
            report.line("%-34s %28s   %28s   ratio", "first, median, p99 in ms", FEW + " users", MANY + " users");
            compare("list, first page", few, many, project -> users(project, ""));
            compare(
                    "list, offset at half",
                    few,
                    many,
                    project -> users(project, "?offset=" + (project.id().equals(manyId(many)) ? MANY : FEW) / 2));
            searches(few, many);
            searchWhileOthersSignUp(seeding, many);
            lifecycle(few, many);
            var owner = few;
            compare(
                    "projects with counts",
                    few,
                    many,
                    project ->
                            owner.api().get("/v1/dashboard/projects?limit=100").bearer(owner.owner()));
        }
    }

    private static String manyId(TestProject many) {
        return many.id();
    }

    private void seed(Seeding seeding, TestProject few, TestProject many) throws SQLException {
        var start = System.nanoTime();
        seeding.otherProjects(PROJECTS - 2);
        seeding.users(UUID.fromString(few.id()), FEW);
        seeding.users(UUID.fromString(many.id()), MANY);
        for (var project : new TestProject[] {few, many}) {
            var at = Instant.now().minusSeconds(86_400L * 60);
            seeding.user(UUID.fromString(project.id()), "l.zamenhof@esperanto.example", "Ludwik Zamenhof", at);
            seeding.user(UUID.fromString(project.id()), "xq@rare.example", "정미르", at);
        }
        seeding.vacuum();
        report.line(
                "%d projects, one with %d users and %d sessions, seeded in %.0f s; search: %s",
                PROJECTS,
                MANY,
                MANY * Seeding.SESSIONS_OF_A_USER,
                (System.nanoTime() - start) / 1e9,
                seeding.searchSizes());
    }

    private void searches(TestProject few, TestProject many) {
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

    private void search(String what, String term, TestProject few, TestProject many) {
        compare("search " + what, few, many, project -> users(project, "?search=" + encoded(term)));
    }

    /** A cached total is updated with the users who have signed up since. */
    private void searchWhileOthersSignUp(Seeding seeding, TestProject many) throws SQLException {
        var histogram = new Histogram(3);
        for (int i = 0; i < CALLS; i++) {
            seeding.user(UUID.fromString(many.id()), "newcomer" + i + "@gmail.com", "New Comer", Instant.now());
            histogram.recordValue((long) (Times.millis(users(many, "?search=gmail")) * 1000));
        }
        report.line(
                "%-34s median %.2f ms, p99 %.2f ms",
                "search every second, one signing up before each",
                histogram.getValueAtPercentile(50) / 1000.0,
                histogram.getValueAtPercentile(99) / 1000.0);
    }

    private void lifecycle(TestProject few, TestProject many) {
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

    private static Call users(TestProject project, String query) {
        return project.manage("GET", "/v1/dashboard/users" + query);
    }

    private static String encoded(String term) {
        return URLEncoder.encode(term, StandardCharsets.UTF_8);
    }

    private void compare(String what, TestProject few, TestProject many, Function<TestProject, Call> call) {
        var small = Times.of(call.apply(few));
        var large = Times.of(call.apply(many));
        report.line(
                "%-34s %8.2f  %8.2f  %8.2f   %8.2f  %8.2f  %8.2f   %5.2f",
                what,
                small.firstMillis(),
                small.medianMillis(),
                small.p99Millis(),
                large.firstMillis(),
                large.medianMillis(),
                large.p99Millis(),
                large.medianMillis() / small.medianMillis());
    }
}
