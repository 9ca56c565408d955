package dev.vestibule.project.branding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What other nodes serve after a change. */
@ExtendWith(WithServer.class)
class BrandingNodesIT {
    private static final Duration KNOWN_EVERYWHERE = Duration.ofMillis(100);

    private final TestServer server;
    private final TestProject project;

    BrandingNodesIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    @Test
    void everyNodeServesAChangeWithinATenthOfASecond() {
        try (var second = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.tickMillis(ZoneOffset.UTC))) {
            var there = project.at(second);
            for (int i = 0; i < 10; i++) {
                brandNameAt(there);
                project.asOwner("PATCH", "/branding")
                        .json(Map.of("brandName", "Brand " + i))
                        .expect(200);
                project.asOwner("PUT", "/providers/google")
                        .json(Map.of("clientId", "id", "clientSecret", "s", "enabled", i % 2 == 0))
                        .expect(200);
                var answered = System.nanoTime();
                var asked = answered;
                while (!brandNameAt(there).equals("Brand " + i) || isGoogleAt(there) != (i % 2 == 0)) {
                    assertThat(Duration.ofNanos(asked - answered))
                            .as("what was asked later is answered with the change")
                            .isLessThan(KNOWN_EVERYWHERE);
                    asked = System.nanoTime();
                }
            }
        }
    }

    private static String brandNameAt(TestProject node) {
        return node.get("/v1/auth/branding").expect(200).text("brandName");
    }

    private static boolean isGoogleAt(TestProject node) {
        return node.get("/v1/auth/providers")
                .expect(200)
                .json()
                .path("providerConfigs")
                .has("google");
    }
}
