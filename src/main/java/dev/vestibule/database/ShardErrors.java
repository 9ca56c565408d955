package dev.vestibule.database;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import java.time.Duration;

/** The 503s of requests whose project's database cannot serve them now; trying again soon may help. */
public final class ShardErrors {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private ShardErrors() {}

    public static ApiException moving() {
        return unavailable("The project moves to another database. Try again in a moment.");
    }

    /** This node's settings lack the database; those of another one may have it. */
    public static ApiException notSetUp() {
        return unavailable("The database of this project is not set up here.");
    }

    static ApiException silent() {
        return unavailable("The database of this project does not answer. Try again.");
    }

    private static ApiException unavailable(String message) {
        return ApiException.of(ErrorCode.UNAVAILABLE, message, RETRY_AFTER);
    }
}
