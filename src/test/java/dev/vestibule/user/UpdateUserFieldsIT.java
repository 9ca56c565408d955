package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What management can write into the fields of a user. */
@ExtendWith(WithServer.class)
class UpdateUserFieldsIT {
    private static final String EMAIL = "ann@example.com";

    private final TestServer server;
    private final TestProject project;
    private final Response signedUp;
    private final String user;

    UpdateUserFieldsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.signedUp = project.signUp(EMAIL);
        this.user = "/v1/dashboard/users/" + signedUp.text("user/id");
    }

    private Call update(Object fields) {
        return project.manage("PATCH", user).json(fields);
    }

    private JsonNode me() {
        return project.me(signedUp.accessToken()).expect(200).json();
    }

    @Test
    void everyFailingFieldIsNamedAtOnceAndNothingChanges() {
        assertThat(update(Map.of(
                                "displayName", "",
                                "avatarUrl", "nonsense",
                                "phone", "123",
                                "email", "nonsense",
                                "emailVerified", "yes",
                                "publicMetadata", List.of(),
                                "password", "short"))
                        .expect(422)
                        .failingFields())
                .containsExactlyInAnyOrder(
                        "displayName", "avatarUrl", "phone", "email", "emailVerified", "publicMetadata", "password");
        update(Map.of("displayName", "Bea", "phone", "nonsense")).expect(422);

        assertThat(me()).isEqualTo(signedUp.json().path("user"));
    }

    @ParameterizedTest
    @MethodSource("badFields")
    void aFieldOutOfBoundsIsRefused(String field, @Nullable Object value) {
        assertThat(update(Collections.singletonMap(field, value)).expect(422).failingFields())
                .containsExactly(field);
    }

    static List<Object[]> badFields() {
        return List.of(
                new Object[] {"displayName", "x".repeat(101)},
                new Object[] {"displayName", "a\u0000b"},
                new Object[] {"displayName", "\ud800"},
                new Object[] {"displayName", 1},
                new Object[] {"avatarUrl", "javascript:alert(1)"},
                new Object[] {"avatarUrl", Map.of()},
                new Object[] {"phone", ""},
                new Object[] {"phone", "442071838750"},
                new Object[] {"phone", "+042071838750"},
                new Object[] {"phone", "+4420718387501234"},
                new Object[] {"phone", "+\u0664\u0664\u0662\u0660"},
                new Object[] {"phone", "+442071838750\u0000"},
                new Object[] {"phone", "+442071838750\n"},
                new Object[] {"phone", "+442071838750 ext. 5"},
                new Object[] {"phone", "+442071838750;phone-context=+1"},
                new Object[] {"phone", 442_071_838_750L},
                new Object[] {"email", null},
                new Object[] {"email", ""},
                new Object[] {"email", "ann"},
                new Object[] {"email", "ann\u0000@example.com"},
                new Object[] {"email", "ann\udc00@example.com"},
                new Object[] {"email", "a".repeat(250) + "@example.com"},
                new Object[] {"email", List.of(EMAIL)},
                new Object[] {"emailVerified", null},
                new Object[] {"emailVerified", 1},
                new Object[] {"emailVerified", "true"},
                new Object[] {"publicMetadata", "text"},
                new Object[] {"publicMetadata", 1},
                new Object[] {"publicMetadata", Map.of("a", "\u0000")},
                new Object[] {"publicMetadata", Map.of("\u0000", 1)},
                new Object[] {"publicMetadata", Map.of("a", List.of("\ud800"))},
                new Object[] {"publicMetadata", Map.of("a", "x".repeat(16_377))},
                new Object[] {"password", null},
                new Object[] {"password", "1234567"},
                new Object[] {"password", "x".repeat(129)},
                new Object[] {"password", "x".repeat(50_000)},
                new Object[] {"password", "password\ud800"},
                new Object[] {"password", 12_345_678});
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"a\":null,\"b\":[1,2.5,-3,true,{\"c\":[]}],\"\":\"\",\"이름\":\"홍길동 👩\"}",
                "{\"big\":12345678901234567890123,\"exact\":0.1,\"far\":1e300,\"near\":1e-300}",
                "{\"$ref\":1,\"a b\":2,\"\\\"\":3,\"\\t\":\"\\u001f\"}"
            })
    void metadataIsKeptAsItIs(String metadata) {
        var answer = project.manage("PATCH", user)
                .text("{\"publicMetadata\":" + metadata + "}")
                .expect(200);

        assertThat(me())
                .isEqualTo(answer.json()
                        .<ObjectNode>deepCopy()
                        .without(List.of("externalId", "privateMetadata", "mfaEnabled")));
        assertThat(server.sql()
                        .texts(
                                "SELECT public_metadata = ?::jsonb FROM users WHERE project_id = ?::uuid",
                                metadata,
                                project.id()))
                .containsExactly("t");
    }

    @Test
    void metadataCanHave16384Characters() {
        assertThat(update(Map.of("publicMetadata", Map.of("a", "x".repeat(16_376))))
                        .expect(200)
                        .json()
                        .at("/publicMetadata/a")
                        .asText())
                .hasSize(16_376);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999", "-1e999", "1e-400", "-1e-99999", "[{\"b\":1e-999999999}]", "1e999999999"})
    void metadataWithANumberBeyondADoubleIsRefused(String number) {
        assertThat(project.manage("PATCH", user)
                        .text("{\"publicMetadata\":{\"a\":" + number + "}}")
                        .expect(422)
                        .failingFields())
                .containsExactly("publicMetadata");
    }

    /** The response contains all of them: a short text would become a long one in every response. */
    @Test
    void metadataCountsTheDigitsOfItsNumbers() {
        for (var numbers : Map.of(50, 200, 60, 422).entrySet()) {
            var list = String.join(",", Collections.nCopies(numbers.getKey(), "1e300"));
            project.manage("PATCH", user)
                    .text("{\"publicMetadata\":{\"a\":[" + list + "]}}")
                    .expect(numbers.getValue());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "nonsense", "[]", "null", "1", "{\"displayName\":", "{\"a\":1,\"a\":2}", "{\"\\udc00\":1}"})
    void aBodyThatIsNotAnObjectIsMalformed(String body) {
        project.manage("PATCH", user).text(body).expect(400);
    }
}
