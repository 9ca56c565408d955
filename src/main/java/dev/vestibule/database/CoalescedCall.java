package dev.vestibule.database;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call whose result is shared by all callers at nearly the same time, such as a pool that fills up. */
final class CoalescedCall<T> {
    private static final Duration FRESH = Duration.ofMillis(200);

    private final Supplier<Future<T>> question;
    private @Nullable Future<T> answer;
    private long askedNanos;

    CoalescedCall(Supplier<Future<T>> question) {
        this.question = question;
    }

    synchronized Future<T> get() {
        var last = answer;
        var isOver = last != null && last.isComplete() && System.nanoTime() - askedNanos > FRESH.toNanos();
        if (last == null || isOver) {
            askedNanos = System.nanoTime();
            last = question.get();
            answer = last;
        }
        return last;
    }
}
