package dev.vestibule.authentication.factor;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.user.Account;
import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** What the token of a sign in stands for whose password was right: which password, and for which variant's session. */
public record MfaChallenge(ApiVariant variant, Buffer passwordDigest) {
    private static final String NO_PASSWORD = "";

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
