package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResetLinkTest {
    @ParameterizedTest
    @CsvSource({
        "https://a.example,            https://a.example?code=7K2MQ-9XD4&email=a%2Bb%40x.example",
        "https://a.example/r,          https://a.example/r?code=7K2MQ-9XD4&email=a%2Bb%40x.example",
        "https://a.example/r?x=1,      https://a.example/r?x=1&code=7K2MQ-9XD4&email=a%2Bb%40x.example",
        "https://a.example/?x=1#/y?z,  https://a.example/?x=1&code=7K2MQ-9XD4&email=a%2Bb%40x.example#/y?z",
        "https://a.example/r#/y?z=1,   https://a.example/r?code=7K2MQ-9XD4&email=a%2Bb%40x.example#/y?z=1",
    })
    void theQueryAndTheFragmentOfThePageStay(String page, String link) {
        assertThat(ResetLink.of(page, "7K2MQ-9XD4", "a+b@x.example")).isEqualTo(link);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a&code=1#@x.example  | a%26code%3D1%23%40x.example",
                "a b\"<>@x.example   | a%20b%22%3C%3E%40x.example",
                "ü%@x.example         | %C3%BC%25%40x.example"
            })
    void anEmailCannotLeaveItsParameter(String email, String encoded) {
        assertThat(ResetLink.of("https://a.example/", "1", email))
                .isEqualTo("https://a.example/?code=1&email=" + encoded);
    }
}
