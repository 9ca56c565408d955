package dev.vestibule.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class ListProvidersIT {
    @Test
    void aNewProjectHasNoProviders(TestServer server) {
        assertThat(server.newProject().get("/v1/auth/providers").expect(200).json())
                .hasToString("{\"providers\":[],\"providerConfigs\":{}}");
    }
}
