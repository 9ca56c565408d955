package dev.vestibule.session;

import dev.vestibule.event.Event;
import dev.vestibule.event.EventKind;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.session.SessionStore.SignedIn;
import dev.vestibule.user.User;
import dev.vestibule.user.UserEvents;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Opens and ends sessions in the caller's transaction, and tells of each in the same. */
public final class SessionChanges {
    private final SessionStore sessions;
    private final RevocationStore revocations;
    private final EventOutbox events;

    public SessionChanges(SessionStore sessions, RevocationStore revocations, EventOutbox events) {
        this.sessions = sessions;
        this.revocations = revocations;
        this.events = events;
    }

    /** Of a user who was made in the same transaction; tells of the user too. */
    public Future<Void> openFirst(
            SqlConnection transaction, Project project, SessionId session, User user, Device device, Instant now) {
        return sessions.openFirst(transaction, project, session, user.id(), device, now)
                .compose(opened -> events.record(
                        transaction,
                        UserEvents.of(EventKind.USER_CREATED, user, now),
                        SessionEvents.created(user, opened, now)));
    }

    /** As {@link SessionStore#open}: empty where the account is no longer as it was when it was checked. */
    public Future<Optional<User>> open(SqlConnection transaction, Project project, SignIn signIn) {
        return sessions.open(transaction, project, signIn)
                .compose(found -> found.map(signedIn -> events.record(transaction, told(signedIn, signIn.now()))
                                .map(Optional.of(signedIn.user())))
                        .orElse(Future.succeededFuture(Optional.empty())));
    }

    private static List<Event> told(SignedIn signedIn, Instant now) {
        var told = new ArrayList<Event>();
        var project = signedIn.user().projectId();
        signedIn.evicted().forEach(session -> told.add(SessionEvents.over(project, session, EndReason.EVICTED, now)));
        told.add(SessionEvents.created(signedIn.user(), signedIn.session(), now));
        return told;
    }

    /** The session that this ended; empty where none of this id lives. */
    public Future<Optional<Session>> end(
            SqlConnection transaction, ProjectId project, SessionId session, EndReason reason, Instant now) {
        return revocations
                .end(transaction, project, session, now)
                .compose(ended -> tell(transaction, project, ended.stream().toList(), reason, now)
                        .map(ended));
    }

    /** As {@link RevocationStore#endAll}: the transaction holds the user's row. */
    public Future<List<Session>> endAll(
            SqlConnection transaction, ProjectId project, UserId user, EndReason reason, Instant now) {
        return revocations
                .endAll(transaction, project, user, now)
                .compose(ended -> tell(transaction, project, ended, reason, now).map(ended));
    }

    /** The same, but for one session that is to go on. */
    public Future<List<Session>> endOthers(
            SqlConnection transaction, ProjectId project, UserId user, SessionId kept, EndReason reason, Instant now) {
        return revocations
                .endOthers(transaction, project, user, kept, now)
                .compose(ended -> tell(transaction, project, ended, reason, now).map(ended));
    }

    /** Before the user goes, whose sessions would go without a word. */
    public Future<Void> removeAll(SqlConnection transaction, ProjectId project, UserId user, Instant now) {
        return revocations.removeAll(transaction, project, user).compose(removed -> {
            var told = removed.stream()
                    .map(session -> SessionEvents.over(
                            project,
                            session,
                            session.expiresAt().isAfter(now) ? EndReason.DELETED : EndReason.EXPIRED,
                            now))
                    .toList();
            return events.record(transaction, told);
        });
    }

    private Future<Void> tell(
            SqlConnection transaction, ProjectId project, List<Session> ended, EndReason reason, Instant now) {
        return events.record(
                transaction,
                ended.stream()
                        .map(session -> SessionEvents.over(project, session, reason, now))
                        .toList());
    }
}
