package dev.vestibule.project.member;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.user.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A dashboard user who is a member of a project; {@code createdAt} is when they were added. */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Member(
        UserId userId, @Nullable String email, @Nullable String displayName, Role role, Instant createdAt) {

    public Member withRole(Role newRole) {
        return new Member(userId, email, displayName, newRole, createdAt);
    }
}
