package dev.vestibule.config;

/** How projects' endpoints are told of events. */
public record WebhookSettings(boolean allowPrivateTargets, int maxEndpoints) {
    static WebhookSettings read(Group webhooks) {
        return new WebhookSettings(
                webhooks.value(
                        "allowPrivateTargets",
                        Type.FLAG,
                        "false",
                        "Whether endpoints may be in private networks and on this machine."),
                webhooks.value("maxEndpoints", Type.wholeNumber(1, 1000), "100", "Most endpoints of one project."));
    }
}
