package dev.vestibule.config;

/** How much of projects a node keeps in memory. */
public record ProjectSettings(int cacheSize, int brandingCacheBytes) {
    static ProjectSettings read(Group projects) {
        return new ProjectSettings(
                projects.value(
                        "cacheSize",
                        Type.wholeNumber(1, 1_000_000),
                        "10000",
                        "Most projects kept in memory with their keys."),
                projects.value(
                        "brandingCacheBytes",
                        Type.bytes(0, 1_073_741_824),
                        "33554432",
                        "Memory for the brandings of projects in use; a logo takes up to 267 KiB of it."));
    }
}
