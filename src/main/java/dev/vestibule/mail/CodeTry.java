package dev.vestibule.mail;

import dev.vestibule.project.ProjectId;
import dev.vestibule.project.budget.Budget;
import java.util.List;
import java.util.stream.Stream;

/**
 * A try of a code, as budgets see it.
 *
 * @param own the budgets of a day that decide whether it is allowed
 * @param ofOthers the budgets of a day that it counts in too, where a known network has one of its own
 * @param shared the budgets of an hour: the client's network and the project; none if it counts in neither
 * @param isTrusted whether the project's budget does not hold it
 */
public record CodeTry(
        ProjectId project, List<Budget> own, List<Budget> ofOthers, List<Budget> shared, boolean isTrusted) {
    List<Budget.Key> keys() {
        return Stream.of(own, ofOthers, shared)
                .flatMap(List::stream)
                .map(Budget::key)
                .toList();
    }
}
