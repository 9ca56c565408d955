package dev.vestibule.branding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class GetBrandingIT {
    @Test
    void aNewProjectIsBrandedWithItsName(TestServer server) {
        var branding = server.newProject().get("/v1/auth/branding").expect(200).json();

        assertThat(branding.path("brandName").asText()).isEqualTo("A project");
        assertThat(branding.fieldNames())
                .toIterable()
                .containsExactly(
                        "brandName",
                        "primaryColorStart",
                        "primaryColorEnd",
                        "lightBg",
                        "lightText",
                        "darkBg",
                        "darkText",
                        "borderRadius",
                        "showEmailPassword",
                        "showDivider",
                        "termsUrl",
                        "privacyUrl",
                        "logoDataUrl");
        assertThat(branding.path("showEmailPassword").asBoolean()).isTrue();
    }
}
