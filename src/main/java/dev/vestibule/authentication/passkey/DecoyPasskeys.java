package dev.vestibule.authentication.passkey;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.project.ProjectId;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Credential ids for emails that have none (WebAuthn Level 3, 14.6.2): always the same ones for an email, in realistic
 * numbers and lengths, and belonging to nobody.
 */
final class DecoyPasskeys {
    /** The weights of the counts, out of 8: most people have one passkey for an account. */
    private static final int[] COUNTS = {1, 1, 1, 1, 1, 2, 2, 3};

    /**
     * The lengths that common password managers, phones, computers and security keys produce, weighted by frequency,
     * out of 16.
     */
    private static final int[] LENGTHS = {16, 16, 16, 16, 16, 20, 20, 20, 20, 20, 32, 32, 32, 32, 48, 64};

    private final KeyedHash hash;

    DecoyPasskeys(KeyedHash hash) {
        this.hash = hash;
    }

    List<Buffer> of(ProjectId project, String email) {
        var count = COUNTS[draw(project, email, "count") % COUNTS.length];
        return IntStream.range(0, count)
                .mapToObj(number -> id(project, email, number))
                .toList();
    }

    private Buffer id(ProjectId project, String email, int number) {
        var length = LENGTHS[draw(project, email, "length " + number) % LENGTHS.length];
        var begin = Arrays.copyOf(hash(project, email, "begin " + number), length / 2);
        return Buffer.buffer().appendBytes(begin).appendBytes(end(project, begin));
    }

    /**
     * Whether an id is that of a decoy, for any email. No authenticator produces one: registering a passkey with it
     * only tests whether there is another one with that id.
     */
    boolean isDecoy(ProjectId project, Buffer id) {
        var bytes = id.getBytes();
        if (IntStream.of(LENGTHS).noneMatch(length -> length == bytes.length)) {
            return false;
        }
        var half = bytes.length / 2;
        return MessageDigest.isEqual(
                end(project, Arrays.copyOf(bytes, half)), Arrays.copyOfRange(bytes, half, bytes.length));
    }

    /** The second half is a keyed hash of the first one. */
    private byte[] end(ProjectId project, byte[] begin) {
        return Arrays.copyOf(hash(project, HexFormat.of().formatHex(begin), "end"), begin.length);
    }

    private int draw(ProjectId project, String email, String what) {
        return hash(project, email, what)[0] & 0xff;
    }

    /**
     * Inputs cannot run together: the project's id has a fixed length, and neither an email nor an id in hex contains a
     * line break.
     */
    private byte[] hash(ProjectId project, String of, String what) {
        return hash.lastingHash((project + "\n" + of + "\n" + what).getBytes(StandardCharsets.UTF_8));
    }
}
