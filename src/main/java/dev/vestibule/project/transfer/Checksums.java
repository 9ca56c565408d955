package dev.vestibule.project.transfer;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digest of a table's rows as the file contains them. */
final class Checksums {
    private Checksums() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
