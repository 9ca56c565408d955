package dev.vestibule.token;

import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;

/** Who an access token is issued to, and how they authenticated. */
public record TokenSubject(ProjectId project, UserId user, SessionId session, Authentication authentication) {}
