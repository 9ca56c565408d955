package dev.vestibule.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Identity providers beyond the built-in ones, and the limits of requests to them. */
public record OauthSettings(
        Optional<Path> catalogueFile,
        boolean allowPrivateIssuers,
        Duration timeout,
        int cacheSize,
        int keyCacheBytes,
        Duration metadataLifetime,
        Duration leeway,
        int maxOpen,
        int maxOwnProviders,
        int clientCacheBytes,
        int maxRegistered,
        Duration clientKeysRetry) {

    static OauthSettings read(SettingsSection oauth, Path workingDirectory) {
        return new OauthSettings(
                oauth.optional(
                        "catalogueFile",
                        SettingType.existingFile(workingDirectory),
                        "/etc/vestibule/providers.yaml",
                        "A file that adds identity providers to the built-in catalogue or changes fields of built-in"
                                + " ones. src/main/resources/providers.yaml explains the form. Its URLs can have"
                                + " private addresses."),
                oauth.value(
                        "allowPrivateIssuers",
                        SettingType.FLAG,
                        "false",
                        "Whether projects may use issuers at private addresses and with plain http: for development, or"
                                + " if all projects are trusted."),
                oauth.value(
                        "timeoutSeconds",
                        SettingType.seconds(1, 60),
                        "10",
                        "Longest time for a response of an identity provider."),
                oauth.value(
                        "cacheSize",
                        SettingType.wholeNumber(1, 1_000_000),
                        "1000",
                        "Maximum number of issuers whose discovery documents and keys are kept in memory."),
                oauth.value(
                        "keyCacheBytes",
                        SettingType.bytes(1_048_576, 1_073_741_824),
                        "8388608",
                        "Memory for the keys of identity providers, as much again for those that clients publish, and as"
                                + " much again for those of the issuers of workloads. Keys that have no room are fetched again when"
                                + " they are needed."),
                oauth.value(
                        "metadataSeconds",
                        SettingType.seconds(60, 86_400),
                        "3600",
                        "How long discovery documents and keys are kept. They are fetched earlier if a token names an"
                                + " unknown key."),
                oauth.value(
                        "leewaySeconds",
                        SettingType.seconds(0, 300),
                        "60",
                        "How far a provider's clock may differ from that of this server."),
                oauth.value(
                        "maxOpen",
                        SettingType.wholeNumber(1, 10_000_000),
                        "100000",
                        "Maximum number of sign ins of one project in progress at once, with providers and, counted apart,"
                                + " for clients of the authorization server: from the first request until the browser"
                                + " comes back, for ten minutes at most. One network gets a hundredth of what is free,"
                                + " and 20 in any case."),
                oauth.value(
                        "maxOwnProviders",
                        SettingType.wholeNumber(1, 100),
                        "10",
                        "Maximum number of OpenID providers that one project names itself, besides the one named oidc."),
                oauth.value(
                        "clientCacheBytes",
                        SettingType.bytes(0, 1_073_741_824),
                        "33554432",
                        "Memory for the registered clients and APIs of projects in use; a client takes about 2 KiB of it."),
                oauth.value(
                        "maxRegistered",
                        SettingType.wholeNumber(1, 10_000),
                        "1000",
                        "Maximum number of clients of one project that have registered themselves, where that is allowed."),
                oauth.value(
                        "clientKeysRetrySeconds",
                        SettingType.seconds(1, 300),
                        "10",
                        "How long the published keys of a client, or of the issuer of a workload, are not asked for again"
                                + " after they could not be read, or did not have the key of a token."));
    }
}
