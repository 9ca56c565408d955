package dev.vestibule.benchmark;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestProject;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The authorization server compared to the project's own tokens: refreshes, introspections and authorizations, with few
 * grants and with a million grants of ten thousand clients.
 */
@TakesLong("It measures each path in turns, and seeds a million grants.")
class ProviderBenchmark {
    private static final int ACCOUNTS = 64;
    private static final int CLIENTS = 10_000;
    private static final int GRANTS = Integer.getInteger("provider.grants", 1_000_000);
    private static final int USERS = GRANTS / 10;
    private static final String API = "https://orders.example.com/";
    private static final String FORM = "content-type: application/x-www-form-urlencoded";
    private static final String INTROSPECT = "introspect";
    private static final String KEY = "a user's key";
    private static final String AUTHORIZE = "a step of an authorization with a session";
    private static final String ES256 = "refresh by a client, ES256";
    private static final String PUBLIC = "refresh by a public client, ES256";
    private static final String RS256 = "refresh by a client, RS256 with an ID token";
    private static final Pattern LOCATION = Pattern.compile("(?i)\\r\\nlocation: (\\S+)");
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Turns TURNS = new Turns(4, Duration.ofMillis(400), Duration.ofMillis(2500));
    private static final int AUTHORIZATIONS = 300; // a second
    private static final int CALLS = 200;

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Report report = new Report("provider");
    private final Path folder;

    ProviderBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    /** A client, and how it authenticates with a secret. */
    private record App(String id, String secret) {
        static App of(TestProject project, String kind, Map<String, ?> more) {
            var client = OauthBrowser.register(project, kind, more);
            return new App(
                    client.text("clientId"), client.json().path("clientSecret").asText());
        }

        String authorization() {
            var pair = (id + ":" + secret).getBytes(StandardCharsets.UTF_8);
            return "authorization: Basic " + Base64.getEncoder().encodeToString(pair) + "\r\n" + FORM;
        }

        /** The tokens of a person who signs in to it. */
        Response tokens(TestProject project, OauthBrowser browser, String email, String scope) {
            var code = browser.code(id, email, Map.of("scope", scope, "resource", API));
            var form = new HashMap<>(Map.of(
                    "grant_type",
                    "authorization_code",
                    "client_id",
                    id,
                    "code",
                    code,
                    "redirect_uri",
                    OauthBrowser.APP,
                    "code_verifier",
                    OauthBrowser.VERIFIER));
            if (!secret.isEmpty()) {
                form.put("client_secret", secret);
            }
            return OauthBrowser.token(project, form, 200);
        }
    }

    @Test
    void figures() throws SQLException {
        var port = FreePort.find();
        var command = MeasuredServer.cheap(folder)
                .with("VESTIBULE_HTTP_PORT", Integer.toString(port))
                .with("VESTIBULE_PUBLIC_URL", "http://localhost:" + port);
        try (var server = MeasuredServer.start(command)) {
            var project = server.firstProject();
            var clients = clients(project);
            // As autovacuum does within a minute; without statistics, PostgreSQL reads all grants of a project for
            // each.
            server.database().sql().update("VACUUM ANALYZE");
            Turns.warmUp(lines(server, clients), WARM_UP);
            measure("", server, clients);
            try (var seeding = Seeding.of(server.database(), Instant.now())) {
                seeding.users(UUID.fromString(project.id()), USERS);
                seeding.grants(UUID.fromString(project.id()), GRANTS, CLIENTS, USERS);
                seeding.vacuum();
            }
            measure(", with %,d grants".formatted(GRANTS), server, clients);
            management(server, project);
        }
        vertx.close().await();
        report.write();
    }

    /** By path, kept over all loads, because each client of a refresh knows its last token. */
    private static Map<String, List<Client>> clients(TestProject project) {
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", API, "name", "Orders", "scopes", List.of(Map.of("name", "read"))))
                .expect(201);
        var accounts = Account.signUp(project, ACCOUNTS);
        var es256 = App.of(project, "web", Map.of("idTokenAlgorithm", "ES256"));
        var rs256 = App.of(project, "web", Map.of());
        var spa = App.of(project, "spa", Map.of("idTokenAlgorithm", "ES256"));
        var api = App.of(project, "api", Map.of("resource", API));
        var branding = Client.repeating(
                Client.request("GET", "/v1/auth/branding", "x-api-key: " + project.publishableKey(), ""),
                200,
                "showEmailPassword");
        var clients = new LinkedHashMap<String, List<Client>>();
        for (var account : accounts) {
            var browser = new OauthBrowser(project);
            var first = es256.tokens(project, browser, account.email(), "read");
            add(clients, Paths.BRANDING, branding);
            add(clients, Paths.ME, Client.askingForMe(account));
            add(clients, Paths.REFRESH, Client.refreshing(account));
            add(clients, INTROSPECT, introspecting(project, api, first));
            add(clients, KEY, checkingKey(project, account));
            add(clients, AUTHORIZE, authorizing(project, es256, browser));
            add(clients, ES256, refreshing(project, es256, first));
            var publicTokens = spa.tokens(project, new OauthBrowser(project), account.email(), "read");
            add(clients, PUBLIC, refreshing(project, spa, publicTokens));
            var withIdToken = rs256.tokens(project, new OauthBrowser(project), account.email(), "openid email read");
            add(clients, RS256, refreshing(project, rs256, withIdToken));
        }
        return clients;
    }

    private List<Line> lines(MeasuredServer server, Map<String, List<Client>> clients) {
        return clients.entrySet().stream()
                .map(path -> new Line(
                        path.getKey(),
                        ACCOUNTS,
                        server.clock(),
                        () -> ClosedLoad.of(vertx, server.port(), path.getValue())))
                .toList();
    }

    private static void add(Map<String, List<Client>> clients, String name, Client client) {
        clients.computeIfAbsent(name, none -> new ArrayList<>()).add(client);
    }

    private static Client introspecting(TestProject project, App api, Response tokens) {
        var request = Client.request(
                "POST",
                OauthBrowser.issuerPath(project) + "/oauth/introspect",
                api.authorization(),
                "token=" + tokens.text("access_token"));
        return Client.repeating(request, 200, "\"active\":true");
    }

    /** As a back end checks the API key of a user. */
    private static Client checkingKey(TestProject project, Account account) {
        var key = project.api()
                .post("/v1/auth/me/api-keys")
                .bearer(account.accessToken())
                .json(Map.of("name", "Job"))
                .expect(201)
                .text("key");
        return Client.repeating(
                Client.post("/v1/backend/keys/verify", project.secretKey(), "{\"key\":\"" + key + "\"}"),
                200,
                account.email());
    }

    /** Goes to the endpoint, and on to the page that it leads to, which has nothing to ask and answers with a code. */
    private static Client authorizing(TestProject project, App client, OauthBrowser browser) {
        var query = OauthBrowser.encode(OauthBrowser.request(client.id(), Map.of("scope", "read", "resource", API)));
        var cookies = "cookie: " + browser.cookies();
        var endpoint = OauthBrowser.issuerPath(project) + "/oauth/authorize?" + query;
        return new Client() {
            private String path = "";

            @Override
            public Buffer next() {
                return Client.request("GET", path.isEmpty() ? endpoint : path, cookies, "");
            }

            @Override
            public boolean accepts(String response) {
                var location = LOCATION.matcher(response);
                var isRight = Client.hasStatus(response, 303)
                        && location.find()
                        && location.group(1).contains(path.isEmpty() ? "authorization=" : "code=");
                path = isRight && path.isEmpty()
                        ? URI.create(location.group(1)).getPath() + "?"
                                + URI.create(location.group(1)).getRawQuery()
                        : "";
                return isRight;
            }
        };
    }

    /** Sends the refresh token of the previous response. */
    private static Client refreshing(TestProject project, App client, Response tokens) {
        var isPublic = client.secret().isEmpty();
        return new Client() {
            private String token = tokens.text("refresh_token");

            @Override
            public Buffer next() {
                return Client.request(
                        "POST",
                        OauthBrowser.issuerPath(project) + "/oauth/token",
                        isPublic ? FORM : client.authorization(),
                        "grant_type=refresh_token&refresh_token=" + token
                                + (isPublic ? "&client_id=" + client.id() : ""));
            }

            @Override
            public boolean accepts(String response) {
                var isRight = Client.hasStatus(response, 200) && response.contains("\"access_token\"");
                if (isRight) {
                    token = Client.field(response, "refresh_token");
                }
                return isRight;
            }
        };
    }

    private void measure(String when, MeasuredServer server, Map<String, List<Client>> clients) {
        report.line("the authorization server%s", when);
        report.header();
        var results = TURNS.measure(lines(server, clients));
        report.figure(Paths.BRANDING, ACCOUNTS, results);
        report.figure(Paths.ME, ACCOUNTS, results);
        report.figure(INTROSPECT, ACCOUNTS, results, Paths.ME, ACCOUNTS, 0.90);
        report.figure(KEY, ACCOUNTS, results, Paths.ME, ACCOUNTS, 0.90);
        report.figure(Paths.REFRESH, ACCOUNTS, results);
        for (var refresh : List.of(ES256, PUBLIC, RS256)) {
            report.figure(refresh, ACCOUNTS, results, Paths.REFRESH, ACCOUNTS, 1.0);
        }
        report.figure(AUTHORIZE, ACCOUNTS, results, Paths.REFRESH, ACCOUNTS, 1.0);
        report.p99(
                AUTHORIZE + ", " + AUTHORIZATIONS + "/s" + when,
                atRate(AUTHORIZE, server, clients),
                Paths.BRANDING,
                atRate(Paths.BRANDING, server, clients));
    }

    private Sample atRate(String path, MeasuredServer server, Map<String, List<Client>> clients) {
        var load = OpenLoad.start(vertx, server.port(), clients.getOrDefault(path, List.of()), AUTHORIZATIONS);
        return Sample.of(load, server.clock(), TURNS.settle(), TURNS.time());
    }

    private void management(MeasuredServer server, TestProject project) {
        var user = server.database()
                .sql()
                .texts("SELECT user_id::text FROM oauth_grants WHERE client_id LIKE 'https://client%' LIMIT 1")
                .get(0);
        times(
                "applications of a user",
                () -> project.manage("GET", "/v1/dashboard/users/" + user + "/grants")
                        .expect(200));
        times(
                "clients of the project",
                () -> project.asOwner("GET", "/oauth-clients").expect(200));
    }

    private void times(String what, Runnable call) {
        var histogram = new Histogram(3);
        IntStream.range(0, 2 * CALLS).forEach(number -> {
            var start = System.nanoTime();
            call.run();
            if (number >= CALLS) {
                histogram.recordValue(System.nanoTime() - start);
            }
        });
        report.line(
                "%s: median %.2f ms, p99 %.2f ms",
                what, histogram.getValueAtPercentile(50) / 1e6, histogram.getValueAtPercentile(99) / 1e6);
    }
}
