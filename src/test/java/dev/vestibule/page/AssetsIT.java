package dev.vestibule.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.Language;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that pages load. */
@ExtendWith(WithServer.class)
class AssetsIT {
    private static final String SCRIPT = "lib/lit-html/lit-html.js";
    private static final String SCREENS = "console/screen/";

    /** The folders of texts that a screen loads for itself alone. */
    private static final Map<String, String> TEXTS_OF_SCREENS =
            Map.of(SCREENS + "audit.js", "sentences", SCREENS + "mails.js", "mails");

    private final URI base;
    private final AssetFiles files = AssetFiles.read();
    private final HttpClient http = HttpClient.newHttpClient();

    AssetsIT(TestServer server) {
        base = server.api().base();
    }

    private HttpResponse<byte[]> get(String path, String... headers) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(base + "/" + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    @Test
    void aFileIsCachedForEverUnderTheHashOfAllFiles() throws IOException, InterruptedException {
        var response = get(files.folder() + SCRIPT);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/javascript; charset=utf-8");
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("public, max-age=31536000, immutable");
        assertThat(new String(response.body(), StandardCharsets.UTF_8)).contains("export");
    }

    @Test
    void aFileIsCompressedIfTheBrowserAcceptsIt() throws IOException, InterruptedException {
        var plain = get(files.folder() + SCRIPT);
        var compressed = get(files.folder() + SCRIPT, "Accept-Encoding", "br, gzip");

        assertThat(compressed.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(compressed.headers().firstValue("Vary")).hasValue("Accept-Encoding");
        assertThat(compressed.body()).hasSizeLessThan(plain.body().length);
        try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(compressed.body()))) {
            assertThat(unpacked.readAllBytes()).isEqualTo(plain.body());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip;q=0", "br", "identity, gzip; q=0.0", ";;,=,q", "x-gzip-not"})
    void nothingIsCompressedUnlessTheBrowserAcceptsIt(String accepted) throws IOException, InterruptedException {
        var response = get(files.folder() + SCRIPT, "Accept-Encoding", accepted);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Encoding")).isEmpty();
    }

    /** Counts what every visit loads, with the texts of one language, and the screen that needs the most modules. */
    @ParameterizedTest
    @EnumSource(Language.class)
    void theConsoleLoadsLessThan150KilobytesOfScript(Language language) throws IOException, InterruptedException {
        var frame = new TreeSet<String>();
        addWithImports("console/console.js", frame);
        var largest = 0;
        for (var script : scriptsOfConsole()) {
            if (script.startsWith(SCREENS)) {
                var own = new TreeSet<String>();
                addWithImports(script, own);
                own.removeAll(frame);
                largest = Math.max(largest, size(own) + sizeOfTexts(own, language));
            }
        }
        assertThat(largest).isPositive();
        var texts = get(files.folder() + "console/messages/" + language.text() + ".json");
        assertThat(texts.statusCode()).isEqualTo(200);
        assertThat(texts.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(size(frame) + texts.body().length + largest).isLessThan(150_000);
    }

    /** The texts that a screen loads for itself alone. */
    private int sizeOfTexts(Set<String> scripts, Language language) throws IOException, InterruptedException {
        var bytes = 0;
        for (var screen : TEXTS_OF_SCREENS.entrySet()) {
            if (scripts.contains(screen.getKey())) {
                var texts =
                        get(files.folder() + "console/messages/" + screen.getValue() + "/" + language.text() + ".json");
                assertThat(texts.statusCode()).isEqualTo(200);
                bytes += texts.body().length;
            }
        }
        return bytes;
    }

    private int size(Set<String> scripts) throws IOException, InterruptedException {
        var bytes = 0;
        for (var script : scripts) {
            bytes += get(files.folder() + script).body().length;
        }
        return bytes;
    }

    @Test
    void theConsolePreloadsAllModulesOfItsFrameAndNoOthers() throws IOException, InterruptedException {
        var page = new String(get("console/").body(), StandardCharsets.UTF_8);
        var preloaded = Pattern.compile("rel=\"modulepreload\" href=\"\\.\\./" + files.folder() + "([^\"]+)\"")
                .matcher(page)
                .results()
                .map(link -> link.group(1))
                .toList();

        var imported = new TreeSet<String>();
        addWithImports("console/console.js", imported);
        assertThat(preloaded).containsExactlyInAnyOrderElementsOf(imported).noneMatch(path -> path.startsWith(SCREENS));
    }

    private void addWithImports(String module, Set<String> modules) throws IOException, InterruptedException {
        if (!modules.add(module)) {
            return;
        }
        var script = new String(get(files.folder() + module).body(), StandardCharsets.UTF_8);
        var imports =
                Pattern.compile("\\b(?:from|import) \"(\\.{1,2}/[^\"]+)\"").matcher(script);
        while (imports.find()) {
            addWithImports(URI.create(module).resolve(imports.group(1)).toString(), modules);
        }
    }

    /** Browsers do not load the documentation for developers, and nothing else is left out. */
    @Test
    void aScriptOfOursIsServedWithoutItsDocumentation() throws IOException, InterruptedException {
        for (var script : scriptsOfConsole()) {
            if (!script.equals(SCRIPT)) {
                var served = new String(get(files.folder() + script).body(), StandardCharsets.UTF_8);
                var code = Files.readString(Path.of("src/main/resources/page", script))
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.matches("/?\\*.*|.*/\\*\\*.*"));
                assertThat(served).as(script).doesNotContain("/**");
                assertThat(served.lines().map(String::strip)).as(script).containsSubsequence(code.toList());
            }
        }
    }

    private static List<String> scriptsOfConsole() throws IOException {
        var scripts = new ArrayList<>(List.of(SCRIPT));
        var pages = Path.of("src/main/resources/page");
        try (var folder = Files.walk(pages.resolve("console"))) {
            folder.map(file -> pages.relativize(file).toString())
                    .filter(name -> name.endsWith(".js"))
                    .forEach(scripts::add);
        }
        return scripts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/", "docs/webhooks/", "docs/api/", "v1/openapi.json"})
    void staticPagesAreCompressedToo(String path) throws IOException, InterruptedException {
        var plain = get(path);
        var compressed = get(path, "Accept-Encoding", "gzip");

        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(compressed.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(compressed.headers().firstValue("Vary").orElse("")).contains("Accept-Encoding");
        try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(compressed.body()))) {
            assertThat(unpacked.readAllBytes()).isEqualTo(plain.body());
        }
    }

    @Test
    void aPageOfAnotherVersionGetsTheFileButDoesNotCacheIt() throws IOException, InterruptedException {
        var response = get("assets/0123456789abcdef/" + SCRIPT);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unknown.js",
                "",
                "lib",
                "lib/",
                "../../mail/layout.html",
                "..%2F..%2Fmail%2Flayout.html",
                "%2e%2e/%2e%2e/openapi.yaml",
                "/etc/passwd",
                "lib/lit-html/lit-html.js%00"
            })
    void onlyTheFilesOfPagesAreServed(String path) throws IOException, InterruptedException {
        assertThat(get(files.folder() + path).statusCode()).isEqualTo(404);
    }

    @Test
    void noPageOfAnotherOriginCanReadIt() throws IOException, InterruptedException {
        var headers =
                get(files.folder() + SCRIPT, "Origin", "https://other.example").headers();

        assertThat(headers.firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(headers.firstValue("Cross-Origin-Resource-Policy")).hasValue("same-origin");
    }
}
