package dev.vestibule.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.crypto.PasswordHasher.Cost;
import dev.vestibule.crypto.PasswordHasher.Outcome;
import dev.vestibule.crypto.PasswordHasher.ProjectHashes;
import dev.vestibule.crypto.PasswordHasher.VerifyResult;
import dev.vestibule.crypto.foreign.HashCost;
import dev.vestibule.crypto.foreign.HashMemory;
import dev.vestibule.crypto.foreign.Vector;
import dev.vestibule.telemetry.metrics.Meters;
import dev.vestibule.user.UserFields;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class PasswordHasherTest {
    private static final UUID PROJECT = new UUID(0, 1);
    private static final ProjectHashes POPULATION = new ProjectHashes(PROJECT, null);
    private static final Cost CHEAP = new Cost(1024, 1, 1);
    private static final Cost COSTLIER = new Cost(2048, 2, 1);

    private static final HashMemory MEMORY = new HashMemory(128 * 1024, 256 * 1024);

    private HashingPool pool;
    private PasswordHasher hasher;

    @BeforeEach
    void start(Vertx vertx) {
        pool = new HashingPool(vertx, 1, 10, MEMORY, new Meters(new SimpleMeterRegistry()));
        hasher = new PasswordHasher(pool, CHEAP);
    }

    @AfterEach
    void stop() {
        pool.close();
    }

    private static SubmittedPassword submitted(String text) {
        return UserFields.submittedPassword(text);
    }

    @Test
    void aHashIsAnArgon2idPhcStringWithItsCost() {
        assertThat(hasher.hash(PROJECT, "pässword 🔑").await()).startsWith("$argon2id$v=19$m=1024,t=1,p=1$");
    }

    @Test
    void twoHashesOfAPasswordDiffer() {
        assertThat(hasher.hash(PROJECT, "password").await())
                .isNotEqualTo(hasher.hash(PROJECT, "password").await());
    }

    @Test
    void onlyTheRightPasswordMatches() {
        var hash = hasher.hash(PROJECT, "pässword 🔑").await();
        assertThat(hasher.verify(POPULATION, hash, submitted("pässword 🔑"))
                        .await()
                        .matches())
                .isTrue();
        assertThat(hasher.verify(POPULATION, hash, submitted("pässword 🔒"))
                        .await()
                        .matches())
                .isFalse();
        assertThat(hasher.verify(POPULATION, hash, new SubmittedPassword("", ""))
                        .await()
                        .matches())
                .isFalse();
        assertThat(hasher.verify(POPULATION, hash, submitted("password 🔑"))
                        .await()
                        .matches())
                .isFalse();
    }

    @Test
    void nothingMatchesAnUnknownAccount() {
        assertThat(hasher.verify(POPULATION, null, submitted("password"))
                        .await()
                        .matches())
                .isFalse();
        assertThat(hasher.verify(POPULATION, null, new SubmittedPassword("", ""))
                        .await()
                        .matches())
                .isFalse();
    }

    @Test
    void aHashOfAnotherCostIsReplacedAtTheFirstSuccessfulSignIn() {
        var old = hasher.hash(PROJECT, "password").await();
        var dearer = new PasswordHasher(pool, COSTLIER);

        var result = dearer.verify(POPULATION, old, submitted("password")).await();
        assertThat(result.matches()).isTrue();
        assertThat(result.newHash()).startsWith("$argon2id$v=19$m=2048,t=2,p=1$");
        assertThat(dearer.verify(POPULATION, result.newHash(), submitted("password"))
                        .await()
                        .newHash())
                .isNull();
        assertThat(dearer.verify(POPULATION, old, submitted("wrong")).await().newHash())
                .isNull();
        assertThat(hasher.verify(POPULATION, result.newHash(), submitted("password"))
                        .await()
                        .newHash())
                .startsWith("$argon2id$v=19$m=1024,t=1,p=1$");
    }

    @Test
    void aHashOfTheCurrentCostIsKept() {
        var hash = hasher.hash(PROJECT, "password").await();
        assertThat(hasher.verify(POPULATION, hash, submitted("password"))
                        .await()
                        .newHash())
                .isNull();
    }

    static List<Vector> vectors() {
        return Vector.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void aHashOfAnotherSystemIsReplacedAtTheFirstSuccessfulSignIn(Vector vector) {
        assertThat(hasher.verify(POPULATION, vector.hash(), submitted("wrong")).await())
                .isEqualTo(VerifyResult.WRONG);

        var result = hasher.verify(POPULATION, vector.hash(), submitted(vector.password()))
                .await();
        assertThat(result.matches()).isTrue();
        assertThat(result.newHash()).startsWith("$argon2id$v=19$m=1024,t=1,p=1$");
        assertThat(hasher.verify(POPULATION, result.newHash(), submitted(vector.password()))
                        .await())
                .isEqualTo(new VerifyResult(Outcome.RIGHT, null));
    }

    @Test
    void aPasswordHashedAsTypedMatchesAndIsThenHashedNormalised() {
        var typed = "of\uFB01ce key"; // with a ligature
        var imported = hasher.hash(PROJECT, typed).await(); // over the text as it stands

        var result = hasher.verify(POPULATION, imported, submitted(typed)).await();
        assertThat(result.matches()).isTrue();
        assertThat(hasher.verify(POPULATION, result.newHash(), submitted("office key"))
                        .await())
                .isEqualTo(new VerifyResult(Outcome.RIGHT, null));
        assertThat(hasher.verify(POPULATION, imported, submitted("office key"))
                        .await()
                        .matches())
                .isFalse();
    }

    /**
     * Otherwise the time would reveal which accounts were imported. A busy machine may spoil some of the measurements.
     */
    @Test
    void aCheaperHashFailsInTheSameTimeAsAnUnknownAccount() {
        var usual = new PasswordHasher(pool, new Cost(19_456, 2, 1));
        var ratios = new ArrayList<Double>();
        do {
            ratios.add(ratioToUnknown(usual, Vector.of("passlib pbkdf2_sha256").hash()));
        } while (ratios.size() < 5 && !isAboutOne(ratios.get(ratios.size() - 1)));

        assertThat(ratios).anyMatch(PasswordHasherTest::isAboutOne);
    }

    private static boolean isAboutOne(double ratio) {
        return ratio > 0.8 && ratio < 1.25;
    }

    private static double ratioToUnknown(PasswordHasher usual, String hash) {
        var imported = new ArrayList<Long>();
        var unknown = new ArrayList<Long>();
        for (int i = 0; i < 41; i++) {
            imported.add(nanosOf(
                    () -> usual.verify(POPULATION, hash, submitted("wrong")).await()));
            unknown.add(nanosOf(
                    () -> usual.verify(POPULATION, null, submitted("wrong")).await()));
        }
        return (double) median(imported) / median(unknown);
    }

    /**
     * Otherwise the time would reveal which accounts were imported. Only that no failure is too early can be tested
     * reliably.
     */
    @Test
    void everyFailureTakesAsLongAsTheCostliestImportOfTheProject() {
        var dear = new ProjectHashes(PROJECT, new HashCost("not measured yet", 100_000, HashMemory.NONE));
        var own = hasher.hash(PROJECT, "password").await();
        var cheap = Vector.of("passlib pbkdf2_sha256").hash();
        for (var hash : new String[] {null, own, cheap}) {
            assertThat(nanosOf(
                            () -> hasher.verify(dear, hash, submitted("wrong")).await()))
                    .isGreaterThan(99_000_000);
        }
        assertThat(nanosOf(() -> hasher.refuse(dear, submitted("wrong")).await()))
                .isGreaterThan(99_000_000);
        assertThat(hasher.verify(dear, own, submitted("password")).await().matches())
                .isTrue();
    }

    /** Such a hash comes from a larger node, for example, or from a project file of another server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$scrypt$ln=17,r=8,p=1$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g",
                "$argon2id$v=19$m=262144,t=1,p=1$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g",
                "$argon2id$v=19$m=1048576,t=1,p=1$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g",
                "$argon2i$v=19$m=262144,t=1,p=1$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g",
                "$scrypt$ln=17,r=32,p=1$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g"
            })
    void aHashThatNeedsMoreMemoryThanAvailableIsNotComputed(String hash, Vertx vertx) {
        var counts = new SimpleMeterRegistry();
        try (var small = new HashingPool(vertx, 1, 10, new HashMemory(64 * 1024, 128 * 1024), new Meters(counts))) {
            var result = new PasswordHasher(small, CHEAP)
                    .verify(POPULATION, hash, submitted("password"))
                    .await();
            assertThat(result).isEqualTo(VerifyResult.UNVERIFIABLE);
            assertThat(counts.get("vestibule.hashing.too.large").counter().count())
                    .isEqualTo(1);
        }
    }

    @Test
    void aProjectWithAHashThatIsTooLargeIsRecognized() {
        var largest = new HashMemory(MEMORY.heapKib() + 1, 0);
        assertThat(hasher.canVerifyAllOf(POPULATION)).isTrue();
        assertThat(hasher.canVerifyAllOf(new ProjectHashes(PROJECT, new HashCost("bcrypt 12", 1, MEMORY))))
                .isTrue();
        assertThat(hasher.canVerifyAllOf(new ProjectHashes(PROJECT, new HashCost("bcrypt 12", 1, largest))))
                .isFalse();
    }

    private static long nanosOf(Runnable work) {
        var started = System.nanoTime();
        work.run();
        return System.nanoTime() - started;
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
