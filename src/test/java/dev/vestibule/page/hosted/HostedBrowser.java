package dev.vestibule.page.hosted;

import dev.vestibule.crypto.Sha256;
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
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Visits the hosted page like a browser without scripts, and redeems the returned code. */
final class HostedBrowser {
    static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    static final String CHALLENGE = Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(VERIFIER));
    static final String APP = "https://app.example.com/signed-in";

    private static final Pattern HIDDEN = Pattern.compile("type=\"hidden\" name=\"(\\w+)\" value=\"([^\"]*)\"");
    private static final Pattern ONWARD = Pattern.compile("id=\"onward\" href=\"([^\"]*)\"");

    private final HttpClient http = HttpClient.newHttpClient();
    private final TestProject project;
    private final String slug;
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private String page = "";

    HostedBrowser(TestProject project) {
        this.project = project;
        this.slug = project.asOwner("GET", "").expect(200).text("slug");
    }

    /** Lets the page return to {@link #APP}. */
    static TestProject allowing(TestProject project) {
        project.asOwner("PATCH", "").json(Map.of("callbackUrl", APP)).expect(200);
        return project;
    }

    TestProject project() {
        return project;
    }

    String path() {
        return "/p/" + slug + "/";
    }

    String requestUrl(Map<String, String> more) {
        var query = new LinkedHashMap<>(Map.of("codeChallenge", CHALLENGE, "state", "the state & more"));
        query.putAll(more);
        return project.get("/v1/auth/hosted/url?" + encode(query)).expect(200).text("url");
    }

    /** Opens the page with the application's request, which asks even a person whom the browser knows. */
    HttpResponse<String> open(Map<String, String> more) {
        var all = new LinkedHashMap<>(more);
        all.put("prompt", "login");
        return get(path() + "?" + URI.create(requestUrl(all)).getRawQuery());
    }

    HttpResponse<String> get(String pathAndQuery, String... headers) {
        return send(request(pathAndQuery, headers).GET().build());
    }

    /** Submits a form of the open page. */
    HttpResponse<String> submit(String form, Map<String, String> fields, String... headers) {
        var all = hiddenFields();
        all.putAll(fields);
        return post(form, all, headers);
    }

    /** What the forms of the open page send besides what people type. */
    Map<String, String> hiddenFields() {
        var fields = new LinkedHashMap<String, String>();
        HIDDEN.matcher(page).results().forEach(field -> fields.put(field.group(1), field.group(2)));
        return fields;
    }

    HttpResponse<String> post(String form, Map<String, String> fields, String... headers) {
        return send(request(path() + form, headers)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(encode(fields)))
                .build());
    }

    private HttpRequest.Builder request(String pathAndQuery, String... headers) {
        var request = HttpRequest.newBuilder(project.api().base().resolve(pathAndQuery));
        if (!cookies.isEmpty()) {
            request.header(
                    "Cookie",
                    cookies.entrySet().stream()
                            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                            .collect(Collectors.joining("; ")));
        }
        return headers.length == 0 ? request : request.headers(headers);
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

    void setCookie(String header) {
        var parts = header.split(";", 2)[0].split("=", 2);
        cookies.put(parts[0], parts[1]);
    }

    void forgetCookie() {
        cookies.clear();
    }

    String hidden(String name) {
        return HIDDEN.matcher(page)
                .results()
                .filter(field -> field.group(1).equals(name))
                .findFirst()
                .orElseThrow()
                .group(2);
    }

    /** Where the page leads. */
    static URI onward(HttpResponse<String> response) {
        var link = ONWARD.matcher(response.body());
        if (!link.find()) {
            throw new AssertionError(response.statusCode() + " leads nowhere: " + response.body());
        }
        return URI.create(link.group(1).replace("&amp;", "&"));
    }

    static String parameter(URI url, String name) {
        return java.util.Arrays.stream(url.getRawQuery().split("&"))
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8))
                .findFirst()
                .orElseThrow();
    }

    /** Redeems the code that the page returned. */
    Response redeem(HttpResponse<String> response, int status) {
        return redeem(Map.of("code", parameter(onward(response), "code"), "codeVerifier", VERIFIER), status);
    }

    Response redeem(Map<String, String> fields, int status) {
        return project.post("/v1/auth/hosted/callback").json(fields).expect(status);
    }

    static String encode(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }
}
