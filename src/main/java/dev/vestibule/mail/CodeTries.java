package dev.vestibule.mail;

import dev.vestibule.mail.CodeStore.SentCode;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The codes of six digits that an address has, and the tries of each with the current one: five for everyone, and where
 * a known network asked for it, five for those networks.
 */
record CodeTries(Optional<SentCode> ofAnyone, Optional<SentCode> ofKnownNetworks, boolean isByKnown) {
    private static final int MAX_TRIES = 5;

    static CodeTries of(List<SentCode> found, boolean isByKnownNetwork) {
        return new CodeTries(
                found.stream()
                        .filter(Predicate.not(SentCode::isOfKnownNetworks))
                        .findFirst(),
                found.stream().filter(SentCode::isOfKnownNetworks).findFirst(),
                isByKnownNetwork);
    }

    /**
     * The codes that have tries left. Strangers may use a code that a known network asked for, as long as their tries
     * count.
     */
    List<SentCode> open() {
        return Stream.concat(
                        ofAnyone.filter(code -> code.tries() <= MAX_TRIES).stream(),
                        ofKnownNetworks
                                .filter(code -> isByKnown ? code.tries() <= MAX_TRIES : countsForAccount())
                                .stream())
                .toList();
    }

    /** Whether a code could have been right, as far as somebody can tell who does not know whether one was sent. */
    boolean countsForAccount() {
        return ofAnyone.filter(code -> code.guesses() <= MAX_TRIES).isPresent();
    }

    /** Whether the try counts in the budget of its network. */
    boolean countsForKnownNetwork() {
        return isByKnown && !open().isEmpty();
    }
}
