package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An email is accepted if mail can be delivered to it. */
class EmailTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann@example.com",
                "a@b.co",
                "ann+tag@example.com",
                "ann.b.smith@mail.example.co.uk",
                "o'neil@example.com",
                "!#$%&'*+/=?^_`{|}~-@example.com",
                "1234567890@example.com",
                "ann@123.example",
                "ann@xn--strae-oqa.example",
                "ann@münchen.example",
                "иван@пример.рф",
                "用户@例子.公司",
                "\"ann smith\"@example.com",
                "\"a@b\"@example.com",
                "\"quote\\\"d\"@example.com",
                "\"..\"@example.com",
                "ann@a-b.example",
                "ann--b@example.com"
            })
    void deliverableAddressesAreAccepted(String email) {
        assertThat(UserFields.email(email)).isEqualTo(email);
    }

    @ParameterizedTest
    @CsvSource({
        "' ann@example.com ', ann@example.com",
        "ANN@Example.COM, ann@example.com",
        "ann@xn--mnchen-3ya.example, ann@münchen.example",
        "ann@XN--MNCHEN-3YA.example, ann@münchen.example",
        "ann@mu\u0308nchen.example, ann@münchen.example",
        "jose\u0301@example.com, josé@example.com",
        "'\"ann\"@example.com', ann@example.com",
        "'\"a\\n\\n\"@example.com', ann@example.com",
        "'\"a\\ b\"@example.com', '\"a b\"@example.com'",
        "'\"a\\\"\\\\b\"@example.com', '\"a\\\"\\\\b\"@example.com'",
        "Иван@Пример.РФ, иван@пример.рф"
    })
    void theCanonicalFormIsStrippedAndLowerCased(String given, String canonical) {
        assertThat(UserFields.email(given)).isEqualTo(canonical);
        assertThat(UserFields.email(canonical)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "ann",
                "@",
                "@example.com",
                "ann@",
                "ann@@example.com",
                "ann@b@example.com",
                ".ann@example.com",
                "ann.@example.com",
                "ann..b@example.com",
                "ann smith@example.com",
                "ann@exam ple.com",
                "ann@.example.com",
                "ann@example..com",
                "ann@example.com.",
                "ann@-example.com",
                "ann@example-.com",
                "ann@exam_ple.com",
                "ann@example.com,bob@example.com",
                "Ann <ann@example.com>",
                "<ann@example.com>",
                "ann(comment)@example.com",
                "\"ann@example.com",
                "\"\"@example.com",
                "\"a\"b@example.com",
                "ann@localhost",
                "ann@intranet",
                "ann@192.0.2.1",
                "ann@[192.0.2.1]",
                "ann@[ipv6:2001:db8::1]",
                "ann@stra\u00dfe.example",
                "ann@\u03b2\u03cc\u03bb\u03bf\u03c2.example",
                "ann@\uff54arget.example",
                "ann@example.\uff43\uff4f\uff4d",
                "ann@\ud835\udc1barget.example",
                "ann@\u2460.example",
                "ann@\ufb01.example",
                "ann@example\u3002com",
                "ann@a\u00adb.example",
                "ann@\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.example",
                "ann@[192.0.2.1",
                "ann@[example.com]",
                "ann@[192.0.2]",
                "ann\n@example.com",
                "ann@example.com\r\nBcc: bob@example.com",
                "ann\u0000@example.com",
                "ann\u00a0smith@example.com",
                "ann\u200bsmith@example.com",
                "ann\ud83d@example.com",
                "mailto:ann@example.com"
            })
    void anInvalidAddressIsRefused(String email) {
        assertThatThrownBy(() -> UserFields.email(email)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void anAddressCanHave254CharactersAndItsLocalPart64() {
        assertThat(UserFields.email(ofLength(254))).hasSize(254);
        assertThatThrownBy(() -> UserFields.email(ofLength(255))).isInstanceOf(InvalidValueException.class);
        assertThat(UserFields.email("a".repeat(64) + "@example.com")).hasSize(76);
        assertThatThrownBy(() -> UserFields.email("a".repeat(65) + "@example.com"))
                .isInstanceOf(InvalidValueException.class);
        assertThat(UserFields.email("ann@" + "a".repeat(63) + ".example")).isNotEmpty();
        assertThatThrownBy(() -> UserFields.email("ann@" + "a".repeat(64) + ".example"))
                .isInstanceOf(InvalidValueException.class);
    }

    private static String ofLength(int length) {
        var domain = ("a".repeat(60) + ".").repeat(4);
        var tail = "ann@" + domain;
        return tail + "b".repeat(length - tail.length());
    }
}
