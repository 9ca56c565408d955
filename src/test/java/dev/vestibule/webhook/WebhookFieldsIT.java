package dev.vestibule.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.fixture.WithServer;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fields that creating or updating an endpoint refuses. */
@ExtendWith(WithServer.class)
class WebhookFieldsIT {
    private static final String PATH = "/v1/dashboard/webhooks";
    private static final String URL = "http://127.0.0.1:1/hook?of=ours";
    private static final String UNKNOWN = "019ba6eb-5800-73e4-9f21-6b0d84e7a915";

    private final TestServer server;
    private final TestProject project;

    WebhookFieldsIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Call tryCreate(Object url, Object events) {
        return project.manage("POST", PATH).json(Map.of("url", url, "events", events));
    }

    private TestWebhook create() {
        return TestWebhook.create(server, project, URL);
    }

    @ParameterizedTest
    @MethodSource("badUrls")
    void anInvalidUrlIsRefused(Object url) {
        assertThat(tryCreate(url, List.of("*")).expect(422).failingFields()).containsExactly("url");
        assertThat(create().call("PATCH", "")
                        .json(Map.of("url", url))
                        .expect(422)
                        .failingFields())
                .containsExactly("url");
    }

    static List<Object> badUrls() {
        return List.of(
                "",
                " ",
                "hooks",
                "/hooks",
                "//127.0.0.1/hooks",
                "ftp://127.0.0.1/hooks",
                "javascript:alert(1)",
                "file:///etc/passwd",
                "http:127.0.0.1",
                "http://",
                "http:///hooks",
                "http://user@127.0.0.1/",
                "http://user:password@127.0.0.1/",
                "http://127.0.0.1/#fragment",
                "http://127.0.0.1:0/",
                "http://127.0.0.1:65536/",
                "http://127.0.0.1:99999999999/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0177.0.0.1/",
                "http://127.1/",
                "http://127.0.0.1.:x/",
                "http://[::1/",
                "http://[::1%25lo]/",
                "http://ⓔxample.com/",
                "http://no-such-name.invalid/hooks",
                " http://127.0.0.1/",
                "http://127.0.0.1/\u0000",
                "http://127.0.0.1/\nHost: other",
                "http://127.0.0.1/\ud800",
                "http://127.0.0.1/" + "x".repeat(2048),
                1,
                1e300,
                true,
                List.of("http://127.0.0.1/"),
                Map.of());
    }

    @ParameterizedTest
    @MethodSource("badEvents")
    void eventsAreAListOfKnownKinds(Object events) {
        assertThat(tryCreate(URL, events).expect(422).failingFields()).containsExactly("events");
        assertThat(create().call("PATCH", "")
                        .json(Map.of("events", events))
                        .expect(422)
                        .failingFields())
                .containsExactly("events");
    }

    static List<Object> badEvents() {
        return List.of(
                List.of(),
                "*",
                "user.created",
                List.of("user.exploded"),
                List.of("user.created", "USER.CREATED"),
                List.of("webhook.test"),
                List.of("user.*"),
                List.of(""),
                List.of("user.created\u0000"),
                List.of("\ud800"),
                List.of(1),
                List.of(List.of("*")),
                Collections.nCopies(10_000, "*"),
                Map.of("0", "*"),
                1e300,
                true);
    }

    @Test
    void theErrorNamesTheUnknownEvent() {
        assertThat(tryCreate(URL, List.of("user.created", "user.exploded"))
                        .expect(422)
                        .text("details/0/message"))
                .startsWith("item 1 must be * or one of user.created, ")
                .endsWith("organization.invitation.accepted");
    }

    @Test
    void allErrorsAreReportedTogether() {
        for (var body : Arrays.asList(Map.of(), nulls("url", "events"))) {
            assertThat(project.manage("POST", PATH).json(body).expect(422).failingFields())
                    .containsExactly("url", "events");
        }
        var webhook = create();
        assertThat(webhook.call("PATCH", "")
                        .json(Map.of("url", "x", "events", List.of(), "status", "on"))
                        .expect(422)
                        .failingFields())
                .containsExactly("url", "events", "status");
        assertThat(webhook.call("PATCH", "")
                        .json(nulls("url", "events", "status"))
                        .expect(422)
                        .failingFields())
                .containsExactly("url", "events", "status");
    }

    private static Map<String, @Nullable Object> nulls(String... names) {
        var fields = new HashMap<String, @Nullable Object>();
        for (var name : names) {
            fields.put(name, null);
        }
        return fields;
    }

    @Test
    void aBodyThatIsNotAnObjectIsRefused() {
        for (var method : List.of("POST", "PATCH")) {
            var path = method.equals("POST") ? PATH : PATH + "/" + UNKNOWN;
            project.manage(method, path).expect(400);
            for (var body : List.of("[]", "null", "{", "{\"url\":\"a\",\"url\":\"b\"}", "\u0000")) {
                project.manage(method, path).text(body).expect(400);
            }
        }
    }
}
