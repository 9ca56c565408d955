package dev.vestibule.token;

import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;

/** The claims of a genuine refresh token; the generation counts how often the session's token was replaced. */
public record RefreshToken(ProjectId project, SessionId session, int generation) {}
