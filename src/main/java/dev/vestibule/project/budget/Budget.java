package dev.vestibule.project.budget;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;

/**
 * How much may be used in a window of time, which begins with the first use.
 *
 * @param limit at least 1
 */
public record Budget(Key key, int limit, Duration window) {
    /**
     * The holder of a budget.
     *
     * @param scope what kind of holder, such as a network
     * @param hash the keyed hash of the holder; empty for the whole project
     */
    public record Key(String scope, Buffer hash) {
        /** The budget of the whole project. */
        public static Key ofProject(String scope) {
            return new Key(scope, Buffer.buffer());
        }

        public Budget limitedTo(int limit, Duration window) {
            return new Budget(this, limit, window);
        }
    }

    String scope() {
        return key.scope();
    }
}
