package dev.vestibule.project.member;

import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.user.UserStore;
import java.time.Clock;

/** The operations on a project's members, for one event loop. */
public record MemberHandlers(
        ListMembersHandler list, AddMemberHandler add, UpdateMemberHandler update, RemoveMemberHandler remove) {
    public MemberHandlers(Database database, Clock clock) {
        this(database, new MemberChanges(database, new ProjectStore(), new MemberStore()), clock);
    }

    private MemberHandlers(Database database, MemberChanges changes, Clock clock) {
        this(
                new ListMembersHandler(database, new MemberStore()),
                new AddMemberHandler(database, new UserStore(), changes, clock),
                new UpdateMemberHandler(changes),
                new RemoveMemberHandler(changes));
    }
}
