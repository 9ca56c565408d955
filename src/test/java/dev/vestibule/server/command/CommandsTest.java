package dev.vestibule.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arguments of the jar that need no database. */
class CommandsTest {
    private final Path folder;
    private final CommandRun jar;

    CommandsTest(@TempDir Path folder) {
        this.folder = folder;
        jar = new CommandRun(folder, Map.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "--help"})
    void helpListsCommandsExitCodesAndSourcesOfSettings(String option) {
        var help = jar.run(option);
        assertThat(help.code()).hasValue(0);
        assertThat(help.out())
                .contains("java -jar vestibule.jar [COMMAND] [--config FILE]")
                .contains("create-admin", "reset-dashboard-password")
                .contains("--check-config", "--print-config", "--version")
                .contains("Exit codes:", " 143 ")
                .contains("config/vestibule.yaml", "VESTIBULE_HTTP_PORT");
        assertThat(help.out().lines().count()).isLessThan(60);
        assertThat(help.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        assertThat(help.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "--help"})
    void aCommandExplainsItself(String option) {
        var help = jar.run("create-admin", option);
        assertThat(help.code()).hasValue(0);
        assertThat(help.out()).contains("java -jar vestibule.jar create-admin", "EMAIL", "--config");
    }

    @Test
    void theVersionIsPrinted() {
        assertThat(jar.run("--version").out()).isEqualToIgnoringNewLines("Vestibule 1.2.3");
    }

    @Test
    void withoutACommandTheServerStartsWithTheGivenFile() throws IOException {
        Files.writeString(folder.resolve("other.yaml"), "http: {port: 81}");
        var start = jar.run("--config=other.yaml");
        assertThat(start.code()).isEmpty();
        assertThat(start.started())
                .singleElement()
                .satisfies(settings -> assertThat(settings.http().port()).isEqualTo(81));
    }

    @Test
    void anUnknownOptionIsNamedWithoutItsValue() {
        var wrong = jar.run("--prot=hunter2");
        assertThat(wrong.code()).hasValue(2);
        assertThat(wrong.err()).contains("unknown option --prot", "--help").doesNotContain("hunter2");
        assertThat(wrong.started()).isEmpty();
    }

    /** It could be a password in the wrong place. */
    @Test
    void anUnexpectedArgumentIsNotRepeated() {
        var wrong = jar.run("create-admin", "ada@example.com", "hunter2hunter2");
        assertThat(wrong.code()).hasValue(2);
        assertThat(wrong.err()).contains("unknown argument number 3").doesNotContain("hunter2");
    }

    @Test
    void aTypoInACommandIsCorrected() {
        var wrong = jar.run("create-admn");
        assertThat(wrong.code()).hasValue(2);
        assertThat(wrong.err()).contains("Did you mean create-admin?");
        assertThat(jar.run("--check-cfg").err()).contains("Did you mean --check-config?");
        assertThat(jar.run("bogus").err()).doesNotContain("Did you mean");
    }

    @Test
    void aCommandWithoutItsArgumentSaysWhichIsMissing() {
        var wrong = jar.run("create-admin");
        assertThat(wrong.code()).hasValue(2);
        assertThat(wrong.err()).contains("EMAIL");
    }

    @Test
    void aProjectThatIsNotAUuidIsRefusedInPlainWords() {
        var wrong = jar.run("export", "--project", "nonsense", "project.zip");
        assertThat(wrong.code()).hasValue(2);
        assertThat(wrong.err()).contains("'--project': must be a UUID").doesNotContain("Exception");
    }

    @Test
    void aFileThatIsMissingOrGivenTwiceIsWrong() {
        assertThat(jar.run("--config").code()).hasValue(2);
        assertThat(jar.run("--config", "a", "--config", "b").code()).hasValue(2);
        var missing = jar.run("--check-config", "--config", "nowhere.yaml");
        assertThat(missing.code()).hasValue(2);
        assertThat(missing.err()).contains("nowhere.yaml: there is no such file");
        assertThat(jar.run("--check-config", "--config=").err()).contains("--config must name a file");
    }

    @Test
    void aValidConfigurationIsOkAndNothingIsTouched() throws IOException {
        var check = jar.with("VESTIBULE_DATABASE_URL", "postgresql://nobody:nothing@localhost:1/none")
                .with("VESTIBULE_SECRET", "s".repeat(32))
                .run("--check-config");
        assertThat(check.code()).hasValue(0);
        assertThat(check.out()).isEqualToIgnoringNewLines("ok");
        assertThat(jar.run("--check-config").code()).hasValue(0);
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    /** Including problems in files that settings refer to. */
    @Test
    void everyProblemOfAConfigurationIsListed() throws IOException {
        Files.writeString(folder.resolve("providers.yaml"), "google: {pkce: perhaps}");
        Files.createDirectories(folder.resolve("mails"));
        Files.writeString(folder.resolve("mails/layout.txt"), "{{ cod }}");
        var check = jar.with("VESTIBULE_DASHBOARD_EMAIL", "a..b@example.com")
                .with("VESTIBULE_DASHBOARD_PASSWORD", "a..b@example.com")
                .with("VESTIBULE_OAUTH_CATALOGUE_FILE", "providers.yaml")
                .with("VESTIBULE_MAIL_TEMPLATES", "mails")
                .run("--check-config");
        assertThat(check.code()).hasValue(2);
        assertThat(check.out()).isEmpty();
        assertThat(check.err())
                .contains("dashboard.email ", "dashboard.password ", "oauth.catalogueFile: ", "mail.templates: ");

        var nowhere = jar.with("OTEL_EXPORTER_OTLP_ENDPOINT", "nonsense").run("--check-config");
        assertThat(nowhere.code()).hasValue(2);
        assertThat(nowhere.err()).contains("OTLP endpoint", "nonsense");

        var wrong = jar.with("VESTIBULE_HTTP_PORT", "99999").run("--check-config");
        assertThat(wrong.code()).hasValue(2);
        assertThat(wrong.err()).contains("http.port");
    }

    @Test
    void everySettingIsPrintedWithWhereItComesFromAndSecretsAreMasked() throws IOException {
        Files.createDirectories(folder.resolve("config"));
        Files.writeString(folder.resolve("config/vestibule.yaml"), """
                passwords:
                  memory: 20480
                dashboard:
                  email: ada@example.com
                  password: hunter2hunter2
                """);
        var print = jar.with(
                        "VESTIBULE_DATABASE_URL", "postgresql://ann:hun@ter2hunter2@db1,db2:5433/auth?sslmode=require")
                .with("VESTIBULE_DATABASE_DIRECT_URL", "postgresql://an@n:hunter2@db1/auth")
                .with("VESTIBULE_SECRET", "hunter2".repeat(5))
                .with("VESTIBULE_PREVIOUS_SECRETS", "hunter2".repeat(5) + "," + "hunter2".repeat(6))
                .with("VESTIBULE_SMTP_URL", "smtp://ann:hunter2@mail.example.com")
                .with("VESTIBULE_HTTP_TRUSTED_PROXIES", "10.0.0.0/8, 192.168.0.0/16")
                .run("--print-config");
        assertThat(print.code()).hasValue(0);
        assertThat(print.out()).doesNotContain("hunter2").doesNotContain("ter2");
        assertThat(print.out().replaceAll(" +", " ").lines())
                .contains(
                        "http.port 8080 [default]",
                        "passwords.memory 20480 [config/vestibule.yaml:2]",
                        "dashboard.password ******** [config/vestibule.yaml:5]",
                        "secret ******** [VESTIBULE_SECRET]",
                        "previousSecrets ********, ******** [VESTIBULE_PREVIOUS_SECRETS]",
                        "database.url postgresql://ann:********@db1,db2:5433/auth?sslmode=require [VESTIBULE_DATABASE_URL]",
                        "database.directUrl postgresql://an@n:********@db1/auth [VESTIBULE_DATABASE_DIRECT_URL]",
                        "smtp.url smtp://ann:********@mail.example.com [VESTIBULE_SMTP_URL]",
                        "http.trustedProxies 10.0.0.0/8, 192.168.0.0/16 [VESTIBULE_HTTP_TRUSTED_PROXIES]",
                        "mail.templates (not set) [default]");
    }

    @Test
    void aWrongConfigurationIsNotPrinted() {
        var print = jar.with("VESTIBULE_HTTP_PORT", "99999").run("--print-config");
        assertThat(print.code()).hasValue(2);
        assertThat(print.err()).contains("http.port");
        assertThat(print.out()).isEmpty();
    }
}
