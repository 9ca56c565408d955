package dev.vestibule.token;

import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import org.jspecify.annotations.Nullable;

/** Who an access token is issued to, how they authenticated, and the organization that it is for, if any. */
public record TokenSubject(
        ProjectId project,
        UserId user,
        SessionId session,
        Authentication authentication,
        @Nullable OrganizationClaims organization) {}
