package dev.vestibule.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Which identity providers there are beyond the built-in ones, and how they are talked to. */
public record OauthSettings(
        Optional<Path> catalogueFile,
        boolean allowPrivateIssuers,
        Duration timeout,
        int cacheSize,
        Duration metadataLifetime,
        Duration leeway,
        int maxOpen) {

    static OauthSettings read(SettingsSection oauth, Path workingDirectory) {
        return new OauthSettings(
                oauth.optional(
                        "catalogueFile",
                        SettingType.existingFile(workingDirectory),
                        "/etc/vestibule/providers.yaml",
                        "A file that adds identity providers to the built-in catalogue or changes fields of one, in its"
                                + " form: src/main/resources/providers.yaml explains it. The addresses that it names"
                                + " may be private ones."),
                oauth.value(
                        "allowPrivateIssuers",
                        SettingType.FLAG,
                        "false",
                        "Whether projects may name issuers at private addresses, and by http: for development, and for"
                                + " a network whose projects are all trusted."),
                oauth.value(
                        "timeoutSeconds",
                        SettingType.seconds(1, 60),
                        "10",
                        "Longest time that an identity provider gets for one answer."),
                oauth.value(
                        "cacheSize",
                        SettingType.wholeNumber(1, 1_000_000),
                        "1000",
                        "Most issuers whose discovery documents and keys are kept in memory."),
                oauth.value(
                        "metadataSeconds",
                        SettingType.seconds(60, 86_400),
                        "3600",
                        "How long these are believed; a token by a key that is not among them has them fetched again."),
                oauth.value(
                        "leewaySeconds",
                        SettingType.seconds(0, 300),
                        "60",
                        "How far a provider's clock may be from ours."),
                oauth.value(
                        "maxOpen",
                        SettingType.wholeNumber(1, 10_000_000),
                        "100000",
                        "Most sign ins of one project that may be under way at once, from the moment that a page asks where"
                                + " to send the browser until it is back, or ten minutes have passed."));
    }
}
