package dev.vestibule.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.crypto.PasswordHasher.Cost;
import dev.vestibule.metrics.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PasswordHasherTest {
    private static final Cost CHEAP = new Cost(1024, 1, 1);
    private static final Cost DEARER = new Cost(2048, 2, 1);

    private final Vertx vertx = Vertx.vertx();
    private final HashingPool pool = new HashingPool(vertx, 1, 10, new Meters(new SimpleMeterRegistry()));
    private final PasswordHasher hasher = new PasswordHasher(pool, CHEAP);

    @AfterEach
    void stop() {
        pool.close();
        vertx.close().await();
    }

    @Test
    void aHashIsAnArgon2idStringThatTellsItsCost() {
        assertThat(hasher.hash("pässword 🔑").await()).startsWith("$argon2id$v=19$m=1024,t=1,p=1$");
    }

    @Test
    void onePasswordHasManyHashes() {
        assertThat(hasher.hash("password").await())
                .isNotEqualTo(hasher.hash("password").await());
    }

    @Test
    void onlyTheRightPasswordMatches() {
        var hash = hasher.hash("pässword 🔑").await();
        assertThat(hasher.verify(hash, "pässword 🔑").await().matches()).isTrue();
        assertThat(hasher.verify(hash, "pässword 🔒").await().matches()).isFalse();
        assertThat(hasher.verify(hash, "").await().matches()).isFalse();
        assertThat(hasher.verify(hash, "password 🔑").await().matches()).isFalse();
    }

    @Test
    void nothingMatchesAnAccountThatIsNotThere() {
        assertThat(hasher.verify(null, "password").await().matches()).isFalse();
        assertThat(hasher.verify(null, "").await().matches()).isFalse();
    }

    @Test
    void aHashOfAnotherCostIsRenewedOnceThePasswordIsKnownToBeRight() {
        var old = hasher.hash("password").await();
        var dearer = new PasswordHasher(pool, DEARER);

        var verdict = dearer.verify(old, "password").await();
        assertThat(verdict.matches()).isTrue();
        assertThat(verdict.rehashed()).startsWith("$argon2id$v=19$m=2048,t=2,p=1$");
        assertThat(dearer.verify(verdict.rehashed(), "password").await().rehashed())
                .isNull();
        assertThat(dearer.verify(old, "wrong").await().rehashed()).isNull();
    }

    @Test
    void aHashOfTodaysCostStays() {
        var hash = hasher.hash("password").await();
        assertThat(hasher.verify(hash, "password").await().rehashed()).isNull();
    }
}
