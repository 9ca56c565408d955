package dev.vestibule.authentication.factor;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.user.Account;
import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the token stands for after a sign in that one factor did not complete.
 *
 * @param passwordDigest of the password that the account had then
 * @param enrols whether the token is for setting up the second factor, and for nothing else; if not, it is for using it
 * @param methods what had been proved (RFC 8176)
 * @param connectedBy the organization whose connection had proved it; null for all other ways
 */
public record MfaChallenge(
        ApiVariant variant,
        Buffer passwordDigest,
        boolean enrols,
        List<String> methods,
        @Nullable UUID connectedBy) {
    private static final String NO_PASSWORD = "";

    public MfaChallenge {
        methods = List.copyOf(methods);
    }

    /** The stored hash is salted and slow, so a fast hash of it tells nothing more. */
    static Buffer digest(@Nullable String passwordHash) {
        return Buffer.buffer(Sha256.of(passwordHash == null ? NO_PASSWORD : passwordHash));
    }

    /** Whether the account has the password that was checked. */
    public boolean isFor(Account account) {
        return MessageDigest.isEqual(
                passwordDigest.getBytes(), digest(account.passwordHash()).getBytes());
    }
}
