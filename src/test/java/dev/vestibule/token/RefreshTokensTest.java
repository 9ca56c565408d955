package dev.vestibule.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefreshTokensTest {
    private static final RefreshToken TOKEN = new RefreshToken(ProjectId.next(), SessionId.next(), 7);

    private final RefreshTokens tokens = tokens("a master secret that is long enough to be one");

    @Test
    void aWrittenTokenCanBeRead() {
        assertThat(tokens.write(TOKEN)).startsWith("rt_").matches("[A-Za-z0-9_-]+");
        assertThat(tokens.read(tokens.write(TOKEN))).hasValue(TOKEN);
    }

    @Test
    void oneGenerationAlwaysHasTheSameText() {
        assertThat(tokens.write(TOKEN)).isEqualTo(tokens.write(TOKEN));
        assertThat(tokens.write(new RefreshToken(TOKEN.project(), TOKEN.session(), 8)))
                .isNotEqualTo(tokens.write(TOKEN));
    }

    @Test
    void noOtherTextIsAccepted() {
        var text = tokens.write(TOKEN);
        for (int i = 3; i < text.length(); i++) {
            var other = text.charAt(i) == 'A' ? 'B' : 'A';
            var changed = text.substring(0, i) + other + text.substring(i + 1);
            assertThat(tokens.read(changed)).as("character %d changed", i).isEmpty();
        }
    }

    @Test
    void aTokenUnderAnotherSecretIsInvalid() {
        assertThat(tokens("another master secret that is long enough").read(tokens.write(TOKEN)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "rt_", "rt_short", "not one at all", "rt_\u0000"})
    void garbageIsNotAToken(String text) {
        assertThat(tokens.read(text)).isEmpty();
        assertThat(tokens.read("rt_" + "!".repeat(tokens.write(TOKEN).length() - 3)))
                .isEmpty();
        assertThat(tokens.read(tokens.write(TOKEN) + "A")).isEmpty();
        assertThat(tokens.read(tokens.write(TOKEN).substring(1))).isEmpty();
    }

    private static RefreshTokens tokens(String secret) {
        return new RefreshTokens(
                new KeyedHash(new MasterKeys(MasterSecret.fromSetting(secret), List.of()), "refresh tokens"));
    }
}
