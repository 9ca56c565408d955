package dev.vestibule.authentication.factor;

import dev.vestibule.journal.event.EventKind;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.project.Project;
import dev.vestibule.user.User;
import dev.vestibule.user.UserEvents;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.List;

/** What every sign up does in the transaction that creates the user. */
public final class NewAccounts {
    private final EnrolmentStarts starts;
    private final EventOutbox events;

    NewAccounts(EnrolmentStarts starts, EventOutbox events) {
        this.starts = starts;
        this.events = events;
    }

    /** See {@link EnrolmentStarts#resume}. */
    public Future<User> resume(
            SqlConnection transaction, Project project, User created, List<LinkedIdentity> identities) {
        return starts.resume(transaction, project, created, identities);
    }

    /** Tells the application. */
    public Future<Void> announce(SqlConnection transaction, User created, Instant now) {
        return events.record(transaction, UserEvents.of(EventKind.USER_CREATED, created, now));
    }
}
