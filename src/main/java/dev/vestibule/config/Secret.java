package dev.vestibule.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** A text that must never be printed: it shows itself only to a caller that asks by name. */
public final class Secret {
    private final String text;

    public Secret(String text) {
        this.text = text;
    }

    public String reveal() {
        return text;
    }

    public byte[] revealBytes() {
        return text.getBytes(UTF_8);
    }

    /** Takes the same time whatever the other's content, as secrets may meet what a stranger sent. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Secret secret && MessageDigest.isEqual(revealBytes(), secret.revealBytes());
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return "[redacted]";
    }
}
