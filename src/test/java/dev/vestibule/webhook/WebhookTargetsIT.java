package dev.vestibule.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** By default, only public addresses are valid targets. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhookTargetsIT {
    private final TestServer server;
    private final TestProject project;

    WebhookTargetsIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "false"));
        project = server.newProject();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Call tryCreate(String url) {
        return project.manage("POST", "/v1/dashboard/webhooks").json(Map.of("url", url, "events", List.of("*")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "https://127.8.9.10:8443/",
                "http://localhost/",
                "http://LOCALHOST./",
                "http://app.localhost/",
                "http://0.0.0.0/",
                "http://10.1.2.3/",
                "http://172.16.0.1/",
                "http://192.168.1.1/",
                "http://100.64.0.1/",
                "http://169.254.169.254/latest/meta-data/",
                "http://168.63.129.16/",
                "http://198.18.0.1/",
                "http://224.0.0.1/",
                "http://255.255.255.255/",
                "http://[::]/",
                "http://[::1]/",
                "http://[fe80::1]/",
                "http://[fd00:ec2::254]/",
                "http://[ff02::1]/",
                "http://[::ffff:127.0.0.1]/",
                "http://[::ffff:a9fe:a9fe]/",
                "http://[64:ff9b::7f00:1]/",
                "http://[2002:7f00:1::]/",
                "http://[2001:db8::1]/"
            })
    void aPrivateTargetIsRefused(String url) {
        assertThat(tryCreate(url).expect(422).failingFields()).containsExactly("url");
    }

    @Test
    void aPublicTargetIsAcceptedAndCannotBeChangedToAPrivateOne() {
        var id = tryCreate("https://8.8.8.8/hook").expect(201).text("id");
        tryCreate("http://[2606:4700::1111]:8080/hook").expect(201);

        var path = "/v1/dashboard/webhooks/" + id;
        assertThat(project.manage("PATCH", path)
                        .json(Map.of("url", "http://169.254.169.254/"))
                        .expect(422)
                        .failingFields())
                .containsExactly("url");
        assertThat(project.manage("GET", path).expect(200).text("url")).isEqualTo("https://8.8.8.8/hook");
    }
}
