package dev.vestibule.config;

/**
 * A setting with its effective value, for people to read.
 *
 * @param value secrets are masked; empty if the setting is not set and has no default
 * @param origin the environment variable, or the file and its line; empty for a default
 */
public record EffectiveSetting(String name, String value, String origin) {}
