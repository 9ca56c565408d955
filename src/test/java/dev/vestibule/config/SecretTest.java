package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecretTest {
    @Test
    void aSecretIsShownOnlyOnRequest() {
        Secret secret = new Secret("schlüssel");

        assertThat(secret).hasToString("[redacted]");
        assertThat(secret.reveal()).isEqualTo("schlüssel");
        assertThat(secret.revealBytes()).hasSize(10);
    }

    @Test
    void equalSecretsAreEqual() {
        assertThat(new Secret("a")).isEqualTo(new Secret("a")).hasSameHashCodeAs(new Secret("a"));
        assertThat(new Secret("a")).isNotEqualTo(new Secret("b")).isNotEqualTo("a");
    }
}
