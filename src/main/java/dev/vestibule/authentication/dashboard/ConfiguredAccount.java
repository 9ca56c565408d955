package dev.vestibule.authentication.dashboard;

import dev.vestibule.config.DashboardSettings;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.project.SystemProject;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.password.CommonPasswords;
import dev.vestibule.user.password.NewPasswords;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks the dashboard users in the configuration: the one whom the server creates when it starts unless the email has
 * an account already, and the administrators.
 */
public final class ConfiguredAccount {
    private ConfiguredAccount() {}

    /** Applies the rules of sign up to the settings. */
    public static void check(DashboardSettings settings, CommonPasswords common) {
        var problems = new ArrayList<String>();
        settings.email().ifPresent(email -> check("dashboard.email", () -> UserFields.email(email), problems));
        settings.administrators()
                .forEach(email -> check("dashboard.administrators", () -> UserFields.email(email), problems));
        settings.password()
                .ifPresent(password -> check(
                        "dashboard.password",
                        () -> NewPasswords.rule(common, settings.email().orElse(null), null, SystemProject.NAME)
                                .read(password.reveal()),
                        problems));
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
    }

    private static void check(String setting, Runnable rule, List<String> problems) {
        try {
            rule.run();
        } catch (InvalidValueException invalid) {
            problems.add(setting + " " + invalid.getMessage());
        }
    }
}
