package dev.vestibule.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MasterKeysTest {
    private static final MasterSecret FIRST = MasterSecret.fromSetting("the first master secret that is long enough");
    private static final MasterSecret SECOND = MasterSecret.fromSetting("the second master secret that is long enough");

    @Test
    void eachPurposeHasItsOwnKey() {
        var keys = new MasterKeys(FIRST, List.of());
        var one = keys.derive("one").get(0);
        var other = keys.derive("other").get(0);
        assertThat(one.key()).hasSize(32).isNotEqualTo(other.key());
        assertThat(one.id()).hasSize(4).isNotEqualTo(other.id());
    }

    @Test
    void theSameSecretAlwaysGivesTheSameKey() {
        var one = new MasterKeys(FIRST, List.of()).derive("purpose").get(0);
        var again = new MasterKeys(FIRST, List.of()).derive("purpose").get(0);
        assertThat(again.key()).isEqualTo(one.key());
        assertThat(again.id()).isEqualTo(one.id());
    }

    /** Computed independently of this code, so that values sealed by earlier versions always open. */
    @Test
    void aKeyIsDerivedByHkdf() {
        var key = new MasterKeys(FIRST, List.of()).derive("purpose").get(0);
        assertThat(key.id()).asHexString().isEqualToIgnoringCase("39cd14ed");
        assertThat(key.key())
                .asHexString()
                .isEqualToIgnoringCase("388a8560d2a68d39895c39c52e15d846da35f53893b9a9ba59a840cd131de55e");
    }

    @Test
    void theCurrentSecretsKeyComesFirstAndThePreviousOnesFollow() {
        var before = new MasterKeys(FIRST, List.of()).derive("purpose").get(0);
        var after = new MasterKeys(SECOND, List.of(FIRST)).derive("purpose");
        assertThat(after).hasSize(2);
        assertThat(after.get(0).key()).isNotEqualTo(before.key());
        assertThat(after.get(1).key()).isEqualTo(before.key());
    }

    @Test
    void noKeyContainsTheSecret() {
        assertThat(new String(
                        new MasterKeys(FIRST, List.of())
                                .derive("purpose")
                                .get(0)
                                .key(),
                        UTF_8))
                .doesNotContain("first");
    }
}
