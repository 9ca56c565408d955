package dev.vestibule.authentication.factor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.InvalidValueException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One-time passwords, and how their secrets and codes are written. */
class TotpTest {
    private static final byte[] SECRET = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);

    /** RFC 6238, appendix B, whose codes have eight digits: the last six are those of six digits. */
    @ParameterizedTest
    @CsvSource({
        "59, 94287082",
        "1111111109, 07081804",
        "1111111111, 14050471",
        "1234567890, 89005924",
        "2000000000, 69279037",
        "20000000000, 65353130"
    })
    void codesMatchTheStandard(long time, String eightDigits) {
        var step = Totp.step(Instant.ofEpochSecond(time));
        assertThat(Totp.code(SECRET, step)).isEqualTo(eightDigits.substring(2));
    }

    @Test
    void aCodeIsValidOneStepBeforeAndAfterItsTimeAndNoLonger() {
        var now = Instant.ofEpochSecond(1_234_567_890);
        var step = Totp.step(now);
        for (long away = -3; away <= 3; away++) {
            assertThat(Totp.match(SECRET, Totp.code(SECRET, step + away), now, 0)
                            .isPresent())
                    .as("%d steps away", away)
                    .isEqualTo(Math.abs(away) <= 1);
        }
    }

    @Test
    void noCodeIsAcceptedTwiceAndNoneOfAnEarlierStep() {
        var now = Instant.ofEpochSecond(1_234_567_890);
        var step = Totp.step(now);
        assertThat(Totp.match(SECRET, Totp.code(SECRET, step), now, step)).isEmpty();
        assertThat(Totp.match(SECRET, Totp.code(SECRET, step - 1), now, step)).isEmpty();
        assertThat(Totp.match(SECRET, Totp.code(SECRET, step + 1), now, step)).hasValue(step + 1);
        assertThat(Totp.match(SECRET, Totp.code(SECRET, step), now, step - 1)).hasValue(step);
    }

    @Test
    void secretsAreRandomAndWrittenLikeTheStandardsExample() {
        assertThat(TotpKey.text(SECRET)).isEqualTo("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assertThat(TotpKey.text("foobar1234".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("MZXW6YTBOIYTEMZU");
        assertThat(Totp.newSecret()).hasSize(20).isNotEqualTo(Totp.newSecret());
    }

    @Test
    void theUriNamesTheProjectAndTheAccount() {
        assertThat(TotpKey.uri("Acme: the best", "ada+x@example.com", SECRET))
                .isEqualTo("otpauth://totp/Acme%20%20the%20best:ada%2Bx%40example.com"
                        + "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Acme%20%20the%20best");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "é", "안", "😀", "%", "&secret=", "?"})
    void theUriFitsWhatClientsShowWhateverTheNames(String name) {
        var uri = TotpKey.uri(name.repeat(100), name.repeat(254), SECRET);
        assertThat(uri.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(425);
        assertThat(uri).matches("otpauth://totp/[^?&:]+:[^?&:]+\\?secret=[A-Z2-7]{32}&issuer=[^?&:]+");
        assertThat(URLDecoder.decode(uri, StandardCharsets.UTF_8)).doesNotContain("\ufffd");
    }

    @Test
    void thereAreTenBackupCodesAndPeopleCanTypeThemFreely() {
        var codes = BackupCodes.generate();
        assertThat(new HashSet<>(codes)).hasSize(10).allMatch(code -> code.matches("[0-9A-HJKMNP-TV-Z]{10}"));
        assertThat(FactorCode.parse(" 7k2mq - oxr4l ").text()).isEqualTo("7K2MQ0XR41");
        assertThat(FactorCode.parse("7K2MQ0XR4P").isBackupCode()).isTrue();
        assertThat(FactorCode.parse("123 456").isBackupCode()).isFalse();
        assertThat(FactorCode.parse("123 456").text()).isEqualTo("123456");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "12345",
                "1234567",
                "7K2MQ0XR4",
                "7K2MQ0XR4PP",
                "7K2MQ0XR4U",
                "१२३४५६",
                "12345\u0000",
                "mfa_x"
            })
    void aTextThatIsNotACodeIsRefusedUnchecked(String typed) {
        assertThatThrownBy(() -> FactorCode.parse(typed)).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> FactorCode.parseTotp(typed)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aBackupCodeConfirmsNoSetup() {
        assertThatThrownBy(() -> FactorCode.parseTotp("7K2MQ0XR4P")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void noCodeReachesALog() {
        assertThat(FactorCode.parse("123456")).hasToString("FactorCode");
        assertThat(Factors.Setup.of("secret", "uri", BackupCodes.generate())).hasToString("Setup");
    }
}
