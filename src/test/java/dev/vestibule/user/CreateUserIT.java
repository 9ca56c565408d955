package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.crypto.foreign.Vector;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(WithServer.class)
class CreateUserIT {
    private final TestDatabase database;
    private final TestServer server;
    private final TestProject project;

    CreateUserIT(TestDatabase database, TestServer server) {
        this.database = database;
        this.server = server;
        this.project = server.newProject();
    }

    private Call creation(Object fields) {
        return project.manage("POST", "/v1/dashboard/users").json(fields);
    }

    private Response create(Map<String, ?> fields) {
        return creation(fields).expect(201);
    }

    @Test
    void numbersOfTheMetadataStayExact() {
        var body = "{\"email\":\"" + TestServer.newEmail()
                + "\",\"publicMetadata\":{\"n\":[12345678901234567890,0.1234567890123456789,-1.25e-10,1e20]}}";
        var user = project.manage("POST", "/v1/dashboard/users")
                .raw("application/json", body)
                .expect(201);
        var kept = "{\"n\":[12345678901234567890,0.1234567890123456789,-1.25E-10,100000000000000000000]}";
        assertThat(user.body()).contains(kept);
        assertThat(project.manage("GET", "/v1/dashboard/users/" + user.text("id"))
                        .expect(200)
                        .body())
                .contains(kept);
        assertThat(project.manage("GET", "/v1/dashboard/users/export")
                        .expect(200)
                        .body())
                .contains(kept);
    }

    @Test
    void aUserNeedsOnlyAnEmail() {
        var user = create(Map.of("email", " Ada@Example.com "));

        assertThat(user.text("email")).isEqualTo("ada@example.com");
        assertThat(user.text("projectId")).isEqualTo(project.id());
        assertThat(user.json().path("displayName").isNull()).isTrue();
        assertThat(user.text("emailVerified")).isEqualTo("false");
        assertThat(user.text("signInCount")).isEqualTo("0");
        project.trySignIn("ada@example.com", TestProject.PASSWORD).expect(401);
    }

    @Test
    void everyFieldIsKept() {
        var user = create(Map.of(
                "email", "ada@example.com",
                "displayName", " Ada ",
                "avatarUrl", "https://cdn.example.com/ada.png",
                "phone", "+14155550123",
                "emailVerified", true,
                "phoneVerified", true,
                "publicMetadata", Map.of("plan", "pro", "seats", List.of(1, 2.5)),
                "createdAt", "2019-12-10T09:00:00.123+01:00"));

        assertThat(user.text("displayName")).isEqualTo("Ada");
        assertThat(user.text("avatarUrl")).isEqualTo("https://cdn.example.com/ada.png");
        assertThat(user.text("phone")).isEqualTo("+14155550123");
        assertThat(user.text("emailVerified")).isEqualTo("true");
        assertThat(user.text("phoneVerified")).isEqualTo("true");
        assertThat(user.json().path("publicMetadata").toString()).isEqualTo("{\"plan\":\"pro\",\"seats\":[1,2.5]}");
        assertThat(user.text("createdAt")).isEqualTo("2019-12-10T08:00:00.123Z");
        assertThat(user.text("updatedAt")).isGreaterThan("2020");
    }

    @Test
    void theIdFollowsTheTimeOfCreation() {
        var older = create(Map.of("email", TestServer.newEmail(), "createdAt", "2019-12-10T08:00:00Z"));
        var oldest = create(Map.of("email", TestServer.newEmail(), "createdAt", "1970-01-01T00:00:00Z"));
        var now = create(Map.of("email", TestServer.newEmail()));

        assertThat(List.of(oldest.text("id"), older.text("id"), now.text("id"))).isSorted();
        assertThat(UUID.fromString(older.text("id")).version()).isEqualTo(7);
    }

    @Test
    void aUserWithAPasswordSignsIn() {
        create(Map.of("email", "ada@example.com", "password", TestProject.PASSWORD));

        project.signIn("ada@example.com");
    }

    static List<Vector> vectors() {
        return Vector.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void aUserFromAnotherSystemSignsInWithTheOldPassword(Vector vector) {
        var email = TestServer.newEmail();
        create(Map.of("email", email, "passwordHash", vector.hash()));

        project.trySignIn(email, "not the password").expect(401);
        project.trySignIn(email, vector.password()).expect(200);
        assertThat(server.sql()
                        .texts("SELECT password_hash FROM users WHERE email = ?", email)
                        .get(0))
                .startsWith("$argon2id$v=19$m=1024,t=1,p=1$");
        project.trySignIn(email, vector.password()).expect(200);
        project.trySignIn(email, "not the password").expect(401);
    }

    @Test
    void aTakenEmailCostsNoHash() {
        try (var alone = TestServer.start(database, Map.of())) {
            var itsProject = alone.newProject();
            itsProject.signUp("ada@example.com");
            var before = hashes(alone);

            itsProject
                    .manage("POST", "/v1/dashboard/users")
                    .json(Map.of("email", "ada@example.com", "password", TestProject.PASSWORD))
                    .expect(409);

            assertThat(hashes(alone)).isEqualTo(before);
        }
    }

    private static double hashes(TestServer server) {
        return server.metric("vestibule_hashing_time_seconds_count");
    }

    @Test
    void aTakenEmailIsRefused() {
        project.signUp("ada@example.com");

        creation(Map.of("email", "ADA@example.com")).expect(409);
        creation(Map.of("email", "ada@example.com", "password", TestProject.PASSWORD))
                .expect(409);
        server.newProject()
                .manage("POST", "/v1/dashboard/users")
                .json(Map.of("email", "ada@example.com"))
                .expect(201);
    }

    @Test
    void identitiesAreLinkedToOneUserOnly() {
        var identities = List.of(
                Map.of("provider", "google", "subject", "1101"), Map.of("provider", "kakao", "subject", " 카카오 "));
        var id = create(Map.of("email", "ada@example.com", "identities", identities))
                .text("id");
        assertThat(server.sql()
                        .texts(
                                "SELECT provider || ':' || subject FROM identities WHERE user_id = ?::uuid ORDER BY 1",
                                id))
                .containsExactly("google:1101", "kakao: 카카오 ");

        var refused = creation(Map.of("email", "bob@example.com", "identities", identities.subList(0, 1)))
                .expect(409);
        assertThat(refused.text("message")).contains("identities");
        assertThat(creation(Map.of("email", "ada@example.com", "identities", identities))
                        .expect(409)
                        .text("message"))
                .contains("email");
        create(Map.of("email", "bob@example.com"));
        server.newProject()
                .manage("POST", "/v1/dashboard/users")
                .json(Map.of("email", "ada@example.com", "identities", identities))
                .expect(201);
    }

    @Test
    void aUserKeepsTheIdOfTheOtherSystem() {
        var id = "6B1ED7A4-2C4F-4F57-9D2E-0A5C3E0F9B71";
        var user = create(Map.of("email", "ada@example.com", "id", id, "password", TestProject.PASSWORD));
        assertThat(user.text("id")).isEqualTo(id.toLowerCase(Locale.ROOT));

        assertThat(project.signIn("ada@example.com").text("user/id")).isEqualTo(user.text("id"));
        assertThat(creation(Map.of("email", "bob@example.com", "id", id))
                        .expect(409)
                        .text("message"))
                .isEqualTo("Another user has this id.");
    }

    @Test
    void anEmailIsNeededUnlessSomethingElseIdentifiesTheUser() {
        var identities = List.of(Map.of("provider", "google", "subject", "1"));
        assertThat(creation(Map.of()).expect(422).failingFields()).containsExactly("email");
        assertThat(creation(Map.of("identities", List.of())).expect(422).failingFields())
                .containsExactly("email");
        assertThat(create(Map.of("identities", identities)).json().path("email").isNull())
                .isTrue();
        assertThat(creation(Map.of("identities", identities)).expect(409).text("message"))
                .contains("identities");
    }

    @Test
    void concurrentCreationsWithOneEmailCreateOneUser() {
        var answers = Parallel.send(16, i -> creation(Map.of("email", "ada@example.com")));
        assertThat(answers).extracting(Response::status).containsOnlyOnce(201).containsOnly(201, 409);
    }

    @Test
    void concurrentCreationsWithOneIdentityCreateOneUser() {
        var answers = Parallel.send(
                16,
                i -> creation(Map.of(
                        "email",
                        TestServer.newEmail(),
                        "identities",
                        List.of(
                                Map.of("provider", "google", "subject", "one"),
                                Map.of("provider", "x", "subject", "other " + i % 2)))));
        assertThat(answers).extracting(Response::status).containsOnlyOnce(201).containsOnly(201, 409);
    }

    static List<Object[]> badFields() {
        var hash = Vector.all().get(0).hash();
        return List.of(
                new Object[] {"email", "nobody"},
                new Object[] {"email", 1},
                new Object[] {"email", "a\u0000b@example.com"},
                new Object[] {"password", "short"},
                new Object[] {"password", "\ud800 is no character"},
                new Object[] {"password", "Ada@example.com"},
                new Object[] {"passwordHash", "correct horse battery"},
                new Object[] {"passwordHash", hash + "\u0000"},
                new Object[] {"passwordHash", hash.replace("$04$", "$31$")},
                new Object[] {"passwordHash", "$2b$".repeat(10_000)},
                new Object[] {"passwordHash", 1},
                new Object[] {"displayName", ""},
                new Object[] {"displayName", "x".repeat(101)},
                new Object[] {"avatarUrl", "javascript:alert(1)"},
                new Object[] {"phone", "555-0123"},
                new Object[] {"phone", "+0123456789"},
                new Object[] {"phone", "+1234567890123456"},
                new Object[] {"emailVerified", "true"},
                new Object[] {"phoneVerified", 1},
                new Object[] {"publicMetadata", "text"},
                new Object[] {"publicMetadata", List.of()},
                new Object[] {"publicMetadata", Map.of("text", "x".repeat(16_384))},
                new Object[] {"publicMetadata", Map.of("text", "\u0000")},
                new Object[] {"createdAt", "2999-01-01T00:00:00Z"},
                new Object[] {"createdAt", "1969-12-31T23:59:59Z"},
                new Object[] {"createdAt", "+999999999-01-01T00:00:00Z"},
                new Object[] {"createdAt", "yesterday"},
                new Object[] {"createdAt", "2019-12-10"},
                new Object[] {"createdAt", "2019-12-10T08:00:00"},
                new Object[] {"createdAt", "2019-12-10 08:00:00+25"},
                new Object[] {"createdAt", -1},
                new Object[] {"createdAt", 1e300},
                new Object[] {"createdAt", new BigDecimal("1e-999999999")},
                new Object[] {"createdAt", "99999999999999999999"},
                new Object[] {"createdAt", true},
                new Object[] {"updatedAt", "2999-01-01T00:00:00Z"},
                new Object[] {"lastSignInAt", "2999-01-01T00:00:00Z"},
                new Object[] {"signInCount", -1},
                new Object[] {"signInCount", 2147483648L},
                new Object[] {"isBanned", "no"},
                new Object[] {"id", "auth0|5f7c8ec7c33c6c004bbafe82"},
                new Object[] {"id", "5f7c8ec7c33c6c004bbafe82"},
                new Object[] {"id", "6b1ed7a4-2c4f-4f57-9d2e-0a5c3e0f9b7\u0000"},
                new Object[] {"id", 7},
                new Object[] {"id", "00000000-0000-0000-0000-000000000000"},
                new Object[] {"identities.0.email", List.of(Map.of("provider", "x", "subject", "1", "email", "x"))},
                new Object[] {"identities", "google"},
                new Object[] {"identities", Collections.nCopies(21, Map.of())},
                new Object[] {"identities.0", List.of("google")},
                new Object[] {
                    "identities",
                    List.of(Map.of("provider", "x", "subject", "1"), Map.of("provider", "x", "subject", "2"))
                },
                new Object[] {"identities.0.provider", List.of(Map.of("provider", "myspace", "subject", "1"))},
                new Object[] {"identities.0.subject", List.of(Map.of("provider", "x"))},
                new Object[] {"identities.0.subject", List.of(Map.of("provider", "x", "subject", ""))},
                new Object[] {"identities.0.subject", List.of(Map.of("provider", "x", "subject", "x".repeat(256)))},
                new Object[] {"identities.0.subject", List.of(Map.of("provider", "x", "subject", "a\u0000"))});
    }

    @ParameterizedTest
    @MethodSource("badFields")
    void aFieldOutOfBoundsIsRefused(String field, Object value) {
        var fields = new HashMap<String, Object>(Map.of("email", "ada@example.com"));
        fields.put(field.replaceFirst("[.].*", ""), value);

        var refused = creation(fields).expect(422);

        assertThat(refused.failingFields()).containsExactly(field);
        assertThat(refused.body()).doesNotContain("$2b$");
    }

    @Test
    void allErrorsAreReportedAtOnce() {
        assertThat(creation(Map.of("email", "nobody", "phone", "none", "identities", List.of(Map.of())))
                        .expect(422)
                        .failingFields())
                .containsExactly("email", "phone", "identities.0.provider", "identities.0.subject");
        assertThat(creation(Map.of(
                                "email",
                                "ada@example.com",
                                "password",
                                TestProject.PASSWORD,
                                "passwordHash",
                                Vector.all().get(0).hash()))
                        .expect(422)
                        .failingFields())
                .containsExactly("passwordHash");
    }

    @Test
    void aBodyIsNeeded() {
        project.manage("POST", "/v1/dashboard/users").expect(400);
        project.manage("POST", "/v1/dashboard/users").text("[]").expect(400);
    }

    @Test
    void theUserCounts() {
        create(Map.of("email", "ada@example.com"));
        assertThat(server.sql().count("SELECT sum(users) FROM counts WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(1);
    }
}
