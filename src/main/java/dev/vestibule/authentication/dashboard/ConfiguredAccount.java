package dev.vestibule.authentication.dashboard;

import dev.vestibule.config.DashboardSettings;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.config.Secret;
import dev.vestibule.database.Database;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SystemProject;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.NewUser;
import dev.vestibule.user.password.CommonPasswords;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** The dashboard user in the configuration, created at start unless the email has an account already. */
public final class ConfiguredAccount {
    private final Database database;
    private final UserStore users;
    private final NewPasswords passwords;
    private final Clock clock;

    public ConfiguredAccount(Database database, UserStore users, NewPasswords passwords, Clock clock) {
        this.database = database;
        this.users = users;
        this.passwords = passwords;
        this.clock = clock;
    }

    /** Applies the rules of sign up to the settings. */
    public static void check(DashboardSettings settings, CommonPasswords common) {
        var problems = new ArrayList<String>();
        settings.email().ifPresent(email -> check("dashboard.email", () -> UserFields.email(email), problems));
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

    private String read(String email, Secret password) {
        return passwords.rule(email, null, SystemProject.NAME).read(password.reveal());
    }

    /** An existing account keeps its password. */
    public Future<Void> ensure(String givenEmail, Secret password) {
        var email = UserFields.email(givenEmail);
        return users.emailIsTaken(database.reads(), ProjectId.SYSTEM, email)
                .compose(taken -> taken
                        ? Future.succeededFuture()
                        : passwords
                                .hash(ProjectId.SYSTEM, "dashboard.password", read(email, password))
                                .compose(hash -> users.insert(
                                        database.writes(),
                                        ProjectId.SYSTEM,
                                        new NewUser(UserId.next(), email, null, hash, clock.instant())))
                                .mapEmpty());
    }
}
