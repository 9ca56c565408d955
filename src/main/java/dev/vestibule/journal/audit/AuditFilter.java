package dev.vestibule.journal.audit;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.journal.Fact;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Timestamps;
import dev.vestibule.json.Uuids;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which entries a request asks for. */
record AuditFilter(
        @Nullable String event,
        @Nullable UUID actor,
        @Nullable UUID target,
        Instant from,
        AuditCursor end) {
    /** The filters with an index, the most selective first. */
    enum Index {
        TARGET,
        ACTOR,
        EVENT,
        NONE
    }

    static AuditFilter read(Fields fields) {
        return new AuditFilter(
                fields.optional("event", Fact::named),
                fields.optional("actorId", AuditFilter::id),
                fields.optional("targetId", AuditFilter::id),
                Objects.requireNonNullElse(fields.optional("dateFrom", text -> time(text, 0)), Instant.EPOCH),
                Objects.requireNonNullElseGet(
                        fields.optional("dateTo", text -> AuditCursor.at(time(text, 1))), AuditCursor::end));
    }

    /** The names of the filters that are set. */
    List<String> names() {
        var names = new ArrayList<String>();
        if (event != null) {
            names.add("event");
        }
        if (actor != null) {
            names.add("actorId");
        }
        if (target != null) {
            names.add("targetId");
        }
        if (!from.equals(Instant.EPOCH)) {
            names.add("dateFrom");
        }
        if (!end.equals(AuditCursor.end())) {
            names.add("dateTo");
        }
        return names;
    }

    Index index() {
        if (target != null) {
            return Index.TARGET;
        }
        if (actor != null) {
            return Index.ACTOR;
        }
        return event == null ? Index.NONE : Index.EVENT;
    }

    private static UUID id(String text) {
        return Uuids.parse(text).orElseThrow(() -> new InvalidValueException("must be a UUID"));
    }

    /** A time, or a date, which stands for the start of that day in UTC, some days later. */
    private static Instant time(String text, int daysLater) {
        try {
            var date = LocalDate.parse(text);
            if (date.getYear() >= 1970 && date.getYear() < 9999) {
                return date.plusDays(daysLater).atStartOfDay(ZoneOffset.UTC).toInstant();
            }
        } catch (DateTimeParseException notADate) {
            // it must be a time
        }
        return Timestamps.parse(text);
    }
}
