package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a sign up accepts and refuses, field by field. */
@ExtendWith(WithServer.class)
class SignUpFieldsIT {
    private final TestProject project;

    SignUpFieldsIT(TestServer server) {
        this.project = server.newProject();
    }

    @ParameterizedTest
    @MethodSource("goodEmails")
    void aDeliverableAddressIsAccepted(String email) {
        assertThat(signUp("email", email).expect(201).text("user/email"))
                .isEqualTo(email.strip().toLowerCase(Locale.ROOT));
    }

    static List<String> goodEmails() {
        return List.of(
                "a@b.co",
                "  Spaced.And.UPPER@Example.COM\t",
                "plus+tag@example.com",
                "o'hara_!#$%&*-/=?^`{|}~@example.com",
                "\"quoted local\"@example.com",
                "user@sub.domain.example.co.uk",
                "user@xn--strae-oqa.example",
                "user@bücher.example",
                "грета@пример.рф",
                "用户@例子.中国",
                "l".repeat(64) + "@example.com",
                "a@" + ("d".repeat(62) + ".").repeat(3) + "d".repeat(50) + ".com");
    }

    @ParameterizedTest
    @MethodSource("badEmails")
    void anInvalidAddressIsRefused(Object email) {
        assertThat(signUp("email", email).expect(422).failingFields()).containsExactly("email");
    }

    static List<Object> badEmails() {
        return List.of(
                "",
                " ",
                "plain",
                "@example.com",
                "user@",
                "two@at@example.com",
                "user name@example.com",
                ".user@example.com",
                "us..er@example.com",
                "user@localhost",
                "user@[192.0.2.1]",
                "user@straße.example",
                "user@-example.com",
                "user@example..com",
                "user@example.com, other@example.com",
                "user@example.com\u0000",
                "us\u0000er@example.com",
                "user\n@example.com",
                "user@example.com\r\nBcc: victim@example.com",
                "us\ud800er@example.com",
                "l".repeat(65) + "@example.com",
                "a@" + ("d".repeat(62) + ".").repeat(4) + "com",
                42,
                true,
                List.of("user@example.com"),
                Map.of("address", "user@example.com"));
    }

    @ParameterizedTest
    @MethodSource("goodPasswords")
    void aPasswordCanContainAnyCharacters(String password) {
        var email = TestServer.newEmail();
        project.post("/v1/auth/signup")
                .json(Map.of("email", email, "password", password))
                .expect(201);

        project.post("/v1/auth/signin")
                .json(Map.of("email", email, "password", password))
                .expect(200);
    }

    static List<String> goodPasswords() {
        return List.of(
                "84610932",
                "        ",
                "x".repeat(128),
                "\ud83d\udd11".repeat(60),
                "tabs\tand\nlines",
                "nul\u0000nul\u0000nul",
                "пароль пароль",
                "<script>'\";--");
    }

    @ParameterizedTest
    @MethodSource("badPasswords")
    void aPasswordOutOfBoundsIsRefused(Object password) {
        assertThat(signUp("password", password).expect(422).failingFields()).containsExactly("password");
    }

    static List<Object> badPasswords() {
        return List.of("", "1234567", "x".repeat(129), "\ud83d\udd11".repeat(7), "surrogate\udc00", 12345678, false);
    }

    /** If a password ended at its first NUL, its beginning would be enough to guess it. */
    @Test
    void charactersAfterANulCount() {
        var email = TestServer.newEmail();
        project.post("/v1/auth/signup")
                .json(Map.of("email", email, "password", "same start\u0000and one end"))
                .expect(201);

        project.post("/v1/auth/signin")
                .json(Map.of("email", email, "password", "same start\u0000and another"))
                .expect(401);
    }

    @Test
    void aPasswordIsTheSameInEveryUnicodeForm() {
        var email = TestServer.newEmail();
        project.post("/v1/auth/signup")
                .json(Map.of("email", email, "password", "cafe\u0301 \ufb01\u2460 \uff21\uff22"))
                .expect(201);

        project.post("/v1/auth/signin")
                .json(Map.of("email", email, "password", "caf\u00e9 fi1 AB"))
                .expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ann.smith@example.com", "  ANN.Smith@Example.com", "\uff41nn.smith@example.com"})
    void theEmailIsRefusedAsAPassword(String password) {
        assertThat(project.post("/v1/auth/signup")
                        .json(Map.of("email", "Ann.Smith@example.com", "password", password))
                        .expect(422)
                        .failingFields())
                .containsExactly("password");
    }

    @ParameterizedTest
    @MethodSource("goodNames")
    void aNameInAnyScriptIsAccepted(String name) {
        assertThat(signUp("displayName", name).expect(201).text("user/displayName"))
                .isEqualTo(name.strip());
    }

    static List<String> goodNames() {
        return List.of("A", "  Ann  ", "x".repeat(100), "\ud83d\udd11".repeat(100), "李小龍", "O'Brien; DROP TABLE users");
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void aNameOutOfBoundsIsRefused(Object name) {
        assertThat(signUp("displayName", name).expect(422).failingFields()).containsExactly("displayName");
    }

    static List<Object> badNames() {
        return List.of(
                "",
                "   ",
                "x".repeat(101),
                "nul\u0000",
                "two\nlines",
                "esc\u001b[31m",
                "line\u2028line",
                "lone\ud83d",
                7,
                Map.of());
    }

    @Test
    void noNameIsNull() {
        var fields = new HashMap<String, Object>();
        fields.put("email", TestServer.newEmail());
        fields.put("password", "some password");
        fields.put("displayName", null);

        assertThat(project.post("/v1/auth/signup")
                        .json(fields)
                        .expect(201)
                        .json()
                        .at("/user/displayName")
                        .isNull())
                .isTrue();
    }

    @Test
    void everyFailingFieldIsNamedAtOnce() {
        assertThat(project.post("/v1/auth/signup")
                        .json(Map.of("email", "nonsense", "password", "short", "displayName", ""))
                        .expect(422)
                        .failingFields())
                .containsExactlyInAnyOrder("email", "password", "displayName");
        assertThat(project.post("/v1/auth/signup").text("{}").expect(422).failingFields())
                .containsExactlyInAnyOrder("email", "password");
        assertThat(project.post("/v1/auth/signup")
                        .text("{\"email\":null,\"password\":null}")
                        .expect(422)
                        .failingFields())
                .containsExactlyInAnyOrder("email", "password");
    }

    @Test
    void aRefusalNeverRepeatsThePassword() {
        assertThat(signUp("password", "hunter2").expect(422).body()).doesNotContain("hunter2");
    }

    /** A sign up that is valid except for this field. */
    private ApiClient.Call signUp(String field, Object value) {
        var fields = new HashMap<String, Object>(
                Map.of("email", TestServer.newEmail(), "password", "some password", "displayName", "Somebody"));
        fields.put(field, value);
        return project.post("/v1/auth/signup").json(fields);
    }
}
