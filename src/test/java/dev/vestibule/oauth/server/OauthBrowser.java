package dev.vestibule.oauth.server;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser without scripts that a client sends to the authorization server, and the client's own requests. */
final class OauthBrowser {
    static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    static final String CHALLENGE = Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(VERIFIER));
    static final String APP = "https://app.example.com/callback";

    private static final Pattern HIDDEN = Pattern.compile("type=\"hidden\" name=\"(\\w+)\" value=\"([^\"]*)\"");
    private static final Pattern ONWARD = Pattern.compile("id=\"onward\" href=\"([^\"]*)\"");

    private final HttpClient http = HttpClient.newHttpClient();
    private final TestProject project;
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private String page = "";
    private URI at;

    OauthBrowser(TestProject project) {
        this.project = project;
        this.at = project.api().base();
    }

    /** A registered client: its {@code clientId}, and its {@code clientSecret} if it has one. */
    static Response register(TestProject project, String kind, Map<String, ?> more) {
        var fields = new LinkedHashMap<String, Object>(Map.of("kind", kind, "name", "Shop"));
        if (!kind.equals("service") && !kind.equals("api")) {
            fields.put("redirectUris", java.util.List.of(APP));
        }
        fields.putAll(more);
        return project.asOwner("POST", "/oauth-clients").json(fields).expect(201);
    }

    static String issuerPath(TestProject project) {
        return "/v1/projects/" + project.id();
    }

    /** The usual request of the client, with these parameters; an empty one is left out. */
    static Map<String, String> request(String client, Map<String, String> more) {
        var all = new LinkedHashMap<String, String>();
        all.put("client_id", client);
        all.put("redirect_uri", APP);
        all.put("response_type", "code");
        all.put("scope", "openid email");
        all.put("state", "a state & more");
        all.put("code_challenge", CHALLENGE);
        all.put("code_challenge_method", "S256");
        all.putAll(more);
        all.values().removeIf(String::isEmpty);
        return all;
    }

    /** Begins an authorization, and follows redirects within the server. */
    HttpResponse<String> authorize(String client, Map<String, String> more) {
        return authorize(encode(request(client, more)));
    }

    HttpResponse<String> authorize(String query) {
        return follow(get(issuerPath(project) + "/oauth/authorize?" + query));
    }

    HttpResponse<String> get(String path) {
        at = project.api().base().resolve(path);
        return send(request().GET().build());
    }

    HttpResponse<String> follow(HttpResponse<String> response) {
        var next = response;
        for (var i = 0; i < 5 && next.statusCode() == 303; i++) {
            var location = next.headers().firstValue("Location").orElseThrow();
            var path = URI.create(location);
            if (!location.contains("/p/")) {
                return next;
            }
            next = get(path.getRawPath() + "?" + path.getRawQuery());
        }
        return next;
    }

    /** Submits a form of the open page. */
    HttpResponse<String> submit(String form, Map<String, String> fields) {
        var all = new LinkedHashMap<String, String>();
        HIDDEN.matcher(page).results().forEach(field -> all.put(field.group(1), field.group(2)));
        all.putAll(fields);
        at = at.resolve(form);
        return send(request()
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(encode(all)))
                .build());
    }

    HttpResponse<String> signIn(String email) {
        return submit("sign-in", Map.of("email", email, "password", TestProject.PASSWORD));
    }

    /** The code that the browser brings to the client. */
    String code(String client, String email, Map<String, String> more) {
        authorize(client, more);
        return parameter(onward(signIn(email)), "code");
    }

    private HttpRequest.Builder request() {
        var request = HttpRequest.newBuilder(at);
        if (!cookies.isEmpty()) {
            request.header(
                    "Cookie",
                    cookies.entrySet().stream()
                            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                            .collect(Collectors.joining("; ")));
        }
        return request;
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            var response = http.send(request, BodyHandlers.ofString());
            response.headers().allValues("Set-Cookie").forEach(this::setCookie);
            page = response.body();
            return response;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private void setCookie(String header) {
        var parts = header.split(";", 2)[0].split("=", 2);
        cookies.put(parts[0], parts[1]);
    }

    String cookie(String nameBegin) {
        return cookies.entrySet().stream()
                .filter(cookie -> cookie.getKey().startsWith(nameBegin))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    void putCookie(String name, String value) {
        cookies.put(name, value);
    }

    String page() {
        return page;
    }

    /** Where the page, or the redirect, leads. */
    static URI onward(HttpResponse<String> response) {
        var location = response.headers().firstValue("Location");
        if (location.isPresent()) {
            return URI.create(location.get());
        }
        var link = ONWARD.matcher(response.body());
        if (!link.find()) {
            throw new AssertionError(response.statusCode() + " leads nowhere: " + response.body());
        }
        return URI.create(link.group(1).replace("&amp;", "&"));
    }

    static String parameter(URI url, String name) {
        return Arrays.stream(url.getRawQuery().split("&"))
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8))
                .findFirst()
                .orElse("");
    }

    /** The token endpoint's answer to a code. */
    static Response redeem(TestProject project, String client, String code, int status) {
        return token(
                project,
                Map.of(
                        "grant_type",
                        "authorization_code",
                        "client_id",
                        client,
                        "code",
                        code,
                        "redirect_uri",
                        APP,
                        "code_verifier",
                        VERIFIER),
                status);
    }

    static Response token(TestProject project, Map<String, String> form, int status) {
        return post(project, "/oauth/token", form, status);
    }

    static Call call(TestProject project, Map<String, String> form) {
        return project.api()
                .post(issuerPath(project) + "/oauth/token")
                .raw("application/x-www-form-urlencoded", encode(form));
    }

    static Response post(TestProject project, String path, Map<String, String> form, int status) {
        return project.api()
                .post(issuerPath(project) + path)
                .raw("application/x-www-form-urlencoded", encode(form))
                .expect(status);
    }

    static Response userinfo(TestProject project, String accessToken, int status) {
        return project.api()
                .get(issuerPath(project) + "/oauth/userinfo")
                .bearer(accessToken)
                .expect(status);
    }

    static String encode(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }
}
