package dev.vestibule.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much the methods of a sign in prove. */
class AuthenticationTest {
    private static List<String> methods(String text) {
        return Arrays.asList(text.split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"pwd", "fed", "mail", "sms", "otp", "hwk", "swk", "user", "pwd otp", "mail user", "something new"
            })
    void oneFactorIsTheFirstLevel(String amr) {
        assertThat(Authentication.assurance(methods(amr))).isEqualTo("aal1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pwd otp mfa", "fed otp mfa", "hwk user", "user swk", "swk user mfa"})
    void twoFactorsOrAUserVerifyingKeyAreTheSecondLevel(String amr) {
        assertThat(Authentication.assurance(methods(amr))).isEqualTo("aal2");
    }

    @Test
    void whatProvesNothingHasNoLevel() {
        assertThat(Authentication.assurance(List.of())).isNull();
    }

    @Test
    void settingUpASecondFactorKeepsTheFirstOne() {
        var enrolled = Authentication.withCode(List.of("fed"), Instant.EPOCH);
        assertThat(enrolled.methods()).containsExactly("fed", "otp", "mfa");
        assertThat(enrolled.isMultiFactor()).isTrue();
    }
}
