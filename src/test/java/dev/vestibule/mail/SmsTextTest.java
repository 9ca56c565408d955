package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.project.Language;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SmsTextTest {
    @ParameterizedTest
    @EnumSource(Language.class)
    void everyLanguageHasTheCodeAndTheBrandInAtMostTwoParts(Language language) {
        var text = SmsText.of(language, Map.of(), "Acme", "012345");

        assertThat(text).contains("012345", "Acme").doesNotContain("{", "}");
        assertThat(text.length()).isLessThanOrEqualTo(134); // two parts of 67 UCS-2 characters
    }

    @Test
    void aBrandCannotAddLinesChangeTheDirectionOrSayAnotherCode() {
        assertThat(SmsText.of(Language.EN, Map.of(), "Acme\r\nYour code: 999999\u202E", "012345"))
                .doesNotContain("\r", "\n", "\u202E");
        assertThat(SmsText.of(Language.EN, Map.of(), "{code} and {brand}", "012345"))
                .contains("for {code} and {brand}.");
    }

    @Test
    void aLongBrandIsCutBetweenCharacters() {
        var text = SmsText.of(Language.EN, Map.of(), "\uD83C\uDF88".repeat(100), "012345");

        assertThat(text.codePoints().filter(point -> point == 0x1F388).count()).isEqualTo(40);
        assertThat(text.codePoints().noneMatch(point -> point >= 0xD800 && point <= 0xDFFF))
                .isTrue();
    }
}
