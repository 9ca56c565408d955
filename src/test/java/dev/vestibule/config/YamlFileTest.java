package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlFileTest {
    private final Path folder;
    private final List<String> problems = new ArrayList<>();

    YamlFileTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void textIsReadAsWritten() throws Exception {
        assertThat(read("a: 010\nb: 'x: y'\nc: yes\nd: 1.0\ne: ~\nf:"))
                .extractingByKeys("a", "b", "c", "d", "e", "f")
                .extracting(RawSetting::text)
                .containsExactly("010", "x: y", "yes", "1.0", "", "");
        assertThat(problems).isEmpty();
    }

    @Test
    void anEmptyFileHasNoSettings() throws Exception {
        assertThat(read("")).isEmpty();
        assertThat(read("# a comment\n")).isEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void aNameGivenTwiceIsRefusedWithBothLines() throws Exception {
        read("http:\n  port: 1\nhttp.port: 2\nhttp:\n  port: 3\n");

        assertThat(problems)
                .containsExactly(
                        "f.yaml:3: http.port is given twice, first at f.yaml:2",
                        "f.yaml:5: http.port is given twice, first at f.yaml:2");
    }

    @Test
    void noTagCreatesAnObject() throws Exception {
        read("a: !!java.io.File [x]\n");
        read("\nb: !x 1\nc: [!y 2]\n");

        assertThat(problems)
                .containsExactly(
                        "f.yaml:1: is not valid YAML",
                        "f.yaml:2: a tag is not allowed",
                        "f.yaml:3: must be plain text");
    }

    @Test
    void whatIsNotAMappingIsRefused() throws Exception {
        read("- a\n");
        read("just text\n");

        assertThat(problems)
                .containsExactly(
                        "f.yaml:1: must be a mapping of names to values",
                        "f.yaml:1: must be a mapping of names to values");
    }

    @Test
    void aGroupWithinAGroupIsRefused() throws Exception {
        read("http:\n  port:\n    a: 1\n");

        assertThat(problems).containsExactly("f.yaml:3: must be a value or a list, not a group");
    }

    @Test
    void cyclicAliasesEnd() throws Exception {
        read("http: &a\n  port: *a\n");

        assertThat(problems).hasSize(1);
    }

    @Test
    void anAliasStandsForItsText() throws Exception {
        assertThat(read("a: &x text\nb: *x\n").get("b")).isEqualTo(RawSetting.text("f.yaml:2", "text"));
    }

    @Test
    void aSyntaxErrorIsReportedWithItsLine() throws Exception {
        read("http:\n\tport: 1\n");

        assertThat(problems).singleElement().asString().startsWith("f.yaml:2: is not valid YAML (found character");
    }

    @Test
    void aFileThatCannotBeReadIsRefused() throws Exception {
        YamlFile.read(folder, "f.yaml", problems);
        Path file = Files.write(folder.resolve("latin"), new byte[] {'a', ':', ' ', (byte) 0xe4});
        YamlFile.read(file, "f.yaml", problems);
        read("a: \u0001\n");

        assertThat(problems)
                .containsExactly(
                        "f.yaml: cannot be read as a text file in UTF-8",
                        "f.yaml: cannot be read as a text file in UTF-8",
                        "f.yaml: is not valid YAML");
    }

    private Map<String, RawSetting> read(String text) throws Exception {
        return YamlFile.read(Files.writeString(folder.resolve("f.yaml"), text), "f.yaml", problems);
    }
}
