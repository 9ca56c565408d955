package dev.vestibule.authentication.factor;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the token stands for after a sign in that one factor did not complete.
 *
 * @param accountDigest of the password, email and phone that the account had then
 * @param enrols whether the token is for setting up the second factor, and for nothing else; if not, it is for using it
 * @param methods what had been proved (RFC 8176)
 * @param connectedBy the organization whose connection had proved it; null for all other ways
 */
public record MfaChallenge(
        ApiVariant variant,
        Buffer accountDigest,
        boolean enrols,
        List<String> methods,
        @Nullable UUID connectedBy) {
    public MfaChallenge {
        methods = List.copyOf(methods);
    }

    /** The stored hash is salted and slow, so a fast hash of it tells nothing more. */
    static Buffer digest(User user, @Nullable String passwordHash) {
        var parts =
                Stream.of(passwordHash, user.email(), user.phone()).map(part -> Objects.requireNonNullElse(part, ""));
        return Buffer.buffer(Sha256.of(parts.collect(Collectors.joining("\n"))));
    }

    /** Whether the account has the password that was checked, and the email and phone that were proved. */
    public boolean isFor(Account account) {
        return MessageDigest.isEqual(
                accountDigest.getBytes(),
                digest(account.user(), account.passwordHash()).getBytes());
    }
}
