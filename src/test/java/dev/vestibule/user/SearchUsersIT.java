package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of the search, in a small project and in one that uses the trigram index. */
@ExtendWith(WithServer.class)
class SearchUsersIT {
    private static final String ADD = """
            INSERT INTO users (project_id, id, email, display_name, created_at, updated_at)
            VALUES (?::uuid, overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1)::uuid, ?, ?, now(), now())
            """;

    private static final String FILL = """
            INSERT INTO users (project_id, id, email, display_name, created_at, updated_at)
            SELECT ?::uuid, overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1)::uuid, 'filler' || n || '@crowd.example', 'One of Many', now(), now()
            FROM generate_series(1, ?) AS n
            """;

    private static final int BEYOND_SMALL = 10_050;

    private final TestServer server;
    private final TestProject project;

    SearchUsersIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private void add(@Nullable String email, @Nullable String displayName) {
        server.sql().update(ADD, project.id(), email, displayName);
    }

    private void fill(int users) {
        server.sql().update(FILL, project.id(), users);
    }

    private Response search(String term, String more) {
        var encoded = URLEncoder.encode(term, StandardCharsets.UTF_8);
        return project.manage("GET", "/v1/dashboard/users?search=" + encoded + more)
                .expect(200);
    }

    private long total(String term) {
        return search(term, "").json().path("total").asLong();
    }

    private List<String> emails(String term) {
        var answer = search(term, "");
        var emails = answer.json().path("users").findValuesAsText("email");
        assertThat(answer.json().path("total").asInt()).isEqualTo(emails.size());
        return emails;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, BEYOND_SMALL})
    void aPartOfEmailOrDisplayNameFindsItsUserInAnyCase(int others) {
        add("ada.lovelace@engines.example", "Augusta Ada King");
        add("kim@seoul.example", "김민준");
        add("ibrahim@istanbul.example", "İbrahim Çelik");
        add("odos@athens.example", "ΟΔΟΣ Ὀδυσσεύς");
        add("office@wide.example", "Ｆｕｌｌｗｉｄｔｈ ﬁle");
        add("odd+tag_100%@quotes.example", "O'Neil \\ \"Ann\"");
        fill(others);

        for (var term :
                List.of("lovelace", "LOVELACE", "a.l", "gusta ada k", " King ", "ENGINES.", "gIn", "ada.lovelace@")) {
            assertThat(emails(term)).as(term).containsExactly("ada.lovelace@engines.example");
        }
        for (var term : List.of("김민준", "민준", "김민", "준", "김", "m@seoul")) {
            assertThat(emails(term)).as(term).containsExactly("kim@seoul.example");
        }
        for (var term : List.of("ibrahim", "İBRAHİM", "IBRAHIM", "çelik", "ÇE", "ç")) {
            assertThat(emails(term)).as(term).containsExactly("ibrahim@istanbul.example");
        }
        for (var term : List.of("οδος", "ΟΔΟΣ", "δοσ", "Δ", "ὀδυσσεύς")) {
            assertThat(emails(term)).as(term).containsExactly("odos@athens.example");
        }
        for (var term : List.of("fullwidth", "FILE", "ﬁle", "ｗｉｄ")) {
            assertThat(emails(term)).as(term).contains("office@wide.example");
        }
        for (var term : List.of("_100%@", "%@", "+tag", "o'neil", "\\ \"", "\"ann\"")) {
            assertThat(emails(term)).as(term).containsExactly("odd+tag_100%@quotes.example");
        }
        for (var term :
                List.of("lovelacex", "qz", "민민", "king augusta", "augusta.ada", "exampleaugusta", "%ada%", "a_a")) {
            assertThat(emails(term)).as(term).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, BEYOND_SMALL})
    void oneLetterFindsAllUsersWhoHaveIt(int others) {
        add("zoe@x.example", null);
        add("ann@q.example", "Zz");
        fill(others);

        assertThat(emails("Z")).containsExactlyInAnyOrder("zoe@x.example", "ann@q.example");
        assertThat(emails("q")).containsExactly("ann@q.example");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%20", "%E3%80%80"})
    void anEmptyTermFindsAll(String blank) {
        add("ann@x.example", null);
        add(null, "Anonymous's mail");

        assertThat(project.manage("GET", "/v1/dashboard/users?search=" + blank)
                        .expect(200)
                        .text("total"))
                .isEqualTo("2");
    }

    @Test
    void aUserWithoutEmailIsFoundByName() {
        add(null, "Nemo Anonymous");

        var found = search("nemo", "").json();

        assertThat(found.path("total").asInt()).isEqualTo(1);
        assertThat(found.at("/users/0/email").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, rare", "10050, rare", "0, crowd", "300, crowd", "10050, crowd"})
    void searchResultsArePagedNewestFirst(int others, String term) {
        fill(others);
        for (int n = 0; n < 5; n++) {
            server.sql()
                    .update(
                            "INSERT INTO users (project_id, id, email, created_at, updated_at)"
                                    + " VALUES (?::uuid, ('ffffffff-ffff-7fff-bfff-00000000000' || ?)::uuid, ?, now(), now())",
                            project.id(),
                            n,
                            n + "rare@crowd.example");
        }
        var everyone = term.equals("rare") ? 5 : others + 5;

        var first = search(term, "&limit=2").json();
        var second = search(term, "&limit=2&offset=2").json();
        var beyond = search(term, "&offset=" + everyone).json();

        assertThat(first.path("users").findValuesAsText("email"))
                .containsExactly("4rare@crowd.example", "3rare@crowd.example");
        assertThat(second.path("users").findValuesAsText("email"))
                .containsExactly("2rare@crowd.example", "1rare@crowd.example");
        assertThat(beyond.path("users")).isEmpty();
        assertThat(List.of(first, second, beyond))
                .extracting(list -> list.path("total").asInt())
                .containsOnly(everyone);
    }

    @ParameterizedTest
    @ValueSource(ints = {50, BEYOND_SMALL})
    void aTotalFollowsEveryChange(int others) {
        fill(others);
        assertThat(total("crowd")).isEqualTo(others);

        add("late@crowd.example", null);
        assertThat(total("crowd")).isEqualTo(others + 1);
        add("elsewhere@x.example", null);
        assertThat(total("crowd")).isEqualTo(others + 1);
        fill(7, "more");
        assertThat(total("crowd")).isEqualTo(others + 8);
        server.sql()
                .update(
                        "UPDATE users SET email = 'gone@x.example' WHERE email = 'late@crowd.example'"
                                + " AND project_id = ?::uuid",
                        project.id());
        assertThat(total("crowd")).isEqualTo(others + 7);
        server.sql()
                .update(
                        "UPDATE users SET display_name = 'of the CROWD' WHERE email = 'gone@x.example'"
                                + " AND project_id = ?::uuid",
                        project.id());
        assertThat(total("crowd")).isEqualTo(others + 8);
        server.sql().update("DELETE FROM users WHERE email LIKE 'more%' AND project_id = ?::uuid", project.id());
        assertThat(total("crowd")).isEqualTo(others + 1);
    }

    private void fill(int users, String prefix) {
        server.sql().update(FILL.replace("'filler'", "'" + prefix + "'"), project.id(), users);
    }

    @Test
    void aChangedDisplayNameIsFoundAndTheOldOneIsNot() {
        var user = project.post("/v1/auth/signup")
                .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD, "displayName", "Maiden"))
                .expect(201);
        assertThat(total("maiden")).isEqualTo(1);

        project.api()
                .patch("/v1/auth/me")
                .bearer(user.accessToken())
                .json(Map.of("displayName", "Married"))
                .expect(200);

        assertThat(total("maiden")).isZero();
        assertThat(total("married")).isEqualTo(1);
    }

    @Test
    void theLongestNamesAndEmailsAreFound() {
        var name = "ﷺ".repeat(100); // eighteen characters each after normalisation
        var email = "λ".repeat(64) + "@" + "ж".repeat(60) + "." + "ж".repeat(60) + "." + "ж".repeat(59) + ".example";
        add(email, name);

        assertThat(emails(email)).containsExactly(email);
        assertThat(emails("ﷺﷺ")).containsExactly(email);
    }

    @Test
    void usersOfAnotherProjectAreNotFound() {
        add("mine@shared.example", null);
        var other = server.newProject();
        server.sql().update(ADD, other.id(), "theirs@shared.example", null);

        assertThat(emails("shared")).containsExactly("mine@shared.example");
    }
}
