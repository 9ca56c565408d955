package dev.vestibule.access;

import dev.vestibule.project.ApiKey;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.member.Role;
import dev.vestibule.token.AccessToken;
import dev.vestibule.user.User;

/** Who sends a request, proven by what it carries. */
public sealed interface Caller {
    /** The holder of one of the project's API keys. */
    record KeyHolder(Project project, ApiVariant variant, ApiKey.Kind kind) implements Caller {}

    /** Somebody who named the project, as Variant B's clients do. */
    record ProjectClient(Project project) implements Caller {}

    /** A user with a living session. */
    record SignedIn(Project project, AccessToken token, User user) implements Caller {}

    /** A dashboard user, in a project that it is a member of. */
    record Member(Project project, SignedIn who, Role role) implements Caller {}

    /** Somebody who shows nothing, where nothing is asked for. */
    record Anonymous() implements Caller {}
}
