package dev.vestibule.project.member;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.database.Database;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.session.ImpersonationStore;
import java.time.Clock;

/** The operations on a project's members, for one event loop. */
public record MemberHandlers(
        ListMembersHandler list, AddMemberHandler add, UpdateMemberHandler update, RemoveMemberHandler remove) {
    public MemberHandlers(
            Database database,
            Invitations invitations,
            ImpersonationStore impersonations,
            MailOutbox outbox,
            Auditor audit,
            Clock clock) {
        this(database, new MemberChanges(database, invitations, impersonations, clock), outbox, audit, clock);
    }

    private MemberHandlers(Database database, MemberChanges changes, MailOutbox outbox, Auditor audit, Clock clock) {
        this(
                new ListMembersHandler(database, new MemberStore(), clock),
                new AddMemberHandler(changes, outbox, audit),
                new UpdateMemberHandler(changes, audit),
                new RemoveMemberHandler(changes, new RecentSignIn(clock), audit));
    }
}
