package dev.vestibule.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrockfordBase32Test {
    @ParameterizedTest
    @CsvSource({"ABCD-EFGH, ABCDEFGH", "abcd efgh, ABCDEFGH", "oOiIlL, 001111", "a\u2013b\u00a0c, ABC"})
    void aCodeIsUnderstoodAsPeopleTypeIt(String typed, String canonical) {
        assertThat(CrockfordBase32.canonical(typed)).isEqualTo(canonical);
    }

    @Test
    void aTextThatIsTooLongIsNoCode() {
        assertThat(CrockfordBase32.canonical("A".repeat(64))).hasSize(64);
        assertThat(CrockfordBase32.canonical("A".repeat(65))).isEmpty();
    }
}
