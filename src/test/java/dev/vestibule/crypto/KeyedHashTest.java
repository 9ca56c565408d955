package dev.vestibule.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class KeyedHashTest {
    private static final MasterSecret FIRST = MasterSecret.fromSetting("the first master secret that is long enough");
    private static final MasterSecret SECOND = MasterSecret.fromSetting("the second master secret that is long enough");
    private static final byte[] MESSAGE = "message".getBytes(UTF_8);

    private final KeyedHash hash = new KeyedHash(new MasterKeys(FIRST, List.of()), "purpose");

    @Test
    void aMessageMatchesOnlyItsOwnHash() {
        var made = hash.hash(MESSAGE);
        assertThat(made).hasSize(KeyedHash.BYTES);
        assertThat(hash.matches(MESSAGE, made)).isTrue();
        assertThat(hash.matches("massage".getBytes(UTF_8), made)).isFalse();
        made[31] ^= 1;
        assertThat(hash.matches(MESSAGE, made)).isFalse();
        assertThat(hash.matches(MESSAGE, new byte[0])).isFalse();
    }

    @Test
    void anotherPurposeOrSecretGivesAnotherHash() {
        assertThat(hash.hash(MESSAGE))
                .isNotEqualTo(new KeyedHash(new MasterKeys(FIRST, List.of()), "other").hash(MESSAGE))
                .isNotEqualTo(new KeyedHash(new MasterKeys(SECOND, List.of()), "purpose").hash(MESSAGE));
    }

    @Test
    void afterARotationOldHashesMatchAndNewOnesUseTheNewSecret() {
        var rotated = new KeyedHash(new MasterKeys(SECOND, List.of(FIRST)), "purpose");
        assertThat(rotated.matches(MESSAGE, hash.hash(MESSAGE))).isTrue();
        assertThat(hash.matches(MESSAGE, rotated.hash(MESSAGE))).isFalse();
    }
}
