package dev.vestibule.crypto;

import java.util.List;

/**
 * A password that a client has submitted, not yet verified. This server hashes the normalised text (NFKC) and other
 * systems hash the text as typed, so both forms are tried if they differ.
 */
public record SubmittedPassword(String typed, String normalised) {
    List<String> forms() {
        return typed.equals(normalised) ? List.of(normalised) : List.of(normalised, typed);
    }

    /** Redacted, so that a password never reaches a log. */
    @Override
    public String toString() {
        return "SubmittedPassword[…]";
    }
}
