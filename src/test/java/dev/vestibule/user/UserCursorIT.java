package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of users that continue from a cursor, on both paths. */
@ExtendWith(WithServer.class)
class UserCursorIT {
    private static final String DASHBOARD = "/v1/dashboard/users";
    private static final String BACKEND = "/v1/backend/users";

    private final TestServer server;
    private final TestProject project;

    UserCursorIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    /** Adds several users in the same microsecond, so that the id decides the order. */
    private void add(int users) {
        add(project, users);
    }

    private void add(TestProject to, int users) {
        server.sql().update("""
                INSERT INTO users (project_id, id, email, created_at, updated_at)
                SELECT ?::uuid, gen_random_uuid(), 'user' || n || '@example.com',
                       '2024-03-01T09:59:31.123456Z'::timestamptz + (n / 3) * interval '1 microsecond', now()
                FROM generate_series(1, ?) AS n
                """, to.id(), users);
    }

    private Response list(String path, String query) {
        return project.manage("GET", path + "?" + query).expect(200);
    }

    private static List<String> ids(Response page) {
        return page.json().path(page.json().has("data") ? "data" : "users").findValuesAsText("id");
    }

    @ParameterizedTest
    @CsvSource({
        DASHBOARD + ",''",
        DASHBOARD + ",search=example",
        DASHBOARD + ",search=USER1",
        BACKEND + ",''",
        BACKEND + ",search=e"
    })
    void aCursorPagesThroughTheListWithoutGapsOrDuplicates(String path, String search) {
        add(25);
        var whole = ids(list(path, "limit=100&" + search));
        var walked = new ArrayList<String>();
        var page = list(path, "limit=4&" + search);
        walked.addAll(ids(page));
        while (!page.json().path("nextCursor").isNull()) {
            page = list(path, "limit=4&" + search + "&cursor=" + page.text("nextCursor"));
            assertThat(ids(page)).isNotEmpty();
            assertThat(page.text("total")).isEqualTo(String.valueOf(whole.size()));
            walked.addAll(ids(page));
        }
        assertThat(walked).hasSizeGreaterThan(4).containsExactlyElementsOf(whole);
    }

    @Test
    void aSignUpInBetweenShiftsNoPage() {
        add(4);
        var whole = ids(list(DASHBOARD, ""));
        var first = list(DASHBOARD, "limit=2");
        project.signUp();
        assertThat(ids(list(DASHBOARD, "limit=2&cursor=" + first.text("nextCursor"))))
                .containsExactlyElementsOf(whole.subList(2, 4));
    }

    @Test
    void theUserOfACursorCanBeDeleted() {
        add(4);
        var whole = ids(list(DASHBOARD, ""));
        var first = list(DASHBOARD, "limit=2");
        project.manage("DELETE", DASHBOARD + "/" + whole.get(1)).expect(200);
        assertThat(ids(list(DASHBOARD, "limit=2&cursor=" + first.text("nextCursor"))))
                .containsExactlyElementsOf(whole.subList(2, 4));
    }

    @Test
    void aCursorIsValidOnBothPaths() {
        add(5);
        var cursor = list(DASHBOARD, "limit=2").text("nextCursor");
        assertThat(ids(list(BACKEND, "cursor=" + cursor))).isEqualTo(ids(list(DASHBOARD, "cursor=" + cursor)));
    }

    @ParameterizedTest
    @ValueSource(strings = {DASHBOARD, BACKEND})
    void aCursorOfAnotherListIsRefused(String path) {
        add(5);
        var ofAll = list(path, "limit=2").text("nextCursor");
        var ofSearch = list(path, "limit=2&search=user").text("nextCursor");
        var other = server.newProject();
        add(other, 5);
        var ofOther = other.manage("GET", path + "?limit=2").expect(200).text("nextCursor");
        for (var query : List.of(
                "cursor=" + ofOther,
                "cursor=" + ofSearch,
                "search=user&cursor=" + ofAll,
                "search=use&cursor=" + ofSearch)) {
            assertThat(project.manage("GET", path + "?" + query).expect(422).failingFields())
                    .containsExactly("cursor");
        }
        list(path, "limit=5&search=user&cursor=" + ofSearch);
    }

    @Test
    void aMadeUpCursorIsRefused() {
        add(3);
        var good = list(DASHBOARD, "limit=2").text("nextCursor");
        var bad = List.of(
                "",
                "1",
                "%00",
                "x".repeat(43),
                "A".repeat(5000),
                good + "A",
                good.substring(1),
                (good.charAt(0) == 'A' ? "B" : "A") + good.substring(1),
                good.substring(0, 20) + (good.charAt(20) == 'A' ? "B" : "A") + good.substring(21));
        for (var cursor : bad) {
            assertThat(project.manage("GET", DASHBOARD + "?cursor=" + cursor)
                            .send()
                            .status())
                    .as(cursor)
                    .isIn(422, 414);
        }
    }

    @Test
    void aCursorComesWithoutAPage() {
        add(3);
        var cursor = list(DASHBOARD, "limit=2").text("nextCursor");
        assertThat(project.manage("GET", DASHBOARD + "?offset=0&cursor=" + cursor)
                        .expect(422)
                        .failingFields())
                .containsExactly("offset");
        assertThat(project.manage("GET", BACKEND + "?page=1&cursor=" + cursor)
                        .expect(422)
                        .failingFields())
                .containsExactly("page");
    }
}
