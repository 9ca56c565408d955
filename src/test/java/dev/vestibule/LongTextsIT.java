package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Description;
import dev.vestibule.fixture.LongTexts;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.server.Route;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Texts that fill a request, in each described field and parameter of all current and future routes, must be answered
 * quickly. A response that takes seconds blocks an event loop, and with it every project.
 */
@ExtendWith(WithServer.class)
@TakesLong("It sends texts of 64 KB of each sort in each text field of each operation.")
class LongTextsIT {
    private static final List<Route> ROUTES = AllRoutes.list();
    private static final Pattern PARAMETER = Pattern.compile(":([a-zA-Z]+)");
    private static final int OF_A_URL = 3800;
    private static final int OF_A_HEADER = 7000;
    private static final int DEEPEST = 5;

    /** The steps from a body to one of its texts; a list is entered by its first item. */
    private record Field(List<String> steps) {
        Field of(String step) {
            var all = new ArrayList<>(steps);
            all.add(step);
            return new Field(all);
        }

        /** The body that holds this text and nothing else. */
        JsonNode holding(String text) {
            JsonNode node = JsonNodeFactory.instance.textNode(text);
            for (int i = steps.size() - 1; i >= 0; i--) {
                node = steps.get(i).equals("[]")
                        ? JsonNodeFactory.instance.arrayNode().add(node)
                        : JsonNodeFactory.instance.objectNode().set(steps.get(i), node);
            }
            return node;
        }
    }

    private final RouteCalls calls;
    private final ApiClient api;

    LongTextsIT(TestServer server) {
        TestProject project = server.newProject();
        project.asOwner("PATCH", "")
                .text("{\"factors\":{\"sms\":true},\"callbackUrl\":\"https://app.example.com/in\"}")
                .expect(200);
        this.api = ApiClient.undescribed(server.api().base()); // whose own check of such texts would take longer
        this.calls = new RouteCalls(api, project, project.signUp(), server.administrator());
    }

    private static JsonNode schema(Route route, String mediaType) {
        return RouteCalls.operation(route)
                .path("requestBody")
                .path("content")
                .path(mediaType)
                .path("schema");
    }

    private static List<Field> texts(JsonNode schema) {
        var fields = new ArrayList<Field>();
        collect(schema, new Field(List.of()), fields);
        return fields.stream().distinct().toList();
    }

    private static void collect(JsonNode reference, Field at, List<Field> fields) {
        var schema = Description.get().resolve(reference);
        if (at.steps().size() > DEEPEST || schema.isMissingNode()) {
            return;
        }
        for (var kind : List.of("oneOf", "anyOf", "allOf")) {
            schema.path(kind).forEach(one -> collect(one, at, fields));
        }
        schema.path("properties")
                .properties()
                .forEach(field -> collect(field.getValue(), at.of(field.getKey()), fields));
        if (schema.has("items")) {
            collect(schema.path("items"), at.of("[]"), fields);
        }
        var type = schema.path("type").toString();
        if (type.contains("string")) {
            fields.add(at);
        } else if (type.contains("object") && !schema.has("properties")) {
            fields.add(at.of("any"));
        }
    }

    private void hold(Route route, Field field, String mediaType, String text) {
        var body = field.holding(text);
        LongTexts.isAnsweredAtOnce(
                "%s %s with %s".formatted(route.operation(), field.steps(), LongTexts.shown(text)),
                () -> calls.call(route, "")
                        .raw(mediaType, mediaType.contains("form") ? form((ObjectNode) body) : body.toString())
                        .send()
                        .status());
    }

    private static String form(ObjectNode body) {
        var field = body.properties().iterator().next();
        return field.getKey() + "=" + URLEncoder.encode(field.getValue().asText(), StandardCharsets.UTF_8);
    }

    @Test
    void aTextThatFillsABodyIsAnsweredQuickly() {
        var texts = LongTexts.ofBytes(LongTexts.OF_A_BODY);
        var shorter = LongTexts.ofBytes(LongTexts.OF_A_BODY / 3); // as a form escapes a byte in three
        var fields = 0;
        for (var route : ROUTES) {
            for (var mediaType :
                    List.of("application/json", "application/x-ndjson", "application/x-www-form-urlencoded")) {
                for (var field : texts(schema(route, mediaType))) {
                    (mediaType.contains("form") ? shorter : texts).forEach(text -> hold(route, field, mediaType, text));
                    fields++;
                }
            }
        }
        assertThat(fields).as("text fields of bodies").isGreaterThan(150);
    }

    @Test
    void aTextThatFillsAUrlIsAnsweredQuickly() {
        var texts = LongTexts.ofBytes(OF_A_URL / 3).stream()
                .map(text -> URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20"))
                .toList();
        var parameters = 0;
        for (var route : ROUTES) {
            for (var reference : RouteCalls.operation(route).path("parameters")) {
                var parameter = Description.get().resolve(reference);
                if (parameter.path("in").asText().equals("query")) {
                    texts.forEach(text -> ask(
                            route, route.path(), "?" + parameter.path("name").asText() + "=" + text));
                    parameters++;
                }
            }
            for (var parameter : PARAMETER.matcher(route.path()).results().toList()) {
                texts.forEach(text -> ask(route, route.path().replace(parameter.group(), text), ""));
                parameters++;
            }
        }
        assertThat(parameters).as("parameters").isGreaterThan(100);
    }

    private void ask(Route route, String template, String query) {
        LongTexts.isAnsweredAtOnce(
                "%s %s%s".formatted(route.method(), template, query),
                () -> calls.call(route, template, query).send().status());
    }

    @Test
    void aTextThatFillsAHeaderIsAnsweredQuickly() {
        var project = calls.project();
        for (var name : List.of(
                "x-api-key",
                "Authorization",
                "Origin",
                "Accept-Language",
                "User-Agent",
                "If-None-Match",
                "Cookie",
                "Content-Type",
                "Accept",
                "Accept-Encoding",
                "X-Request-Id",
                "X-Forwarded-For",
                "X-Forwarded-Proto",
                "Forwarded",
                "traceparent",
                "tracestate",
                "x-refresh-token",
                "Sec-Fetch-Site")) {
            for (var text : LongTexts.ofBytes(OF_A_HEADER)) {
                var ascii = text.replaceAll("[^ -~]", "~");
                LongTexts.isAnsweredAtOnce("%s: %s".formatted(name, LongTexts.shown(ascii)), () -> {
                    var call = api.post("/v1/auth/passwordless/email-otp");
                    if (!name.equals("x-api-key")) {
                        call.key(project.publishableKey());
                    }
                    if (!name.equals("Content-Type")) {
                        call.text("{\"email\":\"somebody@example.com\"}");
                    }
                    return call.header(name, name.equals("Authorization") ? "Bearer " + ascii : ascii)
                            .send()
                            .status();
                });
            }
        }
    }

    /**
     * Anybody may send one; ten of them, since a single one that is read from end to end at each character is not slow
     * yet.
     */
    @Test
    void aFormOfSeparatorsIsReadQuickly() {
        var path = "/v1/projects/%s/oauth/token".formatted(calls.project().id());
        for (var separators : List.of("&", "=", "&=", "=&", "a&", ";", "%26", "+")) {
            var form = separators.repeat(LongTexts.OF_A_BODY / separators.length());
            LongTexts.isAnsweredAtOnce(
                    "ten times " + LongTexts.shown(form),
                    () -> IntStream.range(0, 10)
                            .map(i -> api.post(path)
                                    .raw("application/x-www-form-urlencoded", form)
                                    .send()
                                    .status())
                            .max()
                            .getAsInt());
        }
    }

    /** The owner of a project chooses what everybody reads; a style can contain any character. */
    @Test
    void largeStoredTextsAreServedQuickly() {
        var project = calls.project();
        var page = "/p/" + project.asOwner("GET", "").expect(200).text("slug") + "/";
        for (var text : LongTexts.ofBytes(LongTexts.OF_A_BODY)) {
            var style = text.substring(0, Math.min(text.length(), 20_000));
            LongTexts.isAnsweredAtOnce(
                    "saving " + LongTexts.shown(style),
                    () -> project.asOwner("PATCH", "/branding")
                            .json(Map.of("customCss", style))
                            .send()
                            .status());
            for (var path : List.of(page, page + "style.css")) {
                LongTexts.isAnsweredAtOnce(
                        path + " ten times with " + LongTexts.shown(style),
                        () -> IntStream.range(0, 10)
                                .map(i -> api.get(path).send().status())
                                .max()
                                .getAsInt());
            }
        }
    }

    /** The client also chooses the names, and how deeply and how often values are nested. */
    @Test
    void aBodyOfOddShapeIsAnsweredQuickly() {
        var odd = List.of(
                "{\"" + "a".repeat(64_000) + "\":1}",
                "{\"" + "é".repeat(32_000) + "\":1}",
                "{\"" + " ".repeat(64_000) + "a\":1}",
                names(7_000),
                "{\"name\":" + "[".repeat(60_000),
                "{\"name\":" + "{\"a\":".repeat(12_000),
                "{\"name\":" + "1".repeat(60_000) + "}",
                "{\"name\":1e999999999,\"borderRadius\":1e999999999,\"signInCount\":1e-999999999}",
                "{\"projectId\":1e2147483649,\"email\":1e-2147483649}",
                "{\"createdAt\":1e999999999,\"lastSignInAt\":1e-999999999}",
                "{\"publicMetadata\":{\"" + "a".repeat(30_000) + "\":[" + "1,".repeat(16_000) + "1]}}",
                "{\"publicMetadata\":{\"a\":[" + "1e308,".repeat(9_000) + "1]}}",
                "{\"privateMetadata\":{\"a\":[" + "1e999999999,".repeat(4_000) + "1]}}",
                "{\"claims\":[" + "{\"key\":\"a\",\"value\":1e308},".repeat(2_000) + "1]}",
                "{" + "\"a\":1,".repeat(9_000) + "\"a\":1}");
        for (var route : ROUTES) {
            if (!schema(route, "application/json").isMissingNode()) {
                for (var body : odd) {
                    LongTexts.isAnsweredAtOnce(
                            route.operation() + " with " + body.substring(0, 40),
                            () -> calls.call(route, "").text(body).send().status());
                }
            }
        }
    }

    private static String names(int count) {
        var body = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < count; i++) {
            body.put("f" + i, 1);
        }
        return body.toString();
    }
}
