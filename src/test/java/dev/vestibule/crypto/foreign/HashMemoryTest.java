package dev.vestibule.crypto.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashMemoryTest {
    @Test
    void bothKindsOfMemoryAreAddedAndCompared() {
        var small = new HashMemory(3, 40);
        var large = new HashMemory(20, 7);
        assertThat(small.plus(large)).isEqualTo(new HashMemory(23, 47));
        assertThat(small.plus(large).minus(large)).isEqualTo(small);
        assertThat(small.max(large)).isEqualTo(new HashMemory(20, 40));
        assertThat(small.atMost(large)).isEqualTo(new HashMemory(3, 7));
    }

    @ParameterizedTest
    @CsvSource({"10, 10, true", "11, 10, false", "10, 11, false", "0, 0, true"})
    void aHashFitsIfThereIsEnoughOfEachKind(long heap, long natively, boolean fits) {
        assertThat(new HashMemory(heap, natively).fitsIn(new HashMemory(10, 10)))
                .isEqualTo(fits);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, 1, 0, true",
        "0, 1, 0, 1, true",
        "1, 0, 0, 1, false",
        "0, 1, 1, 0, false",
        "0, 0, 1, 1, false",
        "1, 1, 0, 0, false",
        "1, 1, 0, 1, true",
        "1, 1, 1, 0, true"
    })
    void hashesCompeteForMemoryOfTheSameKindOnly(
            long heap, long natively, long heap2, long natively2, boolean compete) {
        assertThat(new HashMemory(heap, natively).competesWith(new HashMemory(heap2, natively2)))
                .isEqualTo(compete);
    }

    /** An hour of a core must not pass for a second, nor a gigabyte for a megabyte. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            $argon2id$v=19$m=65536,t=3,p=4$abcdefghijklmnopqrstuA$abcdefghijklmnopqrstuvwxyzabcdefghijklmnopA | 117965 | 0 | 65536
            $argon2id$v=19$m=32,t=1,p=4$abcdefghijklmnopqrstuA$abcdefghijklmnopqrstuvwxyzabcdefghijklmnopA | 20 | 0 | 32
            $2b$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW | 92160 | 0 | 0
            $scrypt$ln=14,r=8,p=2$abcdefghijklmnopqrstuA$abcdefghijklmnopqrstuvwxyzabcdefghijklmnopA | 167773 | 16390 | 0
            $pbkdf2-sha256$i=600000$abcdefghijklmnopqrstuA$abcdefghijklmnopqrstuvwxyzabcdefghijklmnopA | 480000 | 0 | 0
            """)
    void theCostOfAHashFollowsFromItsParameters(String hash, long micros, long heap, long natively) {
        var cost = ForeignHashes.parse(hash).orElseThrow().cost();
        assertThat(cost.usualMicros()).isEqualTo(micros);
        assertThat(cost.memory()).isEqualTo(new HashMemory(heap, natively));
    }

    @Test
    void theCostliestOfTwoHashesGivesTheTimeAndTheLargestTheMemory() {
        var slow = new HashCost("slow", 10, HashMemory.ofHeap(1));
        var large = new HashCost("large", 9, HashMemory.ofNative(5));
        var both = new HashCost("slow", 10, new HashMemory(1, 5));
        assertThat(slow.and(large)).isEqualTo(both);
        assertThat(large.and(slow)).isEqualTo(both);
    }
}
