package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CommandLineTest {
    @Test
    void noArgumentsAskForNothing() {
        assertThat(CommandLine.parse()).isEqualTo(new CommandLine(Optional.empty(), false, false));
    }

    @Test
    void eachKnownArgumentIsTaken() {
        assertThat(CommandLine.parse("--config", "a.yaml", "--help", "--version"))
                .isEqualTo(new CommandLine(Optional.of(Path.of("a.yaml")), true, true));
    }

    @Test
    void allWrongArgumentsAreListedAtOnceAndNoneRepeatsAValue() {
        assertThat(faults("--prot=hunter2", "--config", "a", "hunter2", "--config"))
                .containsExactly(
                        "unknown argument --prot; known: [--config FILE] [--help] [--version]",
                        "unknown argument number 4; known: [--config FILE] [--help] [--version]",
                        "--config is given twice",
                        "--config needs a file after it");
    }

    private static List<String> faults(String... arguments) {
        return catchThrowableOfType(InvalidConfigurationException.class, () -> CommandLine.parse(arguments))
                .lines();
    }
}
