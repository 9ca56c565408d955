package dev.vestibule.mail;

import dev.vestibule.error.ApiException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What came of a code, in a transaction that is to be committed.
 *
 * @param proof empty if the code was wrong
 * @param refusal what a wrong one is answered with, where that is not the usual answer: the same as anyone would get
 * @param <T> what a right code proves
 */
public record Redeemed<T>(Optional<T> proof, Optional<ApiException> refusal) {
    /** The answer to a wrong code. */
    public ApiException refusalOr(Supplier<ApiException> usual) {
        return refusal.orElseGet(usual);
    }
}
