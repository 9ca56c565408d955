package dev.vestibule.access;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.AbandonedRequest;
import dev.vestibule.http.Credentials;
import dev.vestibule.http.RequestRecord;
import dev.vestibule.project.ApiKey;
import io.vertx.ext.web.RoutingContext;

/**
 * The credentials of one request, and what checking them costs. Credentials that this node already knows cost nothing;
 * a network that has presented too many bad ones cannot have others looked up or verified.
 */
final class Attempt {
    private static final String KEY = Attempt.class.getName();

    private final Credentials credentials;
    private final BadCredentials bad;
    private final RoutingContext ctx;
    private boolean isCostly;

    private Attempt(Credentials credentials, BadCredentials bad, RoutingContext ctx) {
        this.credentials = credentials;
        this.bad = bad;
        this.ctx = ctx;
    }

    /** The request's attempt, the same for both steps of its guard. */
    static Attempt of(RoutingContext ctx, BadCredentials bad) {
        Attempt attempt = ctx.get(KEY);
        if (attempt == null) {
            attempt = new Attempt(Credentials.of(ctx), bad, ctx);
            ctx.put(KEY, attempt);
        }
        return attempt;
    }

    /** The attempt of a request that the guard has let through. */
    static Attempt of(RoutingContext ctx) {
        Attempt attempt = ctx.get(KEY);
        return attempt;
    }

    Credentials credentials() {
        return credentials;
    }

    /** Records the request's valid key for the log. */
    void recordKey(ApiKey key) {
        RequestRecord.of(ctx.request()).key(key.lastFour());
    }

    /** Whether nobody is waiting for the response any more. */
    boolean isGone() {
        return AbandonedRequest.is(ctx);
    }

    /** Must be called before the work; a 429 if the network has used up its bad attempts. */
    void beforeLookup() {
        isCostly = true;
        bad.requireTriesLeft(ctx.request());
    }

    /**
     * Must be called before the work of checking what is said to be this holder's; a 429 if too much of it was wrong.
     */
    void beforeCheckOf(String holder) {
        bad.requireTriesLeft(ctx.request(), holder);
    }

    /** Counts what was not this holder's; a 429 if it was too much. */
    void countWrongOf(String holder) {
        bad.countOrRefuse(ctx.request(), holder);
    }

    /** Counts the attempt if the credentials were invalid and finding that out took work. */
    void countIfUnauthorized(Throwable failure) {
        if (failure instanceof ApiException refused && refused.status() == ErrorStatus.UNAUTHORIZED) {
            countIfCostly();
        }
    }

    /** Counts the attempt if it took work. */
    void countIfCostly() {
        if (isCostly) {
            bad.count(ctx.request());
        }
    }
}
