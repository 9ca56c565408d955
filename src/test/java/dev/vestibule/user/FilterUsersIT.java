package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of users by their state, their ways to sign in and the time of their creation. */
@ExtendWith(WithServer.class)
class FilterUsersIT {
    private static final String USERS = "/v1/dashboard/users?limit=2&";

    private static final String ADD = """
            INSERT INTO users (project_id, id, email, email_verified, is_banned, second_factors, created_at, updated_at)
            VALUES (?::uuid, gen_random_uuid(), ?, ?::boolean, ?::boolean, string_to_array(?, ','), ?::timestamptz, now())
            """;

    private static final String LINK = """
            INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)
            SELECT project_id, 'github', 'github', 'x', id, now() FROM users WHERE project_id = ?::uuid AND email = 'linked@x.example'
            """;

    private final TestServer server;
    private final TestProject project;

    FilterUsersIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        var other = server.newProject();
        for (var owner : List.of(project, other)) {
            add(server, owner, "old@x.example", "true", "false", "", "2024-01-01T00:00:00Z");
            add(server, owner, "banned@x.example", "true", "true", "", "2024-02-01T00:00:00Z");
            add(server, owner, "new@x.example", "false", "false", "", "2024-03-01T00:00:00Z");
            add(server, owner, "factor@x.example", "true", "false", "totp", "2024-04-01T00:00:00Z");
            add(server, owner, "linked@x.example", "true", "false", "", "2024-05-01T00:00:00Z");
            server.sql().update(LINK, owner.id());
        }
    }

    private static void add(TestServer server, TestProject project, Object... values) {
        var all = new ArrayList<Object>(List.of(project.id()));
        all.addAll(List.of(values));
        server.sql().update(ADD, all.toArray());
    }

    /** Over all pages. */
    private List<String> names(String query) {
        var names = new ArrayList<String>();
        int total;
        var cursor = "";
        do {
            var page = project.manage("GET", USERS + query + cursor).expect(200).json();
            page.path("users")
                    .forEach(user -> names.add(user.path("email").asText().replace("@x.example", "")));
            total = page.path("total").asInt();
            var next = page.path("nextCursor");
            cursor = next.isNull() ? "" : "&cursor=" + next.asText();
        } while (!cursor.isEmpty());
        assertThat(total).as(query).isEqualTo(names.size());
        return names;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "isBanned=true | banned",
                "isBanned=false | linked,factor,new,old",
                "emailVerified=false | new",
                "mfaEnabled=true | factor",
                "provider=github | linked",
                "provider=google | ''",
                "createdFrom=2024-03-01T00:00:00Z | linked,factor,new",
                "createdTo=2024-03-01T00:00:00Z | banned,old",
                "order=oldest | old,banned,new,factor,linked",
                "isBanned=false&search=N | linked,new",
                "emailVerified=true&isBanned=false&order=oldest | old,factor,linked",
            })
    void eachFilterSelectsItsUsersOverAllPages(String query, String expected) {
        assertThat(String.join(",", names(query))).isEqualTo(expected);
    }

    /** A page of a list that has many times as many users is found in another way. */
    @Test
    void aFilterThatManyMatchSelectsItsUsersOverAllPagesToo() {
        var expected = new ArrayList<String>();
        for (var number = 10; number < 30; number++) {
            add(server, project, number + "@x.example", "true", "true", "", "2025-01-" + number + "T00:00:00Z");
            expected.add(String.valueOf(number));
        }
        expected.add(0, "banned");
        assertThat(names("isBanned=true&order=oldest")).isEqualTo(expected);
        Collections.reverse(expected);
        assertThat(names("isBanned=true")).isEqualTo(expected);
    }

    @Test
    void aCursorServesOnlyTheListThatItCameFrom() {
        var cursor = project.manage("GET", USERS + "order=oldest").expect(200).text("nextCursor");
        project.manage("GET", USERS + "order=oldest&cursor=" + cursor).expect(200);
        project.manage("GET", USERS + "cursor=" + cursor).expect(422);
        project.manage("GET", USERS + "order=oldest&isBanned=false&cursor=" + cursor)
                .expect(422);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "isBanned=maybe",
                "order=random",
                "createdFrom=yesterday",
                "createdTo=%2B999999999-12-31T23:59:59Z",
                "provider=%00",
                "banned=true"
            })
    void aFilterThatMeansNothingIsRefused(String query) {
        project.manage("GET", USERS + query).expect(422);
    }
}
