package dev.vestibule.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SealerTest {
    private static final MasterSecret FIRST = MasterSecret.fromSetting("the first master secret that is long enough");
    private static final MasterSecret SECOND = MasterSecret.fromSetting("the second master secret that is long enough");
    private static final byte[] PLAIN = "a private key".getBytes(UTF_8);
    private static final byte[] PLACE = "its place".getBytes(UTF_8);

    private final Sealer sealer = new Sealer(new MasterKeys(FIRST, List.of()), "purpose");

    @Test
    void aSealedValueOpensInItsOwnContext() {
        assertThat(sealer.open(sealer.seal(PLAIN, PLACE), PLACE)).isEqualTo(PLAIN);
        assertThat(sealer.open(sealer.seal(new byte[0], PLACE), PLACE)).isEmpty();
    }

    @Test
    void sealingAValueTwiceGivesDifferentResults() {
        assertThat(sealer.seal(PLAIN, PLACE)).isNotEqualTo(sealer.seal(PLAIN, PLACE));
    }

    @Test
    void noPartOfTheValueIsVisible() {
        assertThat(new String(sealer.seal(PLAIN, PLACE), UTF_8)).doesNotContain("private");
    }

    @Test
    void aValueDoesNotOpenInAnotherContext() {
        var sealed = sealer.seal(PLAIN, PLACE);
        assertThatThrownBy(() -> sealer.open(sealed, "elsewhere".getBytes(UTF_8)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aValueDoesNotOpenForAnotherPurpose() {
        var other = new Sealer(new MasterKeys(FIRST, List.of()), "another purpose");
        var sealed = sealer.seal(PLAIN, PLACE);
        assertThatThrownBy(() -> other.open(sealed, PLACE)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aValueWithAnyByteChangedDoesNotOpen() {
        var sealed = sealer.seal(PLAIN, PLACE);
        for (int i = 0; i < sealed.length; i++) {
            var changed = sealed.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> sealer.open(changed, PLACE))
                    .as("byte %d changed", i)
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aTruncatedValueDoesNotOpen() {
        assertThatThrownBy(() -> sealer.open(new byte[0], PLACE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> sealer.open(new byte[] {1, 2, 3}, PLACE)).isInstanceOf(IllegalStateException.class);
        var sealed = Arrays.copyOf(sealer.seal(PLAIN, PLACE), 20);
        assertThatThrownBy(() -> sealer.open(sealed, PLACE)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void sealedValuesNameTheSecretThatSealedThem() {
        var rotated = new Sealer(new MasterKeys(SECOND, List.of(FIRST)), "purpose");

        assertThat(sealer.outdatedPrefixes()).isEmpty();
        assertThat(rotated.outdatedPrefixes())
                .singleElement()
                .satisfies(prefix -> assertThat(sealer.seal(PLAIN, PLACE)).startsWith(prefix))
                .satisfies(prefix -> assertThat(Arrays.copyOf(rotated.seal(PLAIN, PLACE), prefix.length))
                        .isNotEqualTo(prefix));
    }

    @Test
    void afterARotationOldValuesOpenAndNewOnesNeedTheNewSecret() {
        var rotated = new Sealer(new MasterKeys(SECOND, List.of(FIRST)), "purpose");
        assertThat(rotated.open(sealer.seal(PLAIN, PLACE), PLACE)).isEqualTo(PLAIN);

        var resealed = rotated.seal(PLAIN, PLACE);
        assertThat(new Sealer(new MasterKeys(SECOND, List.of()), "purpose").open(resealed, PLACE))
                .isEqualTo(PLAIN);
        assertThatThrownBy(() -> sealer.open(resealed, PLACE)).hasMessageContaining("previousSecrets");
    }
}
