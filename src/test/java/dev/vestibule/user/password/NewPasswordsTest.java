package dev.vestibule.user.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewPasswordsTest {
    private static final CommonPasswords COMMON = CommonPasswords.load();

    private final FieldRule<String> rule =
            NewPasswords.rule(COMMON, "ada.lovelace@example.com", "Countess of Lovelace", "Analytical Engines");

    @ParameterizedTest
    @ValueSource(strings = {"ada.lovelace@example.com", " ADA.LOVELACE@EXAMPLE.COM ", "ada.lovelace@example.com\u0085"})
    void aPasswordIsNotTheEmail(String password) {
        assertThatThrownBy(() -> rule.read(password))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("must not be the email");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada.lovelace",
                "AdaLovelace1815!",
                "Countess of Lovelace",
                "countessoflovelace",
                "Analytical-Engines-2026",
                "ＡＮＡＬＹＴＩＣＡＬＥＮＧＩＮＥＳ"
            })
    void aPasswordIsNotANameOfTheAccountWithOrWithoutANumber(String password) {
        assertThatThrownBy(() -> rule.read(password))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("project's name");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada.lovelace@example.com!",
                "my ada.lovelace",
                "lovelace ada",
                "Analytical Engines are here",
                "12343210",
                "!!!!!!!!?",
                " blanks at both ends "
            })
    void otherPasswordsAreAccepted(String password) {
        assertThat(rule.read(password)).isEqualTo(password);
    }

    /** Otherwise nobody called Al could use a number as their password. */
    @Test
    void aNameOfFewerThanFourLettersIsIgnored() {
        var rules = NewPasswords.rule(COMMON, "al@example.com", "Al", "X");
        assertThat(rules.read("al8461093")).isEqualTo("al8461093");
        assertThat(NewPasswords.rule(COMMON, null, null, "2048").read("84610932"))
                .isEqualTo("84610932");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password",
                "PassWord",
                "ｐａｓｓｗｏｒｄ",
                "12345678",
                "password ",
                " \t12345678",
                "\u00a0password\u2003",
                "\u0085qwertyuiop\u2028"
            })
    void commonPasswordsAreRefusedWithTheReason(String password) {
        assertThatThrownBy(() -> rule.read(password))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("is one of the most common passwords; choose another");
    }
}
