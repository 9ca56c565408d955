package dev.vestibule.project.statistics;

import dev.vestibule.error.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The period of the statistics: it ends with the current hour or day, in UTC. */
enum Period {
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
