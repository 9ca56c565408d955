package dev.vestibule.page.documentation;

import java.net.CookieHandler;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A person with a browser without scripts, which stores cookies and follows redirects. */
final class GuideVisitor {
    private static final Pattern HIDDEN = Pattern.compile("type=\"hidden\" name=\"(\\w+)\" value=\"([^\"]*)\"");
    private static final Pattern ONWARD = Pattern.compile("http-equiv=\"refresh\" content=\"0;url=([^\"]*)\"");

    private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

    /**
     * Stores cookies like browsers: by host, whatever the port. The JDK's own handler sends them in a form that
     * browsers do not use.
     */
    private static final class Cookies extends CookieHandler {
        private final Map<String, Map<String, String>> ofHosts = new ConcurrentHashMap<>();

        private Map<String, String> of(URI address) {
            return ofHosts.computeIfAbsent(address.getHost(), host -> new ConcurrentHashMap<>());
        }

        @Override
        public Map<String, List<String>> get(URI address, Map<String, List<String>> headers) {
            var pairs = of(address).entrySet().stream()
                    .map(pair -> pair.getKey() + "=" + pair.getValue())
                    .toList();
            return pairs.isEmpty() ? Map.of() : Map.of("Cookie", List.of(String.join("; ", pairs)));
        }

        @Override
        public void put(URI address, Map<String, List<String>> headers) {
            headers.forEach((header, values) -> {
                if ("set-cookie".equalsIgnoreCase(header)) {
                    values.forEach(value -> put(of(address), value));
                }
            });
        }

        private static void put(Map<String, String> cookies, String header) {
            var pair = header.split(";", 2)[0].split("=", 2);
            if (header.contains("Max-Age=0;")) {
                cookies.remove(pair[0]);
            } else {
                cookies.put(pair[0], pair[1]);
            }
        }
    }

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .cookieHandler(new Cookies())
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    HttpResponse<String> open(URI address) throws Exception {
        return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    }

    /** Fills in the sign-in form of the page, and submits it to the URL of the page. */
    HttpResponse<String> signIn(HttpResponse<String> page, String email, String password) throws Exception {
        var fields = new LinkedHashMap<String, String>();
        HIDDEN.matcher(page.body()).results().forEach(field -> fields.put(field.group(1), field.group(2)));
        fields.put("email", email);
        fields.put("password", password);
        var form = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        var request = HttpRequest.newBuilder(page.uri().resolve("sign-in"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Sec-Fetch-Site", "same-origin")
                .POST(BodyPublishers.ofString(form));
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** Where the page sends the browser. */
    static URI onward(HttpResponse<String> page) {
        var found = ONWARD.matcher(page.body());
        if (!found.find()) {
            throw new AssertionError(page.statusCode() + " leads nowhere: " + page.body());
        }
        return URI.create(found.group(1).replace("&amp;", "&"));
    }

    /** The URLs of the links, pictures, styles and scripts of a page. */
    static List<URI> references(HttpResponse<String> page) {
        return REFERENCE
                .matcher(page.body())
                .results()
                .map(found -> found.group(1).replace("&amp;", "&"))
                .map(reference ->
                        URI.create(page.uri().resolve(reference).toString().replaceFirst("/(?:\\.\\./)+", "/")))
                .distinct()
                .toList();
    }
}
