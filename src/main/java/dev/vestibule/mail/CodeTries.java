package dev.vestibule.mail;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The codes of six digits that an address has, and the tries of each with the current one: five for everyone, and where a
 * known network asked for it, five for those networks.
 *
 * @param <T> a code
 */
record CodeTries<T>(Optional<T> ofAnyone, Optional<T> ofKnownNetworks, Function<T, Count> counts, boolean isByKnown) {
    private static final int MAX_TRIES = 5;

    /** In which row, how often the code was tried, and how often a code was since a mail was asked for. */
    record Count(boolean isOfKnownNetworks, int tries, int guesses) {}

    static <T> CodeTries<T> of(List<T> found, Function<T, Count> counts, boolean isByKnownNetwork) {
        return new CodeTries<>(
                found.stream()
                        .filter(code -> !counts.apply(code).isOfKnownNetworks())
                        .findFirst(),
                found.stream()
                        .filter(code -> counts.apply(code).isOfKnownNetworks())
                        .findFirst(),
                counts,
                isByKnownNetwork);
    }

    /** Those that have tries left. Strangers may use a code that a known network asked for, as long as their tries count. */
    List<T> open() {
        return Stream.concat(
                        ofAnyone.filter(code -> counts.apply(code).tries() <= MAX_TRIES).stream(),
                        ofKnownNetworks
                                .filter(code ->
                                        isByKnown ? counts.apply(code).tries() <= MAX_TRIES : countsForAccount())
                                .stream())
                .toList();
    }

    /** Whether a code could have been right, as far as one can tell who does not know if one was sent. */
    boolean countsForAccount() {
        return ofAnyone.filter(code -> counts.apply(code).guesses() <= MAX_TRIES)
                .isPresent();
    }

    /** Whether the try counts in the budget of its network. */
    boolean countsForKnownNetwork() {
        return isByKnown && !open().isEmpty();
    }
}
