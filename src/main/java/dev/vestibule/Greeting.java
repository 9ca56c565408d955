package dev.vestibule;

import dev.vestibule.config.DashboardSettings.Registration;
import dev.vestibule.config.Settings;

/** Prints what an operator wants to know when the server has started. */
final class Greeting {
    private Greeting() {}

    static void print(Settings settings, Server server) {
        var api = "http://localhost:" + server.port();
        System.out.println("Vestibule listens on " + settings.http().host() + ":" + server.port() + "  (" + api + ")");
        System.out.println(
                "Health and metrics: http://localhost:" + server.managementPort() + "/health/ready, /metrics");
        System.out.println("The API is described at " + api + "/v1/openapi.json");
        if (settings.dashboard().registration() != Registration.CLOSED && !server.hasDashboardUser()) {
            System.out.println("Make the first account:");
            System.out.println("  curl " + api + "/v1/dashboard/auth/register -H 'content-type: application/json'"
                    + " -d '{\"email\":\"you@example.com\",\"password\":\"a long passphrase\"}'");
            if (settings.dashboard().registration() == Registration.FIRST) {
                System.out.println(
                        "From another machine or container, add \"setupCode\":\"" + server.setupCode() + "\"");
            }
        }
    }
}
