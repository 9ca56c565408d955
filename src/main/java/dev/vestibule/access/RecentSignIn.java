package dev.vestibule.access;

import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.error.ApiException;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Holds changes of how an account is reached to a recent sign in, where the project wants one: a session that a stranger
 * finds open must not be enough to take the account over. Judged by the access token's {@code auth_time}, so it costs
 * nothing; a token of an older release says none, and is refreshed within minutes.
 */
public final class RecentSignIn {
    private static final Duration IN_PLACE_OF_PASSWORD = Duration.ofMinutes(10);

    private final Clock clock;

    public RecentSignIn(Clock clock) {
        this.clock = clock;
    }

    /** A 403 where the project sets a time and the caller last proved who they are before that. */
    public void require(SignedIn caller) {
        var setting = caller.project().requireRecentSignIn();
        if (!setting.isZero()) {
            requireWithin(setting, caller);
        }
    }

    /**
     * The same for an account that has no password to give once more, also where the project sets no time: then it is ten
     * minutes.
     */
    public void requireInPlaceOfPassword(SignedIn caller) {
        var setting = caller.project().requireRecentSignIn();
        requireWithin(setting.isZero() ? IN_PLACE_OF_PASSWORD : setting, caller);
    }

    private void requireWithin(Duration time, SignedIn caller) {
        var at = caller.token().authenticatedAt();
        if (at == null || at.plus(time).isBefore(clock.instant().truncatedTo(ChronoUnit.SECONDS))) {
            throw ApiException.forbidden(
                    "This needs a recent sign in. Confirm who you are, or sign in again.", "reauthentication_required");
        }
    }
}
