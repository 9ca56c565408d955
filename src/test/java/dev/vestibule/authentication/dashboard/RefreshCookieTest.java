package dev.vestibule.authentication.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cookie's path is that of the server as browsers write it in requests. */
class RefreshCookieTest {
    @ParameterizedTest
    @CsvSource({
        "https://auth.example.com, /v1/dashboard/auth",
        "https://example.com/auth, /auth/v1/dashboard/auth",
        "https://example.com/sign%20in, /sign%20in/v1/dashboard/auth",
        "https://example.com/%C3%A9, /%C3%A9/v1/dashboard/auth",
        "https://example.com/a%3Bb, /a%3Bb/v1/dashboard/auth",
    })
    void escapesOfThePublicUrlStayEscapesInThePath(URI publicUrl, String path) {
        assertThat(new RefreshCookie(publicUrl).cleared()).contains("; Path=" + path + ";");
    }
}
