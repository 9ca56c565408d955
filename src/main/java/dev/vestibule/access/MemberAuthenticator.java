package dev.vestibule.access;

import dev.vestibule.access.Caller.Member;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.CachedProject;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.project.member.Role;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks that a dashboard user is a member of the project in the request. */
final class MemberAuthenticator {
    private final Database database;
    private final ProjectDirectory projects;
    private final MemberStore members = new MemberStore();

    MemberAuthenticator(Database database, ProjectDirectory projects) {
        this.database = database;
        this.projects = projects;
    }

    /** A 404 both for a project that does not exist and for one that the user is not a member of. */
    Future<Member> find(SignedIn user, @Nullable String projectId) {
        var id = ProjectId.parse(String.valueOf(projectId)).orElseThrow(MemberAuthenticator::notFound);
        var role = members.role(database.home().reads(), id, user.user().id());
        return projects.find(database, id).compose(found -> role.map(known -> member(user, found, known)));
    }

    private static Member member(SignedIn user, Optional<CachedProject> found, Optional<Role> role) {
        return new Member(
                found.orElseThrow(MemberAuthenticator::notFound).project(),
                user,
                role.orElseThrow(MemberAuthenticator::notFound));
    }

    /** A 403 if the member's role does not include the one that the guard demands. */
    static Caller require(Guard guard, Member member) {
        if (member.role().includes(guard.role())) {
            return member;
        }
        throw guard.role() == Role.OWNER
                ? ApiException.of(ErrorCode.OWNER_REQUIRED, "Only an owner of the project can do this.")
                : ApiException.of(
                        ErrorCode.ROLE_NOT_ALLOWED,
                        "A member with the role " + member.role().text() + " cannot do this.");
    }

    private static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such project.");
    }
}
