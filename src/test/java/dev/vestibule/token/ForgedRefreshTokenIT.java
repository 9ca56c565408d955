package dev.vestibule.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Refresh tokens that the server did not issue: they are refused, and do no harm to the session whose token was
 * tampered with.
 */
@ExtendWith(WithServer.class)
class ForgedRefreshTokenIT {
    private static final String PREFIX = "rt_";
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final int BITS_OF_A_CHARACTER = 6;
    private static final int GENERATION_AT = 32;

    private final TestServer server;
    private final TestProject project;
    private final String genuine;

    ForgedRefreshTokenIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.genuine = project.signUp().refreshToken();
        server.sql()
                .update(
                        "UPDATE sessions SET variant = NULL, impersonator_id = user_id, ends_at = expires_at"
                                + " WHERE project_id = ?::uuid",
                        project.id()); // an impersonator's, which either variant takes
    }

    private void refused(String token) {
        assertThat(statuses(token)).as(token).containsOnly(401);
    }

    private List<Integer> statuses(String token) {
        var body = Map.of("refreshToken", token);
        return List.of(
                        project.refresh(token).send(),
                        project.post("/v1/auth/refresh").json(body).send(),
                        server.api().post("/v1/auth/refresh").json(body).send())
                .stream()
                .map(Response::status)
                .toList();
    }

    private void genuineIsUnharmed() {
        project.refresh(genuine).expect(200);
    }

    private byte[] bytes() {
        return Base64.getUrlDecoder().decode(genuine.substring(PREFIX.length()));
    }

    private static String token(byte[] bytes) {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Test
    void noBitOfATokenCanBeFlipped() {
        for (int i = PREFIX.length(); i < genuine.length(); i++) {
            for (int bit = 0; bit < BITS_OF_A_CHARACTER; bit++) {
                var turned = ALPHABET.charAt(ALPHABET.indexOf(genuine.charAt(i)) ^ (1 << bit));
                var forged = genuine.substring(0, i) + turned + genuine.substring(i + 1);
                assertThat(project.refresh(forged).send().status())
                        .as("bit %d of character %d", bit, i)
                        .isEqualTo(401);
            }
        }
        genuineIsUnharmed();
    }

    @Test
    void anotherProjectCannotBeSubstituted() {
        var other = server.newProject();
        var id = UUID.fromString(other.id());
        var bytes = bytes();
        ByteBuffer.wrap(bytes).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());

        refused(token(bytes));
        other.refresh(token(bytes)).expect(401);
        genuineIsUnharmed();
    }

    @Test
    void anotherSessionCannotBeSubstituted() {
        var others =
                Base64.getUrlDecoder().decode(project.signUp().refreshToken().substring(PREFIX.length()));
        var bytes = bytes();
        System.arraycopy(others, 16, bytes, 16, 16);

        refused(token(bytes));
        genuineIsUnharmed();
    }

    @Test
    void theGenerationCannotBeRaised() {
        for (int generation : new int[] {1, 2, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            var bytes = bytes();
            assertThat(ByteBuffer.wrap(bytes).getInt(GENERATION_AT)).isZero();
            ByteBuffer.wrap(bytes).putInt(GENERATION_AT, generation);

            refused(token(bytes));
        }
        genuineIsUnharmed();
    }

    @Test
    void onlyTheExactTextOfATokenIsAccepted() {
        for (var forged : List.of(
                genuine + "A",
                genuine + "=",
                genuine + " ",
                " " + genuine,
                genuine.substring(0, genuine.length() - 1),
                genuine.substring(0, genuine.length() - 4),
                genuine.substring(PREFIX.length()),
                PREFIX + genuine,
                "RT_" + genuine.substring(PREFIX.length()),
                "rt-" + genuine.substring(PREFIX.length()),
                genuine.replace('_', '/').replaceFirst("rt/", PREFIX) + "\n",
                PREFIX,
                PREFIX + "A".repeat(genuine.length() - PREFIX.length()),
                PREFIX + "!".repeat(genuine.length() - PREFIX.length()),
                PREFIX + "\ud83d\udd11".repeat(45),
                PREFIX + "A".repeat(50_000))) {
            refused(forged);
        }
        genuineIsUnharmed();
    }

    @Test
    void aTokenOfAnEndedSessionIsRefused() {
        server.sql().update("DELETE FROM sessions WHERE project_id = ?::uuid", project.id());

        refused(genuine);
    }
}
