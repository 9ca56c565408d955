package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithWebhooks;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The server does not connect to stored URLs that lead to private addresses, for example because their DNS changed. */
@ExtendWith(WithServer.class)
class DeliveryTargetsIT {
    private final WithWebhooks webhooks;

    DeliveryTargetsIT(TestDatabase database) {
        this.webhooks = WithWebhooks.start(database, Map.of("VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "false"));
    }

    @AfterEach
    void stop() {
        webhooks.close();
    }

    @Test
    void nothingIsSentToPrivateAddresses() {
        var project = webhooks.server().newProject();
        var endpoints = Stream.of(
                        "127.0.0.1",
                        "localhost",
                        "localhost.",
                        "[::1]",
                        "[::ffff:127.0.0.1]",
                        "[::ffff:7f00:1]",
                        "0.0.0.0",
                        "10.0.0.1",
                        "169.254.169.254",
                        "[fd00:ec2::254]",
                        "[64:ff9b::7f00:1]")
                .map(host -> webhooks.subscribeTo(
                        project, "http://" + host + ":" + webhooks.receiver().port() + "/in"))
                .toList();

        project.signUp();

        assertThat(endpoints).allSatisfy(endpoint -> {
            webhooks.awaitDelivery(endpoint, "waiting", 1);
            assertThat(webhooks.delivery(endpoint, "error")).isEqualTo("the target is not a public address");
        });
        assertThat(webhooks.receiver().count()).isZero();
    }

    /** No resolver parses them as addresses. */
    @Test
    void oddSpellingsAreNotReadAsAddresses() {
        var project = webhooks.server().newProject();
        var endpoints = Stream.of("2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0x7f000001")
                .map(host -> webhooks.subscribeTo(
                        project, "http://" + host + ":" + webhooks.receiver().port() + "/in"))
                .toList();

        project.signUp();

        endpoints.forEach(endpoint -> webhooks.awaitDelivery(endpoint, "waiting", 1));
        assertThat(webhooks.receiver().count()).isZero();
    }
}
