package dev.vestibule.crypto;

import java.util.List;

/**
 * A password that somebody claims to be an account's. Our hashes are over the normalised text (NFKC), those of other
 * systems over what was typed, so both spellings are tried where they differ.
 */
public record SubmittedPassword(String typed, String normalised) {
    List<String> spellings() {
        return typed.equals(normalised) ? List.of(normalised) : List.of(normalised, typed);
    }

    /** Redacted, so that a password never reaches a log. */
    @Override
    public String toString() {
        return "SubmittedPassword[…]";
    }
}
