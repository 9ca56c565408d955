package dev.vestibule.mail;

import dev.vestibule.project.ProjectId;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.stream.Stream;

/**
 * A try of a code, as budgets see it.
 *
 * @param own whose budgets of a day decide whether it is allowed
 * @param ofOthers whose budget of a day it counts in too, where a known network has one of its own
 * @param shared the budgets of an hour: the client's network and the project; none if it counts in neither
 * @param isTrusted whether the project's budget does not hold it
 */
public record CodeTry(ProjectId project, List<Budget> own, List<Key> ofOthers, List<Key> shared, boolean isTrusted) {
    /** What a budget is of, as a keyed hash. */
    record Key(String scope, Buffer hash) {
        Budget perDay(int wrong) {
            return new Budget(this, wrong);
        }
    }

    /** How many wrong ones a day it allows. */
    record Budget(Key key, int perDay) {}

    List<Key> ownKeys() {
        return own.stream().map(Budget::key).toList();
    }

    List<Key> all() {
        return Stream.of(ownKeys(), ofOthers, shared).flatMap(List::stream).toList();
    }
}
