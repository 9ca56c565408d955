package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Phone numbers as people type them. */
@ExtendWith(WithServer.class)
class PhoneIT {
    private final TestServer server;
    private final TestProject project;
    private final Response user;

    PhoneIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.user = project.signUp();
    }

    private Call update(@Nullable Object phone) {
        return server.api()
                .patch("/v1/auth/me")
                .key(project.publishableKey())
                .bearer(user.accessToken())
                .json(Collections.singletonMap("phone", phone));
    }

    private void country(@Nullable String country) {
        project.asOwner("PATCH", "")
                .json(Collections.singletonMap("defaultCountry", country))
                .expect(200);
    }

    private void verifyByManagement() {
        server.sql().update("UPDATE users SET phone_verified = true WHERE id = ?::uuid", user.text("user/id"));
    }

    @ParameterizedTest
    @CsvSource({
        "+442071838750, +442071838750",
        "+44 (0)20 7183-8750, +442071838750",
        "' +44 20 7183 8750 ', +442071838750",
        "'\u202a+44 20 7183 8750\u202c', +442071838750",
        "\uff0b\uff14\uff14 20 7183 8750, +442071838750",
        "+1 (415) 555-0123, +14155550123",
        "+82 10-1234-5678, +821012345678",
        "+49 30/901820, +4930901820"
    })
    void aNumberIsStoredInE164Form(String typed, String kept) {
        assertThat(update(typed).expect(200).text("phone")).isEqualTo(kept);
        assertThat(project.me(user.accessToken()).expect(200).text("phone")).isEqualTo(kept);
    }

    @Test
    void aNumberWithoutACountryCodeGetsTheProjectsCountry() {
        assertThat(update("020 7183 8750").expect(422).text("message"))
                .isEqualTo("phone must be a phone number with its country code, such as +44 20 7183 8750");
        country("GB");

        assertThat(update("020 7183 8750").expect(200).text("phone")).isEqualTo("+442071838750");
        assertThat(update("+82 10 1234 5678").expect(200).text("phone")).isEqualTo("+821012345678");
        country("KR");
        assertThat(update("010-1234-5678").expect(200).text("phone")).isEqualTo("+821012345678");
        assertThat(project.asOwner("GET", "").expect(200).text("defaultCountry"))
                .isEqualTo("KR");
        country(null);
        update("010-1234-5678").expect(422);
    }

    @ParameterizedTest
    @MethodSource("badPhones")
    void aTextThatIsNotAPhoneNumberIsRefused(Object phone) {
        country("GB");
        assertThat(update(phone).expect(422).failingFields()).containsExactly("phone");
    }

    static List<Object> badPhones() {
        return List.of(
                "",
                " ",
                "12",
                "nonsense",
                "call +44 20 7183 8750",
                "+44 20 7183 8750 ext. 5",
                "+442071838750;phone-context=example.com",
                "tel:+442071838750",
                "1-800-FLOWERS",
                "+999 12345678",
                "+44 20 7183 8750 1234 5678",
                "+442071838750\u0000",
                "+44".repeat(40),
                "\ud800",
                442_071_838_750L,
                true,
                List.of("+442071838750"));
    }

    @Test
    void onlyAnotherNumberHasToBeVerifiedAgain() {
        update("+442071838750").expect(200);
        verifyByManagement();

        assertThat(update("+44 20 7183 8750").expect(200).text("phoneVerified")).isEqualTo("true");
        assertThat(update("+44 20 7183 8751").expect(200).text("phoneVerified")).isEqualTo("false");
    }

    @Test
    void nullRemovesTheNumber() {
        update("+442071838750").expect(200);
        verifyByManagement();

        var cleared = update(null).expect(200).json();
        assertThat(cleared.path("phone").isNull()).isTrue();
        assertThat(cleared.path("phoneVerified").asBoolean()).isFalse();
    }

    @Test
    void anEmptyBodyChangesNothingAndMetadataIsIgnored() {
        var me = project.me(user.accessToken()).expect(200).json();
        var patch =
                server.api().patch("/v1/auth/me").key(project.publishableKey()).bearer(user.accessToken());
        assertThat(patch.json(Map.of()).expect(200).json()).isEqualTo(me);

        assertThat(server.api()
                        .patch("/v1/auth/me")
                        .bearer(user.accessToken())
                        .json(Map.of("publicMetadata", Map.of("role", "admin")))
                        .expect(200)
                        .json())
                .isEqualTo(me);
    }

    @Test
    void managementAndImportsFollowTheSameRule() {
        country("GB");
        assertThat(project.manage("PATCH", "/v1/dashboard/users/" + user.text("user/id"))
                        .json(Map.of("phone", "020 7183 8750"))
                        .expect(200)
                        .text("phone"))
                .isEqualTo("+442071838750");
        assertThat(project.manage("POST", "/v1/dashboard/users")
                        .json(Map.of("email", TestServer.newEmail(), "phone", "(020) 7183 8750"))
                        .expect(201)
                        .text("phone"))
                .isEqualTo("+442071838750");
        var email = TestServer.newEmail();
        project.manage("POST", "/v1/dashboard/users/import")
                .raw("application/x-ndjson", "{\"email\":\"" + email + "\",\"phone\":\"020 7183 8750\"}\n")
                .expect(200);
        assertThat(server.sql().texts("SELECT phone FROM users WHERE email = ?", email))
                .containsExactly("+442071838750");
    }

    @ParameterizedTest
    @CsvSource({"gb", "GBR", "ZZ", "''", "44"})
    void aCountryIsTwoLettersOfIso3166(String country) {
        assertThat(project.asOwner("PATCH", "")
                        .json(Map.of("defaultCountry", country))
                        .expect(422)
                        .failingFields())
                .containsExactly("defaultCountry");
    }
}
