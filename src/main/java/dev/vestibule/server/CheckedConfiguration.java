package dev.vestibule.server;

import dev.vestibule.authentication.dashboard.ConfiguredAccount;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.config.Settings;
import dev.vestibule.database.embedded.EmbeddedServer;
import dev.vestibule.mail.MailModule;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.user.password.CommonPasswords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The files and lists that the settings refer to, read and checked before a database is touched. */
public record CheckedConfiguration(CommonPasswords commonPasswords, Catalogue catalogue) {
    /** Throws one exception that lists all faults. */
    public static CheckedConfiguration of(Settings settings) {
        var problems = new ArrayList<String>();
        var commonPasswords = CommonPasswords.load();
        check(problems, () -> {
            ConfiguredAccount.check(settings.dashboard(), commonPasswords);
            return commonPasswords;
        });
        var catalogue = check(problems, () -> Catalogue.read(settings.oauth().catalogueFile()));
        check(problems, () -> {
            MailModule.check(settings.mail(), settings.dashboard(), settings.publicUrl());
            return settings;
        });
        problems.addAll(settings.passwords().problems());
        if (settings.database().url().isEmpty() && !EmbeddedServer.isInJar()) {
            problems.add("database.url must be set: this jar has no PostgreSQL of its own (vestibule.jar has one)");
        }
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        return new CheckedConfiguration(commonPasswords, catalogue.orElseThrow());
    }

    private static <T> Optional<T> check(List<String> problems, Supplier<T> reading) {
        try {
            return Optional.of(reading.get());
        } catch (InvalidConfigurationException invalid) {
            problems.addAll(invalid.lines());
            return Optional.empty();
        }
    }
}
