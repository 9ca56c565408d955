package dev.vestibule.project.member;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.user.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A dashboard user as a member of a project, since when it is one. */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Member(
        UserId userId, @Nullable String email, @Nullable String displayName, Role role, Instant createdAt) {

    public Member with(Role another) {
        return new Member(userId, email, displayName, another, createdAt);
    }
}
