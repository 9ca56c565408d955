package dev.vestibule.benchmark;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** A user with a session, and the key of the project. */
record Account(String publishableKey, String email, String accessToken, String refreshToken) {
    static List<Account> signUp(TestProject project, int count) {
        return IntStream.range(0, count)
                .parallel()
                .mapToObj(i -> of(project, project.signUp()))
                .toList();
    }

    /** From the answer of a sign up or sign in. */
    static Account of(TestProject project, Response answer) {
        return new Account(
                project.publishableKey(), answer.text("user/email"), answer.accessToken(), answer.refreshToken());
    }

    UUID session() {
        var payload = Base64.getUrlDecoder().decode(accessToken.split("\\.", 3)[1]);
        return UUID.fromString(Client.field(new String(payload, StandardCharsets.UTF_8), "sid"));
    }
}
