package dev.vestibule.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replays what fuzzing has started from and found, with some damage to each. */
class ParserCorpusTest {
    private static final Path CORPUS = Path.of("src/test/resources/dev/vestibule/fuzz/ParserFuzzInputs");
    private static final int DAMAGES = 20;

    private static List<byte[]> corpus(ParserTarget target) {
        try (Stream<Path> files = Files.list(CORPUS.resolve(target.method()))) {
            return files.sorted().map(ParserCorpusTest::content).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static byte[] content(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aParserKeepsItsPromiseForTheCorpus(ParserTarget target) {
        var corpus = corpus(target);
        assertThat(corpus).isNotEmpty();
        corpus.forEach(target::check);
        target.check(new byte[0]);
    }

    /** The same damage in each run. */
    @ParameterizedTest
    @EnumSource
    void aParserKeepsItsPromiseForADamagedCorpus(ParserTarget target) {
        var random = new Random(1);
        for (var input : corpus(target)) {
            for (int damage = 0; damage < DAMAGES && input.length > 0; damage++) {
                var damaged = Arrays.copyOf(input, random.nextInt(input.length) + 1);
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                target.check(damaged);
            }
        }
    }
}
