package dev.vestibule.database.backup;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 and the number of rows of a table, as COPY writes it: each row is a line. */
final class Digest {
    private final MessageDigest sha256;
    private long rows;

    Digest() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    void update(byte[] bytes, int offset, int length) {
        sha256.update(bytes, offset, length);
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] == '\n') {
                rows++;
            }
        }
    }

    long rows() {
        return rows;
    }

    /** Ends the computation; call it once. */
    String sha256() {
        return HexFormat.of().formatHex(sha256.digest());
    }
}
