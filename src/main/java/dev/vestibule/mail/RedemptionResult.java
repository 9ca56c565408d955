package dev.vestibule.mail;

import dev.vestibule.error.ApiException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The result of checking a code, in a transaction that the caller must commit.
 *
 * @param proof empty if the code was wrong
 * @param refusal the error for a wrong code, if it is not the usual one; anyone would get the same
 * @param <T> what a right code proves
 */
public record RedemptionResult<T>(Optional<T> proof, Optional<ApiException> refusal) {
    /** The error for a wrong code. */
    public ApiException refusalOr(Supplier<ApiException> usual) {
        return refusal.orElseGet(usual);
    }
}
