package dev.vestibule.token;

import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;

/** Whom an access token is issued to, and how they proved who they are. */
public record TokenSubject(ProjectId project, UserId user, SessionId session, Authentication authentication) {}
