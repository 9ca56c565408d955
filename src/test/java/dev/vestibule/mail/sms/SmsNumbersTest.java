package dev.vestibule.mail.sms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.InvalidValueException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which numbers get an SMS: not those that cost too much, or that somebody earns money with. */
class SmsNumbersTest {
    private final SmsNumbers numbers = new SmsNumbers(List.of("DE", "US", "GB"));

    @Test
    void aMobileNumberOfAListedCountryIsAcceptedAsPeopleTypeIt() {
        assertThat(numbers.rule("DE").read("0151 23456789")).isEqualTo("+4915123456789");
        assertThat(numbers.rule(null).read("+49 (151) 2345-6789")).isEqualTo("+4915123456789");
        assertThat(numbers.rule(null).read("+1 201 555 0123")).isEqualTo("+12015550123");
        assertThat(numbers.rule(null).read("+447400123456")).isEqualTo("+447400123456");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+33612345678", // France is not on the list
                "+447781123456", // Guernsey shares a code with Great Britain, and is not on the list
                "+18765555555", // Jamaica shares a code with the United States
                "+4930123456", // a fixed line
                "+499001234567", // premium
                "+491801234567", // shared cost
                "+498001234567", // free of charge
                "+4970012345678", // a personal number, which can lead anywhere
                "+449012345678", // premium
                "+445612345678", // VoIP
                "+881612345678", // a satellite
                "+88310", // an international network
                "+8823421", // the same
                "+491512", // too short
                "+4915123456789012", // too long
                "15123456789",
                "not a number",
                "+4915123456789\u0000",
                "+4915123456789\r\nto: +4915199999999",
                "+4915123456789;ext=1",
            })
    void anyOtherNumberIsRefused(String number) {
        assertThatThrownBy(() -> numbers.rule(null).read(number)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void withoutCountriesNoNumberIsAccepted() {
        assertThatThrownBy(() -> new SmsNumbers(List.of()).rule(null).read("+4915123456789"))
                .isInstanceOf(InvalidValueException.class);
    }
}
