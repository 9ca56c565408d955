package dev.vestibule.project;

import java.time.Instant;
import java.util.UUID;

/** That a project's API key was used, and when. */
record ApiKeyUse(ProjectId project, UUID key, Instant at) {}
