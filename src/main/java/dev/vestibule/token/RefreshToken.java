package dev.vestibule.token;

import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;

/** What a genuine refresh token says: which session it prolongs, and which replacement of the first token it is. */
public record RefreshToken(ProjectId project, SessionId session, int generation) {}
