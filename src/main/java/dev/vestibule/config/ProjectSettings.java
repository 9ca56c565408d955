package dev.vestibule.config;

import java.time.Duration;

/** Caches, limits and background work of projects. */
public record ProjectSettings(
        int cacheSize, int brandingCacheBytes, int maxKeys, Duration keyUseInterval, Duration deletionInterval) {
    static ProjectSettings read(SettingsSection projects) {
        return new ProjectSettings(
                projects.value(
                        "cacheSize",
                        SettingType.wholeNumber(1, 1_000_000),
                        "10000",
                        "Maximum number of projects kept in memory with their keys."),
                projects.value(
                        "brandingCacheBytes",
                        SettingType.bytes(0, 1_073_741_824),
                        "33554432",
                        "Memory for the brandings of projects in use; a logo takes up to 267 KiB of it."),
                projects.value(
                        "maxKeys",
                        SettingType.wholeNumber(2, 1000),
                        "50",
                        "Maximum number of API keys of one project."),
                projects.value(
                        "keyUseSeconds",
                        SettingType.seconds(1, 86_400),
                        "10",
                        "How often the times of last use of API keys are saved."),
                projects.value(
                        "deletionSeconds",
                        SettingType.seconds(1, 86_400),
                        "5",
                        "How often this node looks for deleted projects and removes their rows."));
    }
}
