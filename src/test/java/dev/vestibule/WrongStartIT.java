package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.JarCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar with arguments and settings that do not start a server. */
class WrongStartIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final JarCommand command;

    WrongStartIT(@TempDir Path folder) {
        command = JarCommand.unconfigured(folder).quick();
    }

    @Test
    void everyWrongSettingIsNamedAtOnce() {
        var server = command.with("VESTIBULE_HTTP_PORT", "99999")
                .with("VESTIBULE_LIMITS_ENABLED", "perhaps")
                .with("VESTIBULE_HTTP_PROT", "8080")
                .launch();
        assertThat(server.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(server.output().lines())
                .hasSize(3)
                .anyMatch(line -> line.contains("http.port"))
                .anyMatch(line -> line.contains("limits.enabled"))
                .anyMatch(line -> line.contains("VESTIBULE_HTTP_PROT"));
    }

    @Test
    void aConfiguredDatabaseRequiresTheMasterSecret() {
        var server = command.with("VESTIBULE_DATABASE_URL", "postgresql://u:hunter2@localhost/auth")
                .launch();
        assertThat(server.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(server.output().lines()).singleElement().asString().startsWith("secret ");
    }

    @Test
    void aConfiguredAccountThatCouldNotSignUpIsNamed() {
        var server = command.with("VESTIBULE_DASHBOARD_EMAIL", "a..b@example.com")
                .with("VESTIBULE_DASHBOARD_PASSWORD", "a..b@example.com")
                .launch();
        assertThat(server.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(server.output()).contains("dashboard.email").doesNotContain("PostgreSQL");
    }

    @Test
    void aMailTemplateThatCannotBeReadIsNamed(@TempDir Path templates) throws IOException {
        Files.writeString(templates.resolve("layout.txt"), "{{ cod }}");
        var server =
                command.with("VESTIBULE_MAIL_TEMPLATES", templates.toString()).launch();
        assertThat(server.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(server.output()).contains("mail.templates: ").contains("cod").doesNotContain("PostgreSQL");
    }

    @Test
    void aMistakeInTheCatalogueFileIsNamed(@TempDir Path folder) throws IOException {
        var file = folder.resolve("providers.yaml");
        Files.writeString(file, "google: {pkce: perhaps}");
        var server =
                command.with("VESTIBULE_OAUTH_CATALOGUE_FILE", file.toString()).launch();
        assertThat(server.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(server.output())
                .contains("oauth.catalogueFile: " + file + ": google.pkce must be")
                .doesNotContain("PostgreSQL");
    }

    @Test
    void aHashCostBeyondTheMemoryOfTheProcessIsNamed() {
        var server = command.addJava("-Xmx160m")
                .with("VESTIBULE_PASSWORDS_MEMORY", "65536")
                .with("VESTIBULE_PASSWORDS_HEAP_BUDGET", "131072")
                .with("VESTIBULE_PASSWORDS_NATIVE_BUDGET", "32768")
                .launch();
        assertThat(server.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(server.output().lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("passwords.memory must be at most 32768 KiB"))
                .anyMatch(line -> line.startsWith("passwords.heapBudget must be at most "));
    }

    @Test
    void anUnknownArgumentIsNamed() {
        var server = command.arguments("--prot").launch();
        assertThat(server.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(server.output()).contains("--prot").contains("--help");
    }

    @Test
    void helpNamesTheArguments() {
        var server = command.arguments("--help").launch();
        assertThat(server.awaitExit(LIMIT)).isZero();
        assertThat(server.output()).contains("java -jar vestibule.jar", "[--config FILE]", "--version", "create-admin");
    }

    @Test
    void theVersionIsThatOfTheJar() {
        var server = command.arguments("--version").launch();
        assertThat(server.awaitExit(LIMIT)).isZero();
        assertThat(server.output()).matches("Vestibule \\d+\\.\\d+.*\\R");
    }
}
