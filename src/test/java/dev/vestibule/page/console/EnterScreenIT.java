package dev.vestibule.page.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An address below the console's, which leads to the screen of that name. */
@ExtendWith(WithServer.class)
class EnterScreenIT {
    private final ApiClient browser;

    EnterScreenIT(TestServer server) {
        this.browser = ApiClient.undescribed(server.api().base());
    }

    private String destination(String path) {
        return browser.get(path).expect(302).header("Location").orElseThrow();
    }

    @Test
    void anAddressLeadsToTheScreenOfThatName() {
        assertThat(destination("/console/projects")).isEqualTo("./#/projects");
        assertThat(destination("/console/projects/abc/users/")).isEqualTo("./../../../#/projects/abc/users");
        assertThat(destination("/console/%3Cscript%3E")).isEqualTo("./");
    }

    @Test
    void anAddressLeadsToTheConsoleHoweverDeepItIs() {
        assertThat(destination("/console" + "/a".repeat(1900)))
                .startsWith("./../")
                .endsWith("#" + "/a".repeat(1900));
    }
}
