package dev.vestibule.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares config/vestibule.yaml with the declarations. */
class ReferenceFileTest {
    private static final Path FILE = Path.of("config", "vestibule.yaml");
    private static final int WIDTH = 100;
    private static final String HEADER = """
            # Every setting of Vestibule with its default. A setting that has none is commented out and shows
            # an example.
            #
            # The server reads config/vestibule.yaml where there is one, or the file named by --config FILE.
            # Each setting is an environment variable too, which wins: http.port is VESTIBULE_HTTP_PORT, and
            # http.maxBodyBytes is VESTIBULE_HTTP_MAX_BODY_BYTES; a list is comma-separated there. A name that
            # is not in this file stops the start, and so does a value that is not allowed.
            """;

    private final Path folder;

    ReferenceFileTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void theReferenceMatchesTheDeclarationOfEverySetting() throws Exception {
        String wanted = render();
        Path proposal = Files.writeString(Path.of("target", "vestibule.yaml"), wanted);

        assertThat(Files.readString(FILE))
                .as("the code says otherwise; what the file should be is in %s", proposal)
                .isEqualTo(wanted);
    }

    @Test
    void theReferenceLoadsUnchangedAndGivesTheDefaults() {
        Settings loaded = Settings.load(Optional.of(FILE.toAbsolutePath()), Map.of(), folder);

        assertThat(loaded).isEqualTo(Loading.in(folder).settings());
    }

    @Test
    void everyExampleExceptSecretsIsValid() throws Exception {
        String everything = Files.readString(FILE).replaceAll("(?m)^( *)#(?=\\w)", "$1");
        Path country = Files.createFile(folder.resolve("country.mmdb"));

        assertThat(Loading.in(folder)
                        .file(everything
                                .replace("/var/lib/geo/country.mmdb", country.toString())
                                .replace("/etc/vestibule/providers.yaml", country.toString())
                                .replace("/etc/vestibule/disposable-domains.txt", country.toString())
                                .replace("/etc/vestibule/mail", folder.toString()))
                        .faults())
                .extracting(line -> line.substring(0, line.indexOf(' ')))
                .containsExactly("secret", "previousSecrets", "sms.secret", "dashboard.password");
    }

    @Test
    void noTwoSettingsShareAVariable() {
        assertThat(Loading.declared()).extracting(Setting::variable).doesNotHaveDuplicates();
    }

    private static String render() {
        return HEADER
                + Loading.sections().stream().map(ReferenceFileTest::render).collect(joining());
    }

    private static String render(SettingsSection section) {
        boolean top = section.name().isEmpty();
        String indent = top ? "" : "  ";
        String heading = top ? "\n" : "\n\n%s\n%s:\n".formatted(comment("", section.description()), section.name());
        return heading
                + section.settings().stream()
                        .map(setting -> render(indent, setting))
                        .collect(joining("\n"));
    }

    private static String render(String indent, Setting setting) {
        String key = setting.name().substring(setting.name().indexOf('.') + 1);
        String example = setting.list() ? "[" + setting.example() + "]" : setting.example();
        return "%s\n%s%s%s: %s\n"
                .formatted(
                        comment(indent, setting.description()) + "\n"
                                + comment(indent, "Allowed: " + setting.allowed()),
                        indent,
                        setting.hasDefault() ? "" : "#",
                        key,
                        example);
    }

    private static String comment(String indent, String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(indent + "#");
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(indent + "#");
            }
            line.append(' ').append(word);
        }
        lines.add(line.toString());
        return String.join("\n", lines);
    }
}
