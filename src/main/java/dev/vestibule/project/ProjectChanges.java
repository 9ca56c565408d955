package dev.vestibule.project;

import java.util.Optional;

/** The notification that tells every node that something cached of a project changed. */
public final class ProjectChanges {
    private static final String PREFIX = "project ";

    private ProjectChanges() {}

    public static Optional<ProjectId> parse(String payload) {
        return payload.startsWith(PREFIX) ? ProjectId.parse(payload.substring(PREFIX.length())) : Optional.empty();
    }
}
