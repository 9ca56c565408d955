package dev.vestibule.authentication.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.project.ProjectId;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DecoyPasskeysTest {
    private static final MasterSecret FIRST = MasterSecret.fromSetting("the first secret of this server, long enough");
    private static final MasterSecret SECOND = MasterSecret.fromSetting("the second secret of this server, long too");
    private static final ProjectId PROJECT = ProjectId.next();

    private static DecoyPasskeys of(MasterSecret current, MasterSecret... previous) {
        return new DecoyPasskeys(new KeyedHash(new MasterKeys(current, List.of(previous)), "decoys"));
    }

    private static List<List<Buffer>> lists(int count) {
        var decoys = of(FIRST);
        return IntStream.range(0, count)
                .mapToObj(number -> decoys.of(PROJECT, "user" + number + "@example.com"))
                .toList();
    }

    @Test
    void anEmailAlwaysHasTheSameDecoysEvenWhileTheSecretIsReplaced() {
        var before = of(FIRST).of(PROJECT, "a@example.com");
        assertThat(of(FIRST).of(PROJECT, "a@example.com")).isEqualTo(before);
        assertThat(of(SECOND, FIRST).of(PROJECT, "a@example.com")).isEqualTo(before);
    }

    @Test
    void decoysCannotBeComputedWithoutTheSecret() {
        var some = of(FIRST).of(PROJECT, "a@example.com");
        assertThat(of(SECOND).of(PROJECT, "a@example.com")).isNotEqualTo(some);
        assertThat(of(FIRST).of(ProjectId.next(), "a@example.com")).isNotEqualTo(some);
        assertThat(of(FIRST).of(PROJECT, "b@example.com")).isNotEqualTo(some);
    }

    @Test
    void decoysMatchRealOnesInNumberAndLength() {
        var lists = lists(2000);
        var counts = lists.stream().collect(Collectors.groupingBy(List::size, Collectors.counting()));
        assertThat(counts).containsOnlyKeys(1, 2, 3);
        assertThat(counts.get(1)).isBetween(1100L, 1400L);
        assertThat(counts.get(3)).isBetween(150L, 350L);
        var lengths = lists.stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(Buffer::length, Collectors.counting()));
        assertThat(lengths).containsOnlyKeys(16, 20, 32, 48, 64);
    }

    @Test
    void noDecoyOccursTwice() {
        assertThat(lists(2000).stream().flatMap(List::stream)).doesNotHaveDuplicates();
    }

    @Test
    void decoysAreRecognisedOnlyInTheirProject() {
        var decoys = of(FIRST);
        lists(200).stream().flatMap(List::stream).forEach(id -> {
            assertThat(decoys.isDecoy(PROJECT, id)).isTrue();
            assertThat(of(SECOND, FIRST).isDecoy(PROJECT, id)).isTrue();
            assertThat(decoys.isDecoy(ProjectId.next(), id)).isFalse();
            assertThat(of(SECOND).isDecoy(PROJECT, id)).isFalse();
            assertThat(decoys.isDecoy(PROJECT, id.copy().setByte(id.length() - 1, (byte) ~id.getByte(id.length() - 1))))
                    .isFalse();
        });
        for (var length : List.of(0, 1, 16, 20, 32, 48, 64, 1023)) {
            assertThat(decoys.isDecoy(PROJECT, Buffer.buffer(new byte[length]))).isFalse();
        }
    }
}
