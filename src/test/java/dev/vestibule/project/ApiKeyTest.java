package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.database.Shard;
import dev.vestibule.project.BotSettings.CaptchaDemand;
import dev.vestibule.project.BotSettings.DisposableEmailRule;
import dev.vestibule.project.CachedProject.CachedKey;
import dev.vestibule.project.FactorSettings.MfaRequirement;
import dev.vestibule.project.FactorSettings.PasskeySettings;
import dev.vestibule.project.OrganizationSettings.OrganizationCreation;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyTest {
    private static final ProjectId PROJECT = ProjectId.next();

    @ParameterizedTest
    @CsvSource({
        "PUBLISHABLE, LIVE, pk_live_",
        "PUBLISHABLE, TEST, pk_test_",
        "SECRET, LIVE, sk_live_",
        "SECRET, TEST, sk_test_"
    })
    void aKeyHoldsItsKindEnvironmentAndProject(ApiKey.Kind kind, Environment environment, String prefix) {
        var key = ApiKey.generate(kind, environment, PROJECT);
        assertThat(key.text()).startsWith(prefix);
        assertThat(ApiKey.parse(key.text())).hasValue(key);
        assertThat(ApiKey.looksLikeKey(key.text())).isTrue();
    }

    @Test
    void everyKeyIsDifferent() {
        assertThat(generate().text()).isNotEqualTo(generate().text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"pk_live_", "pk_live_short", "xk_live_", "pk_prod_", " "})
    void aTextInAnotherFormatIsNotAKey(String start) {
        assertThat(ApiKey.parse(start)).isEmpty();
        assertThat(ApiKey.parse(generate().text() + "A")).isEmpty();
        assertThat(ApiKey.parse(start + generate().text())).isEmpty();
        for (var wrong : List.of("!", "=", "+", "/", "ä", "\u0000", "\n", "\uD83D\uDE00")) {
            assertThat(ApiKey.parse(generate().text().replaceAll(".{" + wrong.length() + "}$", wrong)))
                    .isEmpty();
        }
        assertThat(ApiKey.parse(generate().text().replace("_live_", "_LIVE_"))).isEmpty();
        assertThat(ApiKey.parse(generate().text().replace("_live_", "_prod_"))).isEmpty();
    }

    @Test
    void aProjectFindsOnlyItsOwnKeys() {
        var key = generate();
        var known = known(key, ApiKey.Kind.PUBLISHABLE);
        assertThat(known.findKey(key)).isPresent();
        assertThat(known.findKey(generate())).isEmpty();
        assertThat(known(key, ApiKey.Kind.SECRET).findKey(key)).isEmpty();
    }

    @Test
    void toStringRedactsTheKey() {
        var key = generate();
        assertThat(key.toString()).hasSizeLessThan(20).endsWith(key.lastFour());
    }

    private static ApiKey generate() {
        return ApiKey.generate(ApiKey.Kind.PUBLISHABLE, Environment.LIVE, PROJECT);
    }

    private static CachedProject known(ApiKey key, ApiKey.Kind kind) {
        var project = new Project(
                PROJECT,
                "A project",
                "a-project",
                Environment.LIVE,
                null,
                null,
                null,
                List.of(),
                null,
                Duration.ofDays(7),
                Duration.ofDays(90),
                5,
                false,
                Duration.ZERO,
                false,
                true,
                false,
                true,
                new FactorSettings(
                        true,
                        true,
                        new MfaRequirement(null),
                        true,
                        false,
                        true,
                        null,
                        new PasskeySettings(true, null, List.of()),
                        false),
                new BotSettings(CaptchaDemand.PRESSURE, CaptchaProvider.PROOF_OF_WORK, null, DisposableEmailRule.ALLOW),
                new OrganizationSettings(OrganizationCreation.USERS, 10, 100, null, new OrganizationRoles(Map.of())),
                null,
                null,
                Instant.EPOCH,
                List.of());
        return new CachedProject(
                project, Map.of(ByteBuffer.wrap(key.hash()), new CachedKey(new UUID(1, 2), kind)), Shard.HOME);
    }
}
