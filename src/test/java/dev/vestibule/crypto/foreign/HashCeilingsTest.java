package dev.vestibule.crypto.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.vestibule.error.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashCeilingsTest {
    private static final String SALT = "abcdefghijklmnopqrstuA"; // 16 bytes
    private static final String HASH = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopA"; // 32 bytes
    private static final String BCRYPT = "$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

    private static final HashMemory MEMORY = new HashMemory(160 * 1024, 256 * 1024);

    /** The defaults of the settings. */
    private static final HashCeilings USUAL = new HashCeilings(131_072, 393_216, 8, 13, 134_217_728, 1_500_000, MEMORY);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$2b$10" + BCRYPT, // Auth0, Supabase
                "$2y$12" + BCRYPT, // PHP, Laravel
                "$2y$13" + BCRYPT, // Symfony
                "$scrypt$ln=14,r=8,p=1$" + SALT + "$" + HASH, // Firebase, Node.js
                "scrypt:32768:8:1$abcdefgh$00112233445566778899aabbccddeeff", // Werkzeug
                "scrypt$16384$abcdefgh$8$5$" + HASH, // Django
                "$scrypt$ln=17,r=8,p=1$" + SALT + "$" + HASH, // OWASP
                "$pbkdf2-sha512$i=210000$" + SALT + "$" + HASH, // Keycloak
                "$pbkdf2-sha256$i=600000$" + SALT + "$" + HASH, // OWASP
                "pbkdf2_sha256$1200000$abcdefgh$" + HASH, // Django 6
                "$argon2id$v=19$m=65536,t=3,p=4$" + SALT + "$" + HASH, // argon2-cffi, RFC 9106
                "argon2$argon2id$v=19$m=102400,t=2,p=8$" + SALT + "$" + HASH, // Django
            })
    void hashesOfOtherSystemsWithDefaultCostsAreImported(String hash) {
        assertThat(ForeignHashes.check(hash, USUAL)).isEqualTo(hash);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            $argon2id$v=19$m=262144,t=1,p=1$SALT$HASH  | Argon2 memory (m, in KiB) of at most 131072 (the server's setting imports.argon2Memory), not 262144
            $argon2id$v=19$m=131072,t=4,p=1$SALT$HASH  | Argon2 memory times passes (m t) of at most 393216 (the server's setting imports.argon2Work), not 524288
            argon2$argon2i$v=19$m=1024,t=1,p=9$SALT$HASH | Argon2 lanes (p) of at most 8 (the server's setting imports.argon2Parallelism), not 9
            $2b$14$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW | a bcrypt cost of at most 13 (the server's setting imports.bcryptCost), not 14
            $2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW | a bcrypt cost of at most 13 (the server's setting imports.bcryptCost), not 15
            scrypt:131072:8:4$abcdefgh$00112233445566778899aabbccddeeff | 128 N r p of at most 134217728 (the server's setting imports.scryptWork), not 536870912
            $pbkdf2-sha512$i=1500001$SALT$HASH | PBKDF2 iterations of at most 1500000 (the server's setting imports.pbkdf2Iterations), not 1500001
            """)
    void aCostlierHashIsRefusedWithItsParameterAndTheSetting(String hash, String message) {
        assertThatThrownBy(() -> ForeignHashes.check(hash.replace("SALT", SALT).replace("HASH", HASH), USUAL))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            $scrypt$ln=17,r=8,p=1$SALT$HASH           | need at most 65536 KiB of memory (the server's setting passwords.heapBudget), not 131077
            $argon2id$v=19$m=65536,t=3,p=4$SALT$HASH  | need at most 32768 KiB of memory (the server's setting passwords.nativeBudget), not 65536
            """)
    void aHashThatThisNodeHasNotEnoughMemoryForIsRefused(String hash, String message) {
        var small =
                new HashCeilings(131_072, 393_216, 8, 13, 134_217_728, 1_500_000, new HashMemory(64 * 1024, 32 * 1024));
        assertThatThrownBy(() -> ForeignHashes.check(hash.replace("SALT", SALT).replace("HASH", HASH), small))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(message);
    }

    /** It would occupy a hashing thread for days. */
    @Test
    void aStoredBcryptHashThatNoImportWouldAcceptMatchesNothing() {
        var hash = ForeignHashes.parse("$2b$31" + BCRYPT).orElseThrow();
        assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> assertThat(hash.matches(new byte[] {'p'})).isFalse());
    }

    @Test
    void storedHashesAboveTheCeilingStillVerify() {
        var strict = new HashCeilings(1024, 1024, 1, 4, 1, 1000, MEMORY);
        var stored = Vector.of("django pbkdf2_sha256");
        assertThatThrownBy(() -> ForeignHashes.check(stored.hash(), strict)).isInstanceOf(InvalidValueException.class);
        assertThat(ForeignHashes.parse(stored.hash())
                        .orElseThrow()
                        .matches(stored.password().getBytes(StandardCharsets.UTF_8)))
                .isTrue();
    }
}
