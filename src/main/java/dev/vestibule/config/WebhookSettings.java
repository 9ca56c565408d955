package dev.vestibule.config;

import java.time.Duration;

/** How projects' endpoints are told of events. */
public record WebhookSettings(
        boolean allowPrivateTargets,
        int maxEndpoints,
        Duration timeout,
        int inFlight,
        int inFlightPerEndpoint,
        int claimAhead,
        Duration pollInterval,
        int disableDays,
        int retentionDays) {

    static WebhookSettings read(SettingsSection webhooks) {
        return new WebhookSettings(
                webhooks.value(
                        "allowPrivateTargets",
                        SettingType.FLAG,
                        "false",
                        "Whether endpoints may be in private networks and on this machine."),
                webhooks.value(
                        "maxEndpoints", SettingType.wholeNumber(1, 1000), "100", "Most endpoints of one project."),
                webhooks.value(
                        "timeoutSeconds",
                        SettingType.seconds(1, 300),
                        "15",
                        "Longest time for an endpoint to accept a delivery; then it counts as failed."),
                webhooks.value(
                        "inFlight",
                        SettingType.wholeNumber(1, 10_000),
                        "500",
                        "Most deliveries that this node sends at once."),
                webhooks.value(
                        "inFlightPerEndpoint", SettingType.wholeNumber(1, 1000), "20", "The same to one endpoint."),
                webhooks.value(
                        "claimAhead",
                        SettingType.wholeNumber(1, 100_000),
                        "5000",
                        "Most deliveries that this node keeps in memory, those in flight among them."),
                webhooks.value(
                        "pollSeconds",
                        SettingType.seconds(1, 3600),
                        "1",
                        "How often this node looks for deliveries that other nodes left or that are due again."),
                webhooks.value(
                        "disableDays",
                        SettingType.days(1, 365),
                        "5",
                        "An endpoint that only failed for so long is disabled until its owner brings it back."),
                webhooks.value(
                        "retentionDays",
                        SettingType.days(1, 365),
                        "30",
                        "How long events and what became of them are kept."));
    }
}
