package dev.vestibule.access;

import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.error.ApiException;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Set;

/**
 * Holds what adds or removes a way into an account to a recent sign in, of two factors where the account has a second one: a
 * session that a stranger finds open, or a token that one has copied, must not be enough to take the account over. Judged by
 * what the access token says ({@code auth_time}, {@code amr}), which costs nothing, and not by the session's row, which is the
 * same for all who hold a token of it. When the owner proves once more who they are, the access token of that answer alone says
 * so: no refresh token inherits it, a copied one neither. An impersonator's token says none.
 */
public final class RecentSignIn {
    private static final Duration USUAL = Duration.ofMinutes(10);

    private final Clock clock;

    public RecentSignIn(Clock clock) {
        this.clock = clock;
    }

    /**
     * A 403 where the project sets a time and the caller last proved who they are before that, or by one factor of an account
     * that has a second one.
     */
    public void require(SignedIn caller) {
        var setting = caller.project().requireRecentSignIn();
        if (!setting.isZero()) {
            requireWithin(setting, caller);
            requireSecondFactor(caller);
        }
    }

    /** Asks a dashboard user, and not a server, whose key is for more than a while. */
    public void requireOfPerson(RoutingContext ctx) {
        Caller.signedIn(ctx).ifPresent(this::require);
    }

    /** Asks a dashboard user who changes something else than these fields, which let nobody in. */
    public void requireOfPerson(RoutingContext ctx, Collection<String> changed, Set<String> harmless) {
        if (!harmless.containsAll(changed)) {
            requireOfPerson(ctx);
        }
    }

    /** Asks for the time alone, where the request brings a code of the second factor. */
    public void requireBesideCode(SignedIn caller) {
        var setting = caller.project().requireRecentSignIn();
        if (!setting.isZero()) {
            requireWithin(setting, caller);
        }
    }

    /** Asks only where there is a second factor: the request brings the current password, a recent proof of the first. */
    public void requireBesidePassword(SignedIn caller) {
        if (caller.user().hasSecondFactor(caller.project())) {
            require(caller);
        }
    }

    /**
     * Asks an account that has no password to give once more, also where the project sets no time: then it is ten minutes.
     */
    public void requireInPlaceOfPassword(SignedIn caller) {
        var setting = caller.project().requireRecentSignIn();
        requireWithin(setting.isZero() ? USUAL : setting, caller);
        requireSecondFactor(caller);
    }

    /** A 403 where the caller last proved who they are more than ten minutes ago, whatever the project sets. */
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
            throw refused("This needs a sign in with your second factor. Confirm who you are by it, or sign in again.");
        }
    }

    private static ApiException refused(String message) {
        return ApiException.forbidden(message, "reauthentication_required");
    }
}
