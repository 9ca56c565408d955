package dev.vestibule.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {
    @Test
    void aLineIsStrippedAndCountedInCharactersNotCodeUnits() {
        assertThat(Text.line("  Ann  ", 3)).isEqualTo("Ann");
        assertThat(Text.line("👩👩👩", 3)).isEqualTo("👩👩👩");
        assertThatThrownBy(() -> Text.line("Anna", 3)).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> Text.line("   ", 3)).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> Text.line("", 3)).isInstanceOf(InvalidValueException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "a\nb", "a\rb", "a\tb", "a\u007fb", "a\u0085b", "a\u2028b", "a\u2029b"})
    void controlCharactersAreRefused(String text) {
        assertThatThrownBy(() -> Text.printable(text)).isInstanceOf(InvalidValueException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "\udc69", "a\ud83db", "\udc69\ud83d"})
    void loneSurrogatesAreRefused(String text) {
        assertThatThrownBy(() -> Text.wellFormed(text)).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> Text.printable(text)).isInstanceOf(InvalidValueException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ann", "Søren", "山田太郎", "محمد", "👩‍👩‍👧", "O'Neil <b>", "a\u00a0b"})
    void everyScriptPasses(String text) {
        assertThat(Text.printable(text)).isEqualTo(text);
    }

    @Test
    void aRefusalDoesNotRepeatTheText() {
        assertThatThrownBy(() -> Text.printable("secret\u0000")).hasMessageNotContaining("secret");
    }
}
