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
    void onlyTwoFactorsAreMultiFactor() {
        assertThat(Authentication.isMultiFactor(List.of("pwd"))).isFalse();
        assertThat(Authentication.isMultiFactor(List.of())).isFalse();
        assertThat(Authentication.isMultiFactor(List.of("hwk", "user"))).isTrue();
        assertThat(Authentication.by("pwd", Instant.EPOCH).isMultiFactor()).isFalse();
    }

    @Test
    void reauthenticationNeverWeakensASession() {
        var later = Instant.EPOCH.plusSeconds(60);
        var password = Authentication.by("pwd", Instant.EPOCH);
        var both = Authentication.withCode(List.of("pwd"), Instant.EPOCH);
        assertThat(both.renewedBy(Authentication.by("pwd", later)))
                .isEqualTo(new Authentication(later, both.methods()));
        assertThat(password.renewedBy(Authentication.by("otp", later)))
                .isEqualTo(Authentication.withCode(List.of("pwd"), later));
        assertThat(password.renewedBy(Authentication.by("fed", later))).isEqualTo(Authentication.by("fed", later));
        assertThat(Authentication.by("otp", Instant.EPOCH).renewedBy(Authentication.by("otp", later)))
                .isEqualTo(Authentication.by("otp", later));
        assertThat(password.renewedBy(Authentication.byPasskey(true, true, later)))
                .isEqualTo(Authentication.byPasskey(true, true, later));
    }

    @Test
    void settingUpASecondFactorKeepsTheFirstOne() {
        var enrolled = Authentication.withCode(List.of("fed"), Instant.EPOCH);
        assertThat(enrolled.methods()).containsExactly("fed", "otp", "mfa");
        assertThat(enrolled.isMultiFactor()).isTrue();
    }
}
