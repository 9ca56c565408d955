package dev.vestibule.page.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Description;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages at {@code /docs/}. */
@ExtendWith(WithServer.class)
class DocumentationIT {
    private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
    private static final Pattern ANCHOR = Pattern.compile("id=\"([^\"]*)\"");

    private final ApiClient http;

    DocumentationIT(TestServer server) {
        http = ApiClient.undescribed(server.api().base());
    }

    static Stream<String> pages() {
        return Stream.concat(Guides.SLUGS.stream().skip(1), Stream.of("api")).map(name -> "/docs/" + name + "/");
    }

    @ParameterizedTest
    @MethodSource("pages")
    @ValueSource(strings = "/docs/")
    void everyPageIsServedUnderAStrictPolicy(String path) {
        var page = http.get(path).expect(200);

        assertThat(page.header("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.header("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .contains(
                                "default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                        .doesNotContain("unsafe", "http:"));
        assertThat(page.body())
                .contains("<html lang=\"en\">")
                .containsPattern("<title>[^<]+ · Vestibule</title>")
                .containsPattern("<h1[^<]*>[^<]+</h1>")
                .doesNotContainPattern("<style|style=|<script>| on[a-z]+=\"");
    }

    @Test
    void everyLinkLeadsSomewhereAndEveryPageIsLinked() {
        var bodies = new TreeMap<String, String>();
        var waiting = new ArrayDeque<>(List.of("/docs/"));
        var fragments = new HashSet<URI>();
        while (!waiting.isEmpty()) {
            var path = waiting.remove();
            if (bodies.containsKey(path)) {
                continue;
            }
            var answer = http.get(path).expect(200);
            bodies.put(path, answer.body());
            if (path.startsWith("/docs/")) {
                references(path, answer).forEach(found -> {
                    waiting.add(found.getPath());
                    if (found.getFragment() != null) {
                        fragments.add(found);
                    }
                });
            }
        }

        assertThat(bodies.keySet()).containsAll(pages().toList()).contains("/v1/openapi.json");
        assertThat(fragments)
                .hasSizeGreaterThan(20)
                .allSatisfy(found -> assertThat(anchors(bodies.getOrDefault(found.getPath(), "")))
                        .as(found.toString())
                        .contains(found.getFragment()));
    }

    private static List<URI> references(String path, Response page) {
        return REFERENCE
                .matcher(page.body())
                .results()
                .map(found -> found.group(1))
                .filter(reference -> !reference.startsWith("https://") && !reference.startsWith("data:"))
                .map(reference -> URI.create(path).resolve(reference))
                .toList();
    }

    private static Set<String> anchors(String page) {
        var anchors = new HashSet<String>();
        ANCHOR.matcher(page)
                .results()
                .forEach(found -> assertThat(anchors.add(found.group(1)))
                        .as("%s is there once", found.group(1))
                        .isTrue());
        return anchors;
    }

    @Test
    void theIndexOfTheSearchLeadsToEveryGuideAndOperation() {
        var index = http.get("/docs/search.json").expect(200);
        assertThat(index.header("Content-Type")).contains("application/json");
        var paths = new HashSet<String>();
        var pages = new TreeMap<String, Set<String>>();
        for (var entry : index.json().path("entries")) {
            var path = entry.path("path").asText();
            paths.add(path);
            assertThat(entry.path("title").asText()).as(path).isNotBlank();
            if (!path.startsWith("api/")) {
                var place = URI.create("/docs/").resolve(path);
                var anchors = pages.computeIfAbsent(
                        place.getPath(),
                        page -> anchors(http.get(page).expect(200).body()));
                assertThat(place.getFragment() == null || anchors.contains(place.getFragment()))
                        .as(path)
                        .isTrue();
            }
        }
        assertThat(pages).hasSize(Guides.SLUGS.size());
        var operations = new HashSet<String>();
        for (var path : Description.get().root().path("paths")) {
            path.properties()
                    .forEach(operation -> operations.add("api/#/"
                            + operation.getValue().at("/tags/0").asText().replace(" ", "%20") + "/"
                            + operation.getValue().path("operationId").asText()));
        }
        assertThat(operations).hasSizeGreaterThan(100);
        assertThat(paths).containsAll(operations);
    }

    @Test
    void aUrlWithoutItsSlashRedirectsToTheOneWithIt() {
        assertThat(http.get("/docs").expect(302).header("Location")).contains("docs/");
        assertThat(http.get("/docs/webhooks").expect(302).header("Location")).contains("webhooks/");
        assertThat(http.get("/docs/api").expect(302).header("Location")).contains("api/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/docs/nothing/",
                "/docs/nothing",
                "/docs/start/",
                "/docs/none/",
                "/docs/page.html",
                "/docs/start.md",
                "/docs/%2e%2e%2fopenapi.yaml",
                "/docs/..%2f..%2fopenapi.yaml/",
                "/docs/..%5copenapi.yaml",
                "/docs/webhooks%00/",
                "/docs/%0d%0aSet-Cookie:%20a=b",
                "/docs/%3cscript%3ealert(1)%3c%2fscript%3e/",
                "/docs//webhooks.example.com/",
                "/docs/webhooks/more"
            })
    void anUnknownPageIsNotFoundAndItsNameNotEchoed(String path) {
        var answer = http.get(path).expect(404);

        assertThat(answer.body()).doesNotContain("docs/nothing", "alert(1)", "Set-Cookie", "openapi: 3");
        assertThat(answer.header("Set-Cookie")).isEmpty();
        assertThat(answer.header("Location")).isEmpty();
    }

    @Test
    void theNotFoundPageStillHasTheMenu() {
        for (var path : List.of("/docs/nothing/", "/docs/nothing")) {
            var answer = http.get(path).expect(404);
            assertThat(answer.body()).contains("<h1>No such page</h1>");
            assertThat(references(path, answer))
                    .filteredOn(found -> found.getFragment() == null)
                    .allSatisfy(found -> http.get(found.getPath()).expect(200));
        }
    }

    @Test
    void otherMethodsAreRefused() {
        assertThat(http.post("/docs/webhooks/").expect(405).header("Allow")).contains("GET, HEAD");
        http.call("HEAD", "/docs/webhooks/").expect(200);
    }
}
