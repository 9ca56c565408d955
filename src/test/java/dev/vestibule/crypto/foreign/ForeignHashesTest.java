package dev.vestibule.crypto.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignHashesTest {
    private static final String SALT = "abcdefghijklmnopqrstuA"; // 16 bytes
    private static final String HASH = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopA"; // 32 bytes

    /** As high as the parser allows. */
    private static final HashCeilings ANY = new HashCeilings(
            262_144, 1_048_576, 16, 14, 536_870_912, 2_000_000, new HashMemory(256 * 1024, 256 * 1024));

    private static boolean matches(String hash, String password) {
        return ForeignHashes.parse(hash).orElseThrow().matches(password.getBytes(StandardCharsets.UTF_8));
    }

    static List<Vector> vectors() {
        return Vector.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void hashesOfOtherImplementationsAreVerified(Vector vector) {
        assertThat(ForeignHashes.check(vector.hash(), ANY)).isEqualTo(vector.hash());
        assertThat(matches(vector.hash(), vector.password())).isTrue();
        assertThat(matches(vector.hash(), "wrong")).isFalse();
        assertThat(matches(vector.hash(), "")).isFalse();
    }

    /** Old versions of passlib and py-bcrypt left meaningless bits after the salt. */
    @Test
    void aBcryptSaltWithStrayBitsIsRecognised() {
        assertThat(matches("$2a$05$CCCCCCCCCCCCCCCCCCCCC/E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U"))
                .isTrue();
    }

    @Test
    void bcryptCountsTheFirst72BytesOfAPassword() {
        var hash = Vector.of("bcrypt 72 bytes").hash();
        assertThat(matches(hash, "x".repeat(72))).isTrue();
        assertThat(matches(hash, "x".repeat(200))).isTrue();
        assertThat(matches(hash, "x".repeat(71))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "correct horse battery",
                "5f4dcc3b5aa765d61d8327deb882cf99",
                "{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr",
                "$1$abcdefgh$G//4keteveJp0qb8z2DxG/",
                "$6$rounds=5000$abcdefgh$abc",
                "$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
                "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe",
                "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe\u0000",
                "$argon2d$v=19$m=1024,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=16$m=1024,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$m=1024,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=01024,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=1024,t=01,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=1024,t=1,p=01$" + SALT + "$" + HASH,
                "$pbkdf2-md5$i=1000$" + SALT + "$" + HASH,
                "pbkdf2:sha256$salt$00",
                "pbkdf2_sha256$1000$salt\u0000salt$" + HASH,
                "pbkdf2:sha256:1000$salt\ud800salt$00112233445566778899aabbccddeeff",
                "scrypt:1024:8:1$salt salt$00112233445566778899aabbccddeeff",
                "scrypt$1024$salt\nsalt$8$1$" + HASH,
                "scrypt:99999999999999999999:8:1$abcdefgh$00"
            })
    void anUnknownFormatIsRefused(String text) {
        assertThat(ForeignHashes.parse(text)).isEmpty();
        assertThatThrownBy(() -> ForeignHashes.check(text, ANY))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("bcrypt");
    }

    /** Each sign in pays for it, and anyone who knows an email can cause one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$2a$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
                "$2a$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
                "$argon2id$v=19$m=262145,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=262144,t=5,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=8,t=101,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=7,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=15,t=1,p=2$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=1024,t=0,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=1024,t=1,p=17$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=1024,t=1,p=1$AAAA$" + HASH,
                "$argon2id$v=19$m=1024,t=1,p=1$" + SALT + "$AAAA",
                "$argon2id$v=19$m=1024,t=1,p=1$AAAAA$" + HASH,
                "$argon2id$v=19$m=1024,t=1,p=1$abcdefghijklmnopqrstuB$" + HASH,
                "$scrypt$ln=9,r=8,p=1$" + SALT + "$" + HASH,
                "$scrypt$ln=18,r=8,p=1$" + SALT + "$" + HASH,
                "$scrypt$ln=17,r=9,p=1$" + SALT + "$" + HASH,
                "$scrypt$ln=17,r=8,p=5$" + SALT + "$" + HASH,
                "$scrypt$ln=10,r=33,p=1$" + SALT + "$" + HASH,
                "$scrypt$ln=10,r=0,p=1$" + SALT + "$" + HASH,
                "$scrypt$ln=10,r=8,p=17$" + SALT + "$" + HASH,
                "scrypt:1025:8:1$abcdefgh$00112233445566778899aabbccddeeff",
                "scrypt:1024:8:1$abcdefgh$00112233445566778899aabbccddeef",
                "scrypt:1024:8:1$abcdefgh$0011",
                "scrypt:1024:8:1$abcdefg$00112233445566778899aabbccddeeff",
                "$pbkdf2-sha256$i=999$" + SALT + "$" + HASH,
                "$pbkdf2-sha256$i=2000001$" + SALT + "$" + HASH,
                "$pbkdf2-sha256$i=1000$" + SALT + "$AAAA",
                "$pbkdf2-sha256$1000$" + SALT + "$" + HASH + HASH + HASH,
                "pbkdf2_sha256$1000$short$" + HASH
            })
    void aCostOutOfBoundsIsRefused(String hash) {
        assertThatThrownBy(() -> ForeignHashes.check(hash, ANY))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("must have ")
                .hasMessageNotContaining(HASH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$2a$14$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
                "$argon2id$v=19$m=262144,t=4,p=16$" + SALT + "$" + HASH,
                "$argon2i$v=19$m=8,t=100,p=1$" + SALT + "$" + HASH,
                "$scrypt$ln=17,r=8,p=1$" + SALT + "$" + HASH,
                "scrypt:131072:8:4$abcdefgh$00112233445566778899aabbccddeeff",
                "$pbkdf2-sha512$2000000$" + SALT + "$" + HASH,
                "$pbkdf2-sha1$i=1000$" + SALT + "$" + HASH
            })
    void theCostliestAndTheCheapestAllowedHashesAreAccepted(String hash) {
        assertThat(ForeignHashes.parse(hash)).isPresent();
    }
}
