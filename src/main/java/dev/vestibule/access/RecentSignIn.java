package dev.vestibule.access;

import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Set;

/**
 * Requires a recent sign in, with two factors if the account has a second one, for operations that add or remove a
 * sign-in method: an open session that a stranger finds, or a token that somebody has copied, must not be enough to
 * take over the account. The decision depends on the access token ({@code auth_time}, {@code amr}), which costs
 * nothing, and not on the session's row, which is the same for everybody who holds a token of the session. When the
 * owner reauthenticates, only the access token in that response says so: no refresh token inherits it, not even a
 * copied one. An impersonator's token has neither claim.
 */
public final class RecentSignIn {
    private static final Duration USUAL = Duration.ofMinutes(10);

    private final Clock clock;

    public RecentSignIn(Clock clock) {
        this.clock = clock;
    }

    /**
     * A 403 if the project sets a time and the caller's last sign in is older than that, or used only one factor of an
     * account that has a second one.
     */
    public void require(SignedIn caller) {
        var setting = caller.project().requireRecentSignIn();
        if (!setting.isZero()) {
            requireWithin(setting, caller);
            requireSecondFactor(caller);
        }
    }

    /** Requires it of a dashboard user, but not of a server, whose key is meant to last. */
    public void requireForDashboardUser(ApiRequest request) {
        request.signedIn().ifPresent(this::require);
    }

    /** Requires it of a dashboard user who changes anything but these fields, which give nobody access. */
    public void requireForDashboardUser(ApiRequest request, Collection<String> changed, Set<String> harmless) {
        if (!harmless.containsAll(changed)) {
            requireForDashboardUser(request);
        }
    }

    /** Checks only the time, for a request that has a code of the second factor. */
    public void requireWithCode(SignedIn caller) {
        var setting = caller.project().requireRecentSignIn();
        if (!setting.isZero()) {
            requireWithin(setting, caller);
        }
    }

    /**
     * Checks only accounts with a second factor: the request has the current password, which is a recent proof of the
     * first.
     */
    public void requireWithPassword(SignedIn caller) {
        if (caller.user().hasSecondFactor(caller.project())) {
            require(caller);
        }
    }

    /**
     * For an account without a password to check again. Applies even if the project sets no time: then it is ten
     * minutes.
     */
    public void requireInsteadOfPassword(SignedIn caller) {
        var setting = caller.project().requireRecentSignIn();
        requireWithin(setting.isZero() ? USUAL : setting, caller);
        requireSecondFactor(caller);
    }

    /** A 403 if the caller's last sign in was more than ten minutes ago, whatever the project sets. */
    public void requireAlways(SignedIn caller) {
        requireWithin(USUAL, caller);
        requireSecondFactor(caller);
    }

    private void requireWithin(Duration time, SignedIn caller) {
        var at = caller.token().authenticatedAt();
        if (at == null || at.plus(time).isBefore(clock.instant().truncatedTo(ChronoUnit.SECONDS))) {
            throw refused("This needs a recent sign in. Confirm who you are, or sign in again.");
        }
    }

    private static void requireSecondFactor(SignedIn caller) {
        if (caller.user().hasSecondFactor(caller.project()) && !caller.token().isMultiFactor()) {
            throw refused(
                    "This needs a sign in with your second factor. Confirm who you are with it, or sign in again.");
        }
    }

    private static ApiException refused(String message) {
        return ApiException.of(ErrorCode.REAUTHENTICATION_REQUIRED, message);
    }
}
