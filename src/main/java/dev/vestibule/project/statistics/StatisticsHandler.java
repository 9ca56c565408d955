package dev.vestibule.project.statistics;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The statistics of a project. */
public final class StatisticsHandler {
    private record Numbers(
            long signUps,
            long signIns,
            long failedSignIns,
            long activeUsers,
            long webhooksDelivered,
            long webhooksFailed) {
        static Numbers of(HourlyCounts counts) {
            return new Numbers(
                    counts.count(Counted.SIGN_UPS),
                    counts.count(Counted.SIGN_INS),
                    counts.count(Counted.FAILED_SIGN_INS),
                    counts.users().count(),
                    counts.count(Counted.WEBHOOKS_DELIVERED),
                    counts.count(Counted.WEBHOOKS_FAILED));
        }
    }

    private record Totals(long users, @JsonUnwrapped Numbers numbers) {}

    private record Step(Instant at, @JsonUnwrapped Numbers numbers) {}

    private record Response(String period, String interval, Instant from, Totals totals, List<Step> series) {}

    private final Database database;
    private final StatisticsStore store = new StatisticsStore();
    private final Clock clock;

    public StatisticsHandler(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * {@code GET /v1/dashboard/projects/:projectId/statistics}: the activity in the project, by the hour or the day.
     */
    public Future<Reply> get(ApiRequest request) {
        var project = request.project().id();
        var period =
                request.query(fields -> Objects.requireNonNullElse(fields.optional("period", Period::of), Period.DAY));
        var from = period.begin(clock.instant());
        var users = store.countUsers(database.reads(), project);
        return store.ofProject(database.reads(), project, from)
                .compose(rows -> users.map(all -> Reply.ok(response(period, from, all, rows))));
    }

    private static Response response(Period period, Instant from, long users, List<HourlyCounts> rows) {
        var begins = IntStream.range(0, period.steps())
                .mapToObj(step -> from.plus(period.step().multipliedBy(step)))
                .toList();
        // The total is built from these: merging the users of all hours again would take twice the time.
        var sums = begins.stream()
                .map(at -> HourlyCounts.sum(rows.stream()
                        .filter(row -> isBetween(row.hour(), at, at.plus(period.step())))
                        .toList()))
                .toList();
        return new Response(
                period.text(),
                period.interval(),
                from,
                new Totals(users, Numbers.of(HourlyCounts.sum(sums))),
                IntStream.range(0, period.steps())
                        .mapToObj(step -> new Step(begins.get(step), Numbers.of(sums.get(step))))
                        .toList());
    }

    private static boolean isBetween(Instant time, Instant begin, Instant end) {
        return !time.isBefore(begin) && time.isBefore(end);
    }

    /** The period of the statistics: it ends with the current hour or day, in UTC. */
    private enum Period {
        DAY("24h", ChronoUnit.HOURS, 24),
        WEEK("7d", ChronoUnit.DAYS, 7),
        MONTH("30d", ChronoUnit.DAYS, 30);

        private final String text;
        private final ChronoUnit unit;
        private final int steps;

        Period(String text, ChronoUnit unit, int steps) {
            this.text = text;
            this.unit = unit;
            this.steps = steps;
        }

        /** Reads the query parameter. */
        static Period of(String text) {
            for (var period : values()) {
                if (period.text.equals(text)) {
                    return period;
                }
            }
            throw new InvalidValueException("must be 24h, 7d or 30d");
        }

        String text() {
            return text;
        }

        String interval() {
            return unit == ChronoUnit.HOURS ? "hour" : "day";
        }

        int steps() {
            return steps;
        }

        Instant begin(Instant now) {
            return now.truncatedTo(unit).minus(step().multipliedBy(steps - 1));
        }

        Duration step() {
            return unit.getDuration();
        }
    }
}
