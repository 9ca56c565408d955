package dev.vestibule.user.password;

import dev.vestibule.json.UnicodeText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/** The bundled list of the most common passwords, searched in its stored form. */
public final class CommonPasswords {
    private static final String RESOURCE = "/passwords/common.txt.gz";
    private static final byte LINE_END = '\n';

    private final byte[] sortedLines;

    private CommonPasswords(byte[] sortedLines) {
        this.sortedLines = sortedLines;
    }

    /** Reads a file of 130 KB, once, when the server starts. */
    public static CommonPasswords load() {
        try (var packed = Objects.requireNonNull(CommonPasswords.class.getResourceAsStream(RESOURCE), RESOURCE);
                var lines = new GZIPInputStream(packed)) {
            return new CommonPasswords(lines.readAllBytes());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ignores the case; the password must be NFKC-normalised. */
    boolean contains(String password) {
        var wanted = UnicodeText.lower(password).getBytes(StandardCharsets.UTF_8);
        var low = 0;
        var high = sortedLines.length; // both are where a line begins
        while (low < high) {
            var begin = lineBegin((low + high) >>> 1);
            var end = lineEnd(begin);
            var order = Arrays.compareUnsigned(sortedLines, begin, end, wanted, 0, wanted.length);
            if (order == 0) {
                return true;
            }
            if (order < 0) {
                low = end + 1;
            } else {
                high = begin;
            }
        }
        return false;
    }

    private int lineBegin(int position) {
        var begin = position;
        while (begin > 0 && sortedLines[begin - 1] != LINE_END) {
            begin--;
        }
        return begin;
    }

    /** Every line has an end, the last one too. */
    private int lineEnd(int begin) {
        var end = begin;
        while (sortedLines[end] != LINE_END) {
            end++;
        }
        return end;
    }
}
