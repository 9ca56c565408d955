package dev.vestibule.user.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommonPasswordsTest {
    private final CommonPasswords common = CommonPasswords.load();

    private static List<String> lines() throws IOException {
        try (var packed = CommonPasswordsTest.class.getResourceAsStream("/passwords/common.txt.gz");
                var text = new GZIPInputStream(packed)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    /** The binary search relies on this. */
    @Test
    void theListIsSortedByBytesAndNormalised() throws IOException {
        var lines = lines();
        assertThat(lines)
                .hasSize(41_518)
                .isSortedAccordingTo((one, other) -> Arrays.compareUnsigned(
                        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8)));
        assertThat(lines)
                .allMatch(line -> line.length() >= 8
                        && line.equals(
                                Normalizer.normalize(line, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT)));
    }

    @Test
    void everyPasswordOfTheListIsFound() throws IOException {
        assertThat(lines()).allMatch(common::contains);
    }

    @Test
    void nothingElseIsFound() throws IOException {
        var lines = lines();
        assertThat(lines.stream()
                        .map(line -> line + "\u0001")
                        .filter(changed -> !lines.contains(changed))
                        .limit(2000))
                .noneMatch(common::contains);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"password", "PASSWORD", "Password1", "12345678", "iloveyou", "qwertyuiop", "friend of joan"})
    void commonPasswordsAreFoundInAnyCase(String password) {
        assertThat(common.contains(password)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "correct horse battery",
                "password\n",
                "\npassword",
                "password\npassword1",
                " password",
                "\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000",
                "zzzzzzzzzzzzzzzzzzzzzzzzzz!",
                "👩👩👩👩👩👩👩👩"
            })
    void otherTextsAreNotFound(String password) {
        assertThat(common.contains(password)).isFalse();
    }
}
