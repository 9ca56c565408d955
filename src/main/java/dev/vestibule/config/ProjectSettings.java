package dev.vestibule.config;

/** How many projects a node keeps in memory. */
public record ProjectSettings(int cacheSize) {
    static ProjectSettings read(Group projects) {
        return new ProjectSettings(projects.value(
                "cacheSize", Type.wholeNumber(1, 1_000_000), "10000", "Most projects kept in memory with their keys."));
    }
}
