package dev.vestibule.project;

import java.time.Instant;
import java.util.UUID;

/** One use of a project's API key. */
record ApiKeyUse(ProjectId project, UUID key, Instant at) {}
