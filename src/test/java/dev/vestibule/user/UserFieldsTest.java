package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.WebUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserFieldsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.com",
                "https://example.com/a/b?c=d&e=%20#f",
                "HTTPS://Example.com",
                "https://user@example.com:8443/",
                "https://xn--mnchen-3ya.example/",
                "http://localhost:3000",
                "http://192.0.2.1/",
                "https://my_cdn.example.com/a.png",
                "https://ex\u00e4mple.de/a.png",
                "http://[2001:db8::1]:80/"
            })
    void absoluteHttpUrlsAreAcceptedAsTheyAre(String url) {
        assertThat(WebUrl.absolute(url)).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.com",
                "/a",
                "//example.com/a",
                "http:",
                "http://",
                "http:///a",
                "https:example.com",
                "ftp://example.com",
                "javascript:alert(1)",
                "data:text/html,x",
                "http://exa mple.com",
                "http://example.com/\u0000",
                "http://example.com/a\nb",
                "http://example.com:port/",
                "http://example.com/%zz"
            })
    void otherUrlsAreRefused(String url) {
        assertThatThrownBy(() -> WebUrl.absolute(url)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aUrlCanHave2048Characters() {
        var url = "https://example.com/" + "a".repeat(2028);
        assertThat(WebUrl.absolute(url)).hasSize(2048);
        assertThatThrownBy(() -> WebUrl.absolute(url + "a")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aDisplayNameHas1To100Characters() {
        assertThat(UserFields.displayName(" Ann ")).isEqualTo("Ann");
        assertThat(UserFields.displayName("👩".repeat(100))).isEqualTo("👩".repeat(100));
        assertThatThrownBy(() -> UserFields.displayName("👩".repeat(101))).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> UserFields.displayName(" \t ")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> UserFields.displayName("Ann\nBcc: x")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aPasswordHas8To128CharactersOfAnyKind() {
        assertThat(password("12345678")).isEqualTo("12345678");
        assertThat(password("👩".repeat(8))).isEqualTo("👩".repeat(8));
        assertThat(password("a\u0000b\tc\nd e")).isEqualTo("a\u0000b\tc\nd e");
        assertThat(password("        ")).hasSize(8);
        assertThat(password("👩".repeat(128))).isNotEmpty();
        assertThatThrownBy(() -> password("1234567")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> password("👩".repeat(7))).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> password("a".repeat(129))).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void twoWaysToTypeOnePasswordAreOnePassword() {
        var composed = "pässwörd";
        var decomposed = "pa\u0308sswo\u0308rd";
        assertThat(password(decomposed)).isEqualTo(password(composed));
        assertThat(UserFields.submittedPassword(decomposed).normalised()).isEqualTo(password(composed));
        assertThat(password("ｐａｓｓｗｏｒｄ")).isEqualTo("password");
    }

    @Test
    void lengthCountsAfterNormalisation() {
        assertThat(password("ﬃﬃﬃ")).isEqualTo("ffiffiffi");
        assertThatThrownBy(() -> password("a\u0308".repeat(7))).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void loneSurrogatesAreRefused() {
        assertThatThrownBy(() -> password("password\ud83d")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> UserFields.submittedPassword("password\ud83d"))
                .isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aSubmittedPasswordHasOnlyALengthLimit() {
        assertThat(UserFields.submittedPassword("x")).isEqualTo(new SubmittedPassword("x", "x"));
        assertThat(UserFields.submittedPassword("\uFB01")).isEqualTo(new SubmittedPassword("\uFB01", "fi"));
        assertThat(UserFields.submittedPassword("x".repeat(1024)).normalised()).hasSize(1024);
        assertThatThrownBy(() -> UserFields.submittedPassword("")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> UserFields.submittedPassword("x".repeat(1025)))
                .isInstanceOf(InvalidValueException.class);
    }

    private static String password(String text) {
        return UserFields.newPassword(text);
    }
}
