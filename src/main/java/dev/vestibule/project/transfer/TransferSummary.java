package dev.vestibule.project.transfer;

import dev.vestibule.project.ProjectId;

/** A project that was written to a file, or read from one. */
public record TransferSummary(ProjectId project, String name, long users, long sessions) {
    static TransferSummary of(Manifest manifest) {
        return new TransferSummary(
                new ProjectId(manifest.project()),
                manifest.name(),
                rows(manifest, "users"),
                rows(manifest, "sessions"));
    }

    private static long rows(Manifest manifest, String table) {
        return manifest.tables().stream()
                .filter(one -> one.name().equals(table))
                .mapToLong(Manifest.Table::rows)
                .sum();
    }

    @Override
    public String toString() {
        return "the project " + name + " (" + project + ") with " + users + " users and " + sessions + " sessions";
    }
}
