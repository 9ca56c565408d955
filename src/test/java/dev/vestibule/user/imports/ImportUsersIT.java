package dev.vestibule.user.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.crypto.foreign.Vector;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class ImportUsersIT {
    private static final String PATH = "/v1/dashboard/users/import";

    private static final String BCRYPT_11 = "$2b$11$PxSVrSIzua5N1NclxBCcQOT.JopRXC2kgsgJyjuBcRpwISd9bS.R2";

    private final TestServer server;
    private final TestProject project;

    ImportUsersIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Call importing(String query, String text) {
        return project.manage("POST", PATH + query).raw("application/x-ndjson", text);
    }

    /** The lines of the response, without the ids. */
    private List<String> runFrom(String query, String... lines) {
        return importing(query, String.join("\n", lines))
                .expect(200)
                .body()
                .lines()
                .map(line -> line.replaceAll(",\"id\":\"[^\"]*\"", ""))
                .toList();
    }

    private List<String> run(String... lines) {
        return runFrom("", lines);
    }

    private static String user(String email) {
        return "{\"email\":\"" + email + "\"}";
    }

    private static String withHash(String email, String hash) {
        return "{\"email\":\"" + email + "\",\"passwordHash\":\"" + hash + "\"}";
    }

    private static String created(int line) {
        return "{\"line\":" + line + ",\"status\":\"created\"}";
    }

    private static String exists(int line) {
        return "{\"line\":" + line + ",\"status\":\"exists\"}";
    }

    private static String done(int created, int exists, int failed) {
        return "{\"done\":true,\"created\":%d,\"exists\":%d,\"failed\":%d}".formatted(created, exists, failed);
    }

    private static String failed(int line, String field, String message) {
        return "{\"line\":%d,\"status\":\"failed\",\"errors\":[{\"field\":\"%s\",\"message\":\"%s\"}]}"
                .formatted(line, field, message);
    }

    private long users() {
        return server.sql().count("SELECT count(*) FROM users WHERE project_id = ?::uuid", project.id());
    }

    private List<String> recordedHashKinds() {
        return server.sql().texts("SELECT kind FROM dearest_imports WHERE project_id = ?::uuid", project.id());
    }

    @Test
    void eachLineIsAnsweredInOrder() {
        project.signUp("known@example.com");

        var answer = run(
                user("ada@example.com"),
                user("Known@example.com"),
                "",
                "\r",
                user("nobody"),
                user("bob@example.com") + "\r",
                "{\"email\":",
                "[]",
                "{\"email\":\"c@example.com\",\"email\":\"d@example.com\"}",
                "{\"email\":\"\u0000@example.com\"}");

        assertThat(answer).hasSize(9);
        assertThat(answer.subList(0, 4))
                .containsExactly(
                        created(1),
                        exists(2),
                        failed(5, "email", "must be an email address of at most 254 characters"),
                        created(6));
        assertThat(answer.subList(4, 8)).allMatch(line -> line.contains("\"failed\",\"errors\":[{\"field\":\"\""));
        assertThat(answer.get(5)).isEqualTo(failed(8, "", "must be a JSON object"));
        assertThat(answer.get(8)).isEqualTo(done(2, 1, 5));
    }

    @Test
    void aMalformedLineIsReportedWithItsNumberAndColumn() {
        assertThat(run(user("ada@example.com"), "", "{\"email\":\"bob@example.com\",}"))
                .containsExactly(created(1), failed(3, "", "is not valid JSON (line 3, column 28)"), done(1, 0, 1));
    }

    @Test
    void anExcessiveExponentFailsOnlyItsLine() {
        assertThat(run("{\"email\":1e2147483649}", user("after@example.com")))
                .containsExactly(
                        failed(1, "", "has a number whose exponent is too large (line 1, column 1)"),
                        created(2),
                        done(1, 0, 1));
    }

    @Test
    void aDuplicateFieldInALineIsNamed() {
        assertThat(run("{\"email\":\"c@example.com\",\"email\":\"d@example.com\"}"))
                .startsWith(failed(1, "", "has the field \\\"email\\\" twice in one object (line 1, column 33)"));
    }

    @Test
    void aUserWhoCannotSignInIsReported() {
        var noWay =
                ",\"warnings\":[\"The user has neither an email nor an identity, so there is no way to sign in yet.\"]";
        var phoneOnly = "{\"id\":\"" + UUID_4 + "\",\"phone\":\"+14155550123\"}";
        assertThat(run(phoneOnly, "{\"identities\":[{\"provider\":\"google\",\"subject\":\"1\"}]}"))
                .containsExactly(created(1).replace("}", noWay + "}"), created(2), done(2, 0, 0));
        assertThat(run(phoneOnly)).containsExactly(exists(1), done(0, 1, 0));
    }

    @Test
    void aUserOfAnotherSystemMayHaveNothingButAPhone() {
        var line = "{\"externalId\":\"firebase-1\",\"phone\":\"+14155550124\",\"phoneVerified\":true}";
        var bySms = ",\"warnings\":[\"The user can sign in only by SMS, if the project's setting factors.sms is on.\"]";
        assertThat(run(line)).containsExactly(created(1).replace("}", bySms + "}"), done(1, 0, 0));
        assertThat(run(line)).containsExactly(exists(1), done(0, 1, 0));
        assertThat(run(line.replace("firebase-1", "firebase-2")).get(0))
                .isEqualTo(failed(1, "phone", "must not be the verified number of another user"));
        assertThat(run(line.replace("{", "{\"id\":\"" + UUID_4 + "\",").replace("50124", "50126"))
                        .get(0))
                .isEqualTo(failed(1, "externalId", "must not belong to another user"));
        assertThat(run("{\"phone\":\"+14155550125\"}").get(0))
                .isEqualTo(failed(1, "email", "is required, or identities, an id, or a phone with an externalId"));
        assertThat(users()).isEqualTo(1);
    }

    @Test
    void aDryRunAnswersTheSameAndCreatesNothing() {
        project.signUp("known@example.com");
        var lines = new String[] {
            user("ada@example.com"),
            user("known@example.com"),
            user("nobody"),
            "{\"email\":\"bob@example.com\",\"password\":\"correct horse battery\"}",
            user("ada@example.com"),
            "{\"identities\":[{\"provider\":\"oidc\",\"subject\":\"1\"}]}"
        };
        var counted = users();
        var dry = runFrom("?dryRun=true", lines);

        assertThat(users()).isEqualTo(counted);
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM audit_log WHERE project_id = ?::uuid AND event = 'admin.users.imported'",
                                project.id()))
                .isZero();
        assertThat(dry.subList(0, 4))
                .containsExactly(
                        created(1),
                        exists(2),
                        failed(3, "email", "must be an email address of at most 254 characters"),
                        created(4));
        var real = runFrom("", lines);
        assertThat(dry).hasSameSizeAs(real);
        assertThat(dry.subList(0, 6)).isEqualTo(real.subList(0, 6));
        assertThat(dry.get(6)).isEqualTo(real.get(6).replace("}", ",\"dryRun\":true}"));
        assertThat(importing("?dryRun=perhaps", lines[0]).expect(422).failingFields())
                .containsExactly("dryRun");
    }

    @Test
    void aChangeBeforeTheCreationCountsAsTheCreation() {
        run("{\"id\":\"%s\",\"createdAt\":1575964800,\"updatedAt\":1575964799}".formatted(UUID_4));
        assertThat(project.manage("GET", "/v1/dashboard/users/" + UUID_4)
                        .expect(200)
                        .text("updatedAt"))
                .isEqualTo("2019-12-10T08:00:00.000Z");
    }

    @Test
    void aMisspeltFieldFailsItsLine() {
        assertThat(run("{\"email\":\"ann@example.com\",\"emailverfied\":true}", user("bob@example.com")))
                .startsWith(failed(1, "emailverfied", "is not known; did you mean emailVerified?"), created(2));
    }

    @Test
    void theIdsAnsweredAreTheUsers() {
        var answer = importing("", user("ada@example.com") + "\n").expect(200);

        var id = answer.body().replaceAll("(?s).*\"id\":\"([^\"]*)\".*", "$1");
        assertThat(server.sql().texts("SELECT email FROM users WHERE id = ?::uuid", id))
                .containsExactly("ada@example.com");
    }

    private static final String UUID_4 = "6b1ed7a4-2c4f-4f57-9d2e-0a5c3e0f9b71";

    private static String withId(String email, String id) {
        return "{\"email\":\"" + email + "\",\"id\":\"" + id + "\"}";
    }

    /** Foreign keys of an application refer to these ids. */
    @Test
    void usersKeepTheirIds() {
        assertThat(run(withId("ada@example.com", UUID_4.toUpperCase(Locale.ROOT))))
                .contains(created(1));

        assertThat(project.manage("GET", "/v1/dashboard/users/" + UUID_4)
                        .expect(200)
                        .text("email"))
                .isEqualTo("ada@example.com");
        project.manage("PATCH", "/v1/dashboard/users/" + UUID_4)
                .json(Map.of("password", TestProject.PASSWORD))
                .expect(200);
        var session = project.signIn("ada@example.com");
        assertThat(project.get("/v1/auth/token/verify")
                        .bearer(session.text("accessToken"))
                        .expect(200)
                        .text("user/id"))
                .isEqualTo(UUID_4);
    }

    @Test
    void aTakenIdFailsItsLineEvenWithinOneFile() {
        assertThat(run(
                        withId("ada@example.com", UUID_4),
                        withId("bob@example.com", UUID_4),
                        withId("zoe@example.com", UUID_4.replace('6', '7'))))
                .containsExactly(
                        created(1), failed(2, "id", "must not belong to another user"), created(3), done(2, 0, 1));
        assertThat(run(withId("eve@example.com", UUID_4)))
                .containsExactly(failed(1, "id", "must not belong to another user"), done(0, 0, 1));
        var other = server.newProject();
        assertThat(other.manage("POST", PATH)
                        .raw("application/x-ndjson", withId("bob@example.com", UUID_4))
                        .expect(200)
                        .body())
                .contains("created");
    }

    @Test
    void twoSimultaneousImportsOfOneIdCreateOneUser() {
        var answers = Parallel.send(8, i -> importing("", withId("user" + i + "@example.com", UUID_4)));

        assertThat(answers.stream().filter(answer -> answer.body().contains("\"created\":1")))
                .hasSize(1);
        assertThat(users()).isEqualTo(1);
    }

    @Test
    void anExistingUserIsAnsweredWithTheId() {
        var id = project.signUp("known@example.com").text("user/id");
        var identities = "{\"identities\":[{\"provider\":\"google\",\"subject\":\"1\"}]}";
        var nobody = "{\"id\":\"" + UUID_4 + "\"}";
        run(identities, nobody);

        var answer = importing(
                        "", String.join("\n", withId("known@example.com", UUID_4), user("Known@example.com"), nobody))
                .expect(200)
                .body()
                .lines()
                .toList();
        assertThat(answer.subList(0, 2)).allMatch(line -> line.endsWith("\"exists\",\"id\":\"" + id + "\"}"));
        assertThat(answer.get(2)).endsWith("\"exists\",\"id\":\"" + UUID_4 + "\"}");
        assertThat(run(identities)).containsExactly(exists(1), done(0, 1, 0));
    }

    /** An id of another system contains no time; a random one would come before all users who sign up later. */
    @Test
    void listsStayNewestFirstWhateverTheIds() {
        run(
                withId("middle@example.com", "ffffffff-ffff-4fff-bfff-ffffffffffff")
                        .replace("}", ",\"createdAt\":\"2024-03-01T09:59:31Z\"}"),
                withId("oldest@example.com", "ffffffff-ffff-7fff-bfff-ffffffffffff")
                        .replace("}", ",\"createdAt\":\"2019-03-01T09:59:31Z\"}"),
                withId("newest@example.com", "00000000-0000-4000-8000-000000000001")
                        .replace("}", ",\"createdAt\":\"2025-03-01T09:59:31Z\"}"));
        project.signUp("now@example.com");

        var all = List.of("now@example.com", "newest@example.com", "middle@example.com", "oldest@example.com");
        for (var search : List.of("", "&search=example", "&search=example.com")) {
            assertThat(emails("?limit=10" + search)).isEqualTo(all);
            assertThat(emails("?limit=2&offset=1" + search)).isEqualTo(all.subList(1, 3));
        }
    }

    private List<String> emails(String query) {
        return project.manage("GET", "/v1/dashboard/users" + query)
                .expect(200)
                .json()
                .path("users")
                .findValuesAsText("email");
    }

    @Test
    void theDataOfTheOtherSystemIsKept() {
        run("""
                {"id":"%s","email":"ada@example.com","isBanned":true,"signInCount":7,"createdAt":1575964800,\
                "lastSignInAt":"2024-03-01 09:59:31.123456+00","updatedAt":"1709287171123"}""".formatted(UUID_4));

        var user = project.manage("GET", "/v1/dashboard/users/" + UUID_4).expect(200);
        assertThat(user.text("isBanned")).isEqualTo("true");
        assertThat(user.text("signInCount")).isEqualTo("7");
        assertThat(user.text("createdAt")).isEqualTo("2019-12-10T08:00:00.000Z");
        assertThat(user.text("lastSignInAt")).isEqualTo("2024-03-01T09:59:31.123Z");
        assertThat(user.text("updatedAt")).isEqualTo("2024-03-01T09:59:31.123Z");
    }

    @Test
    void aBannedUserStaysBanned() {
        run("{\"email\":\"ada@example.com\",\"isBanned\":true,\"password\":\"" + TestProject.PASSWORD + "\"}");
        project.trySignIn("ada@example.com", TestProject.PASSWORD).expect(403);
    }

    @Test
    void unknownFieldsFailTheirLineUnlessIgnored() {
        var line = "{\"email\":\"ann@example.com\",\"emailverfied\":true,\"aud\":\"x\"}";
        assertThat(runFrom("?ignoreUnknown=false", line).get(0)).contains("did you mean emailVerified?", "aud");
        assertThat(runFrom("?ignoreUnknown=true", line)).containsExactly(created(1), done(1, 0, 0));
        assertThat(importing("?ignoreUnknown=yes", line).expect(422).failingFields())
                .containsExactly("ignoreUnknown");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\n\n\r\n"})
    void anEmptyFileIsDoneAtOnce(String text) {
        assertThat(importing("", text).expect(200).body()).isEqualTo(done(0, 0, 0) + "\n");
    }

    @Test
    void aSecondRunOfOneFileDoesNoHarm() {
        var identities = ",\"identities\":[{\"provider\":\"google\",\"subject\":\"1\"}]}";
        var withPassword = "{\"email\":\"bob@example.com\",\"password\":\"" + TestProject.PASSWORD + "\"}";
        var withIdentity = user("ada@example.com").replace("}", identities);
        assertThat(run(withIdentity, withPassword)).containsExactly(created(1), created(2), done(2, 0, 0));

        assertThat(run(withIdentity, withPassword)).containsExactly(exists(1), exists(2), done(0, 2, 0));

        project.signIn("bob@example.com");
        assertThat(users()).isEqualTo(2);
    }

    @Test
    void linesAreSkippedUnread() {
        assertThat(runFrom("?skip=2", "nonsense", user("ada@example.com"), user("bob@example.com")))
                .containsExactly(created(3), done(1, 0, 0));
        assertThat(runFrom("?skip=2147483647", user("ada@example.com"))).containsExactly(done(0, 0, 0));
        assertThat(users()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "x", "1.5", "2147483648", "%00"})
    void anOddNumberOfLinesToSkipIsRefused(String skip) {
        assertThat(importing("?skip=" + skip, user("ada@example.com"))
                        .expect(422)
                        .failingFields())
                .containsExactly("skip");
    }

    @Test
    void theFirstOfTwoLinesWithOneEmailIsCreated() {
        assertThat(run(
                        "{\"email\":\"ada@example.com\",\"displayName\":\"First\"}",
                        user("zoe@example.com"),
                        "{\"email\":\"ADA@example.com\",\"displayName\":\"Second\"}"))
                .containsExactly(created(1), created(2), exists(3), done(2, 1, 0));
        assertThat(server.sql()
                        .texts(
                                "SELECT display_name FROM users WHERE project_id = ?::uuid AND email = 'ada@example.com'",
                                project.id()))
                .containsExactly("First");
    }

    @Test
    void theFirstOfTwoLinesWithOneIdentityIsCreated() {
        var identity = ",\"identities\":[{\"provider\":\"x\",\"subject\":\"1\"}]}";
        assertThat(run(
                        user("ada@example.com").replace("}", identity),
                        user("bob@example.com").replace("}", identity),
                        user("zoe@example.com")))
                .containsExactly(
                        created(1),
                        failed(2, "identities", "must not belong to another user"),
                        created(3),
                        done(2, 0, 1));
    }

    @Test
    void passwordsAndHashesOfOtherSystemsAreAccepted() {
        var vector = Vector.of("bcrypt 2b");
        assertThat(run(
                        withHash("ada@example.com", vector.hash()),
                        "{\"email\":\"bob@example.com\",\"password\":\"" + TestProject.PASSWORD + "\"}",
                        "{\"email\":\"zoe@example.com\",\"passwordHash\":\"$2b$31$\"}"))
                .element(3)
                .isEqualTo(done(2, 0, 1));
        project.trySignIn("ada@example.com", vector.password()).expect(200);
        project.signIn("bob@example.com");
    }

    /** Anyone who knows the email could make the server spend a second on each attempt. */
    @Test
    void aTooExpensiveHashIsRefusedOnItsLine() {
        var dear = "$argon2id$v=19$m=262144,t=4,p=1$abcdefghijklmnopqrstuA$abcdefghijklmnopqrstuvwxyzabcdefghijklmnopA";
        assertThat(run(withHash("ada@example.com", dear), user("zoe@example.com")))
                .containsExactly(
                        failed(
                                1,
                                "passwordHash",
                                "must have an Argon2 memory (m, in KiB) of at most 131072 (the server's setting"
                                        + " imports.argon2Memory), not 262144"),
                        created(2),
                        done(1, 0, 1));
    }

    /** Failed sign ins of all users take equally long, so that the time does not reveal who was imported. */
    @Test
    void theCostOfTheMostExpensiveHashIsRecordedWithoutTheHash() {
        for (var madeBy : List.of("bcrypt 2b", "bcrypt 2y", "bcrypt 2a")) {
            run(withHash(TestServer.newEmail(), Vector.of(madeBy).hash()));
        }
        assertThat(recordedHashKinds()).containsExactly("bcrypt 5");
    }

    /** A test can only prove that none is faster. */
    @Test
    void anUnknownEmailFailsAsSlowlyAsTheMostExpensiveImport() {
        run(withHash("ada@example.com", BCRYPT_11));

        var started = System.nanoTime();
        project.trySignIn("unknown@example.com", "wrong password").expect(401);
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(Duration.ofMillis(180));
    }

    /** For users who were imported before servers recorded the cost. */
    @Test
    void runningTheSameImportAgainRecordsTheHighestCost() {
        run(withHash("ada@example.com", BCRYPT_11));
        server.sql().update("DELETE FROM dearest_imports WHERE project_id = ?::uuid", project.id());

        assertThat(run(withHash("ada@example.com", BCRYPT_11))).containsExactly(exists(1), done(0, 1, 0));
        assertThat(recordedHashKinds()).containsExactly("bcrypt 11");
    }

    @Test
    void manyLinesWithPasswordsAreImported() {
        var lines = IntStream.range(0, 40)
                .mapToObj(i ->
                        "{\"email\":\"user%d@example.com\",\"password\":\"%s\"}".formatted(i, TestProject.PASSWORD))
                .collect(Collectors.joining("\n"));

        assertThat(importing("", lines).expect(200).body()).endsWith(done(40, 0, 0) + "\n");
        project.signIn("user39@example.com");
    }

    @Test
    void manyThousandLinesAreImportedAndCounted() {
        assertThat(importing("", users(3000)).expect(200).body()).endsWith(done(3000, 0, 0) + "\n");

        assertThat(users()).isEqualTo(3000);
        assertThat(server.sql().count("SELECT sum(users) FROM counts WHERE project_id = ?::uuid", project.id()))
                .isEqualTo(3000);
    }

    private static String users(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> user("user" + (i * 7919 % count) + "@example.com"))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void twoSimultaneousImportsOfOneFileCreateEachUserOnce() {
        var reversed = users(2000).lines().sorted().collect(Collectors.joining("\n"));
        var answers = Parallel.send(2, i -> importing("", i == 0 ? users(2000) : reversed));

        assertThat(answers).extracting(Response::status).containsOnly(200);
        assertThat(answers.stream()
                        .flatMap(answer -> answer.body().lines())
                        .filter(line -> line.contains("\"created\",\"id\"")))
                .hasSize(2000);
        assertThat(users()).isEqualTo(2000);
    }

    @Test
    void aLineThatIsTooLongEndsTheImport() {
        var tooLong = "{\"email\":\"" + "x".repeat(65_536) + "\"}";

        var answer = importing("", user("ada@example.com") + "\n" + tooLong + "\n" + user("bob@example.com"))
                .expect(200)
                .body()
                .lines()
                .toList();
        assertThat(answer).hasSize(2);
        assertThat(answer.get(1)).contains("\"statusCode\":413").endsWith("\"line\":1}");
        importing("", tooLong).expect(413);
        assertThat(users()).isEqualTo(1);
    }

    @Test
    void anImportAffectsOnlyItsProject() {
        assertThat(run(user("ada@example.com"))).contains(created(1));

        var other = server.newProject();
        assertThat(other.manage("POST", PATH)
                        .raw("application/x-ndjson", user("ada@example.com"))
                        .expect(200)
                        .body())
                .contains("\"created\":1");
        importing("?projectId=" + other.id(), user("bob@example.com")).expect(403);
    }
}
