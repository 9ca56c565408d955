package dev.vestibule;

import dev.vestibule.config.DashboardSettings.Registration;
import dev.vestibule.config.LogSettings;
import dev.vestibule.config.Settings;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The message that an operator sees when the server has started. */
final class StartupBanner {
    private StartupBanner() {}

    /** Prints plain text, or log lines if a program reads the output. */
    static void print(Settings settings, Server server) {
        if (settings.log().format() == LogSettings.Format.JSON) {
            lines(settings, server).forEach(LoggerFactory.getLogger(StartupBanner.class)::info);
        } else {
            lines(settings, server).forEach(System.out::println);
        }
    }

    private static List<String> lines(Settings settings, Server server) {
        var lines = new ArrayList<String>();
        var api = "http://localhost:" + server.port();
        lines.add("Vestibule listens on " + settings.http().host() + ":" + server.port() + "  (" + api + ")");
        lines.add("Health and metrics: http://localhost:" + server.managementPort() + "/health/ready, /metrics");
        lines.add("Console: " + api + "/console/  documentation: " + api + "/docs/");
        if (settings.dashboard().registration() != Registration.CLOSED && !server.hasDashboardUser()) {
            lines.add("Make the first account, in the console or with");
            lines.add("  curl " + api + "/v1/dashboard/auth/register -H 'content-type: application/json'"
                    + " -d '{\"email\":\"you@example.com\",\"password\":\"a long passphrase\"}'");
            if (settings.dashboard().registration() == Registration.FIRST) {
                lines.add("From another machine or container, add \"setupCode\":\"" + server.setupCode() + "\"");
            }
        }
        return lines;
    }
}
