package dev.vestibule.project.member;

import dev.vestibule.database.Database;
import dev.vestibule.mail.MailOutbox;
import java.time.Clock;

/** The operations on a project's members, for one event loop. */
public record MemberHandlers(
        ListMembersHandler list, AddMemberHandler add, UpdateMemberHandler update, RemoveMemberHandler remove) {
    public MemberHandlers(Database database, Invitations invitations, MailOutbox outbox, Clock clock) {
        this(database, new MemberChanges(database, invitations, clock), outbox, clock);
    }

    private MemberHandlers(Database database, MemberChanges changes, MailOutbox outbox, Clock clock) {
        this(
                new ListMembersHandler(database, new MemberStore(), clock),
                new AddMemberHandler(changes, outbox),
                new UpdateMemberHandler(changes),
                new RemoveMemberHandler(changes));
    }
}
