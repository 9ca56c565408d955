package dev.vestibule.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** A text that must never be printed; only {@link #reveal} and {@link #revealBytes} return it. */
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

    /** Compares in constant time, because the other value may come from an attacker. */
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
