package dev.vestibule.crypto.foreign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A hash that another implementation created, and its password. */
public record Vector(String madeBy, String password, String hash) {
    private static final Path FILE = Path.of("src/test/resources/hashes/foreign.tsv");

    public static List<Vector> all() {
        try {
            return Files.readAllLines(FILE).stream()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", 3))
                    .map(parts -> new Vector(parts[0], parts[1], parts[2]))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The first hash whose description begins with this text. */
    public static Vector of(String madeBy) {
        return all().stream()
                .filter(vector -> vector.madeBy().startsWith(madeBy))
                .findFirst()
                .orElseThrow();
    }
}
