package dev.vestibule.project.budget;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.RateLimitState;
import java.time.Duration;

/** A budget of which nothing is left, and how long until its next window. */
public record SpentBudget(Budget budget, Duration retryAfter) {
    public String scope() {
        return budget.scope();
    }

    /** A 429 with this message; the policy names the limit in the {@code RateLimit-Policy} header. */
    public ApiException error(ErrorCode code, String message, String policy) {
        return ApiException.tooManyRequests(
                code, message, retryAfter, new RateLimitState(policy, budget.limit(), budget.window(), 0));
    }
}
