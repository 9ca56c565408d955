package dev.vestibule.project.budget;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The budgets of one kind. Where limits are switched off, nothing is counted and nothing is ever spent. */
public final class Budgets {
    private static final Duration ALMOST_NOW = Duration.ofSeconds(1);

    private final BudgetStore store = new BudgetStore();
    private final BudgetKind kind;
    private final LimitSettings limits;
    private final Clock clock;

    public Budgets(BudgetKind kind, LimitSettings limits, Clock clock) {
        this.kind = kind;
        this.limits = limits;
        this.clock = clock;
    }

    /**
     * The result of a use.
     *
     * @param uses of each budget with this use; empty where it was refused
     * @param refusal the first of the budgets that is spent
     */
    public record Result(List<BudgetUse> uses, Optional<SpentBudget> refusal) {
        static final Result UNLIMITED = new Result(List.of(), Optional.empty());
    }

    /**
     * Uses one of each of these budgets; none of them if one is spent. Rows are locked in the order of the list, which
     * must be the same for all callers.
     */
    public Future<Result> use(SqlClient db, ProjectId project, List<Budget> budgets) {
        if (!limits.enabled()) {
            return Future.succeededFuture(Result.UNLIMITED);
        }
        var now = clock.instant();
        return store.use(db, project, kind, budgets, now)
                .compose(uses -> uses.size() == budgets.size()
                        ? Future.succeededFuture(new Result(uses, Optional.empty()))
                        : refused(db, project, budgets, uses, now));
    }

    /**
     * A use that is refused because of a simultaneous one may have been counted in budgets that are not spent, so they
     * get it back.
     */
    private Future<Result> refused(
            SqlClient db, ProjectId project, List<Budget> budgets, List<BudgetUse> uses, Instant now) {
        var used = uses.stream().map(BudgetUse::scope).toList();
        var counted = keys(
                budgets.stream().filter(budget -> used.contains(budget.scope())).toList());
        var notCounted = budgets.stream()
                .filter(budget -> !used.contains(budget.scope()))
                .toList();
        return (counted.isEmpty() ? Future.<Void>succeededFuture() : store.giveBack(db, project, kind, counted))
                .compose(given -> find(db, project, keys(notCounted)))
                .map(found -> new Result(List.of(), Optional.of(spent(found, notCounted, now))));
    }

    /** Counts one in each of these budgets, spent or not. Rows are locked in the order of the list. */
    public Future<Void> count(SqlClient db, ProjectId project, List<Budget> budgets) {
        var unlimited = budgets.stream()
                .map(budget -> budget.key().limitedTo(Integer.MAX_VALUE, budget.window()))
                .toList();
        return use(db, project, unlimited).mapEmpty();
    }

    /** If another window began in between, the first budget is free again at once. */
    private static SpentBudget spent(List<BudgetUse> uses, List<Budget> budgets, Instant now) {
        return firstSpent(uses, budgets, now).orElseGet(() -> new SpentBudget(budgets.get(0), ALMOST_NOW));
    }

    /** The first of these budgets of which nothing is left. */
    public Optional<SpentBudget> firstSpent(List<BudgetUse> uses, List<Budget> budgets) {
        return firstSpent(uses, budgets, clock.instant());
    }

    private static Optional<SpentBudget> firstSpent(List<BudgetUse> uses, List<Budget> budgets, Instant now) {
        return budgets.stream()
                .flatMap(budget -> uses.stream()
                        .filter(use -> use.scope().equals(budget.scope()) && use.used() >= budget.limit())
                        .map(use -> new SpentBudget(budget, Duration.between(now, use.windowEnd()))))
                .findFirst();
    }

    /** The uses in current windows; scopes must differ. A budget that was not used has none. */
    public Future<List<BudgetUse>> find(SqlClient db, ProjectId project, List<Budget.Key> keys) {
        return limits.enabled()
                ? store.find(db, project, kind, keys, clock.instant())
                : Future.succeededFuture(List.of());
    }

    /** Gives these the whole budget again. */
    public Future<Void> reset(SqlClient db, ProjectId project, List<Budget.Key> keys) {
        return store.remove(db, project, kind, keys);
    }

    /** Gives all whose hash begins like this the whole budget again. */
    public Future<Void> resetAll(SqlClient db, ProjectId project, List<String> scopes, Buffer hashPrefix) {
        return store.removeAll(db, project, kind, scopes, hashPrefix);
    }

    /** Removes the budgets of all kinds and projects whose window is over. */
    public static Future<Void> purge(Database database, Instant now) {
        return BudgetStore.OLD.remove(database, now);
    }

    private static List<Budget.Key> keys(List<Budget> budgets) {
        return budgets.stream().map(Budget::key).toList();
    }
}
