package dev.vestibule.project;

import dev.vestibule.project.statistics.GetProjectStatisticsHandler;

/** The operations on projects and their API keys, for one event loop. */
public record ProjectHandlers(ProjectHandler projects, ApiKeyHandler keys, GetProjectStatisticsHandler statistics) {}
