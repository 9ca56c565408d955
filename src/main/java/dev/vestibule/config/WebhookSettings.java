package dev.vestibule.config;

import java.time.Duration;

/** Delivery of events to projects' endpoints. */
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
                        "Whether endpoints may be in private networks or on this machine."),
                webhooks.value(
                        "maxEndpoints",
                        SettingType.wholeNumber(1, 1000),
                        "100",
                        "Maximum number of endpoints of one project."),
                webhooks.value(
                        "timeoutSeconds",
                        SettingType.seconds(1, 300),
                        "15",
                        "Longest time for an endpoint to accept a delivery; then it counts as failed."),
                webhooks.value(
                        "inFlight",
                        SettingType.wholeNumber(1, 10_000),
                        "500",
                        "Maximum number of deliveries that this node sends at once."),
                webhooks.value(
                        "inFlightPerEndpoint",
                        SettingType.wholeNumber(1, 1000),
                        "20",
                        "Maximum number of deliveries that this node sends to one endpoint at once."),
                webhooks.value(
                        "claimAhead",
                        SettingType.wholeNumber(1, 100_000),
                        "5000",
                        "Maximum number of deliveries that this node keeps in memory, including those in flight."),
                webhooks.value(
                        "pollSeconds",
                        SettingType.seconds(1, 3600),
                        "1",
                        "How often this node looks for deliveries that are due again or that another node left."),
                webhooks.value(
                        "disableDays",
                        SettingType.days(1, 365),
                        "5",
                        "An endpoint that has only failed for this long is disabled until its owner activates it again."),
                webhooks.value(
                        "retentionDays",
                        SettingType.days(1, 365),
                        "30",
                        "How long events and their deliveries are kept."));
    }
}
