package dev.vestibule.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.vestibule.error.InvalidValueException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnicodeTextTest {
    @Test
    void asciiIsLoweredQuicklyInATextOfAnyLength() {
        assertThat(UnicodeText.lowerAscii("AZaz@[`{ \u0130\u00c9\u212a")).isEqualTo("azaz@[`{ \u0130\u00c9\u212a");
        var text = "\u0130".repeat(10_000_000);
        assertThat(assertTimeoutPreemptively(Duration.ofSeconds(5), () -> UnicodeText.lowerAscii(text)))
                .isEqualTo(text);
    }

    @Test
    void otherLettersAreMappedOnlyInShortTexts() {
        assertThat(UnicodeText.lower("\u0418\u0432\u0430\u043d \u00c9")).isEqualTo("\u0438\u0432\u0430\u043d \u00e9");
        assertThat(UnicodeText.nfkc("\uff21")).isEqualTo("A");
        for (var letter : List.of("a", "\u0130", "\u0301")) {
            assertTimeoutPreemptively(Duration.ofSeconds(1), () -> {
                UnicodeText.lower(letter.repeat(UnicodeText.MAX_LENGTH));
                UnicodeText.nfkc(letter.repeat(UnicodeText.MAX_LENGTH));
            });
            var tooLong = letter.repeat(UnicodeText.MAX_LENGTH + 1);
            assertThatThrownBy(() -> UnicodeText.lower(tooLong)).isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(() -> UnicodeText.nfkc(tooLong)).isInstanceOf(InvalidValueException.class);
        }
    }
}
