package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.config.SmtpAddress.Login;
import dev.vestibule.config.SmtpAddress.Protection;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SmtpAddressTest {
    @Test
    void everyPartIsRead() {
        assertThat(SmtpAddress.parse("smtp://me%40example.com:p%3A+%20w@smtp_relay:2525?starttls=optional"))
                .isEqualTo(new SmtpAddress(
                        "smtp_relay",
                        2525,
                        Protection.OPTIONAL,
                        Optional.of(new Login("me@example.com", new Secret("p:+ w")))));
        assertThat(SmtpAddress.parse("smtp://[::1]/"))
                .isEqualTo(new SmtpAddress("::1", 587, Protection.OPTIONAL, Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource({
        "smtp://mail,                       587, OPTIONAL",
        "smtp://u:p@mail,                   587, REQUIRED",
        "smtp://u:p@mail?starttls=disabled, 587, DISABLED",
        "smtp://mail?starttls=required,     587, REQUIRED",
        "smtps://mail,                      465, TLS",
        "smtps://u:p@mail:25,                25, TLS"
    })
    void aPasswordIsNotSentUnencryptedUnlessTheOperatorSaysSo(String url, int port, Protection protection) {
        assertThat(SmtpAddress.parse(url).port()).isEqualTo(port);
        assertThat(SmtpAddress.parse(url).protection()).isEqualTo(protection);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mail",
                "http://mail",
                "smtp://",
                "smtp://mail:0",
                "smtp://mail:65536",
                "smtp://mail:x",
                "smtp://mail/path",
                "smtp://mail#x",
                "smtp://u@mail",
                "smtp://:p@mail",
                "smtp://mail?starttls=maybe",
                "smtp://mail?starttls=tls",
                "smtp://mail?tls=required",
                "smtps://mail?starttls=required",
                "smtp://mail ."
            })
    void aMalformedAddressIsRefused(String url) {
        assertThatThrownBy(() -> SmtpAddress.parse(url))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("the form is smtp://");
    }
}
