package dev.vestibule.mail;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.budget.Budget;
import dev.vestibule.project.budget.BudgetKind;
import dev.vestibule.project.budget.BudgetUse;
import dev.vestibule.project.budget.Budgets;
import dev.vestibule.project.budget.SpentBudget;
import dev.vestibule.session.KnownNetwork;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Bounds the wrong codes of mails, SMS and second factors, on all nodes together: for each account and day, whatever
 * codes it had, as long as a mail was requested and its tries are not used up; and for each project and hour. Beyond
 * the project's budget only a network (an IPv4 address, or a /48) without a wrong code of its own in that hour may
 * still try: so guessing stops, and no attacker keeps all users of a project from verifying.
 *
 * <p>Strangers cannot keep an owner out by using up a budget: each network that an account signed in from lately has a
 * daily budget of its own, and so has a change of email or number, where the person who guesses does so for their own
 * account and may try one code even if others have spent that of the address. By default, strangers can guess at most
 * 20 codes of one account a day, and each network from which its owner signed in another 20
 * ({@code limits.wrongCodesPerDay}). For a second factor, that network must have been used with both factors, and all
 * networks together have at most three times as many, since somebody who reads the mails can make as many networks
 * known for the password as they reset it from.
 */
public final class WrongCodeBudget {
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

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /**
     * An account has ten codes with 50 bits each: this is so many tries that nobody uses them up soon, and so few that
     * guessing a code takes a million years.
     */
    private static final int BACKUP_CODES_PER_DAY = 10_000;

    private static final int DEVICE_CODES = 5;
    private static final Duration DEVICE_CODE_LIFETIME = Duration.ofMinutes(10);

    /**
     * How many times the daily budget of one network all networks of an account together have for wrong one-time
     * passwords.
     */
    private static final int NETWORKS_OF_FACTOR = 3;

    private static final String ACCOUNT = "account";
    private static final String KNOWN_NETWORK = "known";
    private static final String ASKER = "asker";
    private static final String CHANGE = "change";
    private static final String DEVICE = "device";
    private static final String TOTP = "totp";
    private static final String ALL_TOTP = "all_totp";
    private static final String BACKUP_CODE = "backup_code";
    private static final Shared OF_MESSAGES = new Shared("network", "project");

    /** Anybody can type codes of devices, and nobody has to send any first: that must use up nothing of the others. */
    private static final Shared OF_DEVICES = new Shared("device_network", "device_project");

    /** The scopes of the budgets of an hour. */
    private record Shared(String network, String project) {}

    private final Budgets budgets;
    private final KeyedHash networkHash;
    private final KeyedHash userHash;
    private final LimitSettings limits;

    public WrongCodeBudget(MasterKeys masterKeys, LimitSettings limits, Clock clock) {
        this.networkHash = new KeyedHash(masterKeys, "networks of wrong codes");
        this.userHash = new KeyedHash(masterKeys, "users of wrong codes");
        this.budgets = new Budgets(BudgetKind.WRONG_CODES, limits, clock);
        this.limits = limits;
    }

    /**
     * A try of a code that was sent to an address or a number, from a client's network. If the account knows the
     * network, a right code passes even if strangers used up the account's tries and, where the email was proved, the
     * project's. Anyone may have created the account of an email that was not proved, and would otherwise have more
     * guesses than the project allows.
     */
    public CodeTry attempt(ProjectId project, Buffer addressHash, Buffer network, Optional<KnownNetwork> known) {
        var account = perDay(new Budget.Key(ACCOUNT, addressHash));
        var own = known.map(found ->
                        perDay(new Budget.Key(KNOWN_NETWORK, addressHash.copy().appendBuffer(found.key()))))
                .orElse(account);
        return new CodeTry(
                project,
                List.of(own),
                known.isPresent() ? List.of(account) : List.of(),
                shared(OF_MESSAGES, network),
                known.filter(KnownNetwork::isProven).isPresent());
    }

    /**
     * A try of a code that was sent for a change of email or number: counted for the user who asked, whatever the
     * address, and for the address, no matter who asks: beyond that, an asker without a wrong code of their own may
     * still try. Both are separate from the budget of the codes that verify or sign in the address's own account.
     */
    public CodeTry ofChange(ProjectId project, UserId asker, Buffer addressHash, Buffer network) {
        var own = List.of(perDay(new Budget.Key(ASKER, hash(asker))), perDay(new Budget.Key(CHANGE, addressHash)));
        return new CodeTry(project, own, List.of(), shared(OF_MESSAGES, network), false);
    }

    /** A try of a code that a device shows, in this browser: five within the lifetime of such a code. */
    public CodeTry ofDevice(ProjectId project, Buffer browserHash, Buffer network) {
        var own = new Budget.Key(DEVICE, browserHash).limitedTo(DEVICE_CODES, DEVICE_CODE_LIFETIME);
        return new CodeTry(project, List.of(own), List.of(), shared(OF_DEVICES, network), false);
    }

    /** A try of a second factor, by someone who has proved the first one; the network is one that both have let in. */
    public CodeTry ofFactor(ProjectId project, UserId user, boolean isBackupCode, Optional<KnownNetwork> known) {
        var perDay = limits.wrongCodesPerDay();
        var own = isBackupCode
                ? List.of(ofFactor(BACKUP_CODE, user, known).limitedTo(BACKUP_CODES_PER_DAY, DAY))
                : List.of(
                        perDay(ofFactor(TOTP, user, known)),
                        new Budget.Key(ALL_TOTP, hash(user)).limitedTo(NETWORKS_OF_FACTOR * perDay, DAY));
        return new CodeTry(project, own, List.of(), List.of(), false);
    }

    private Budget.Key ofFactor(String kind, UserId user, Optional<KnownNetwork> known) {
        return known.map(found -> new Budget.Key(kind, hash(user).copy().appendBuffer(found.key())))
                .orElseGet(() -> new Budget.Key(kind, hash(user)));
    }

    private List<Budget> shared(Shared scopes, Buffer network) {
        var ofNetwork = new Budget.Key(scopes.network(), Buffer.buffer(networkHash.hash(network.getBytes())));
        return Stream.of(ofNetwork, Budget.Key.ofProject(scopes.project()))
                .map(key -> key.limitedTo(limits.wrongCodesPerHour(), HOUR))
                .toList();
    }

    private Budget perDay(Budget.Key key) {
        return key.limitedTo(limits.wrongCodesPerDay(), DAY);
    }

    private Buffer hash(UserId user) {
        return Buffer.buffer(userHash.hash(user.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Fails with a 429 before the code is compared, so that even a right one tells nothing. Otherwise returns what a
     * wrong one is answered with, where it is not the usual answer: what anyone would get from there, so that a
     * neighbour does not learn whose account knows the network.
     */
    public Future<Optional<ApiException>> require(SqlClient transaction, CodeTry attempt) {
        return budgets.find(transaction, attempt.project(), attempt.keys()).map(uses -> {
            var ofProject = spentByProject(uses, attempt);
            var ofOthers = spent(uses, attempt.ofOthers()).or(() -> ofProject);
            var refusal = spentByOwn(uses, attempt)
                    .or(() -> attempt.isTrusted()
                            ? Optional.empty()
                            : attempt.ofOthers().isEmpty() ? ofOthers : ofProject);
            refusal.ifPresent(error -> {
                throw error;
            });
            return ofOthers;
        });
    }

    /** Fails as {@link #require} does; otherwise returns whether there were wrong codes before. */
    public Future<Boolean> requireOwn(SqlClient transaction, CodeTry attempt) {
        return budgets.find(transaction, attempt.project(), attempt.keys()).map(uses -> {
            spent(uses, attempt.own()).ifPresent(error -> {
                throw error;
            });
            return !uses.isEmpty();
        });
    }

    /**
     * Fails as {@link #require} does; otherwise uses one of the own tries, right or wrong, before the code is compared:
     * so simultaneous tries get no more than successive ones. A wrong code is still to be counted in the shared
     * budgets.
     */
    public Future<Void> take(SqlClient db, CodeTry attempt) {
        return require(db, attempt)
                .compose(allowed -> budgets.use(db, attempt.project(), attempt.own()))
                .map(used -> {
                    used.refusal().map(WrongCodeBudget::refusal).ifPresent(error -> {
                        throw error;
                    });
                    return null;
                });
    }

    private Optional<ApiException> spent(List<BudgetUse> uses, List<Budget> ofAttempt) {
        return budgets.firstSpent(uses, ofAttempt).map(WrongCodeBudget::refusal);
    }

    private static ApiException refusal(SpentBudget spent) {
        return spent.error(ErrorCode.TOO_MANY_WRONG_CODES, "Too many wrong codes. Try again later.", "wrong-codes");
    }

    /** Strangers must not keep the owner of an address or a number from proving it. */
    private Optional<ApiException> spentByOwn(List<BudgetUse> uses, CodeTry attempt) {
        var first = attempt.own().get(0).key().scope();
        return first.equals(ASKER) && !isUsed(uses, first) ? Optional.empty() : spent(uses, attempt.own());
    }

    /** A network without a wrong code of its own may still try. */
    private Optional<ApiException> spentByProject(List<BudgetUse> uses, CodeTry attempt) {
        var shared = attempt.shared();
        return !shared.isEmpty() && isUsed(uses, shared.get(0).key().scope())
                ? spent(uses, shared.subList(1, shared.size()))
                : Optional.empty();
    }

    private static boolean isUsed(List<BudgetUse> uses, String scope) {
        return uses.stream().anyMatch(use -> use.scope().equals(scope));
    }

    /** Counts in the own budgets only if asked to, and for the network and the project in any case. */
    public Future<Void> countWrong(SqlClient transaction, CodeTry attempt, boolean countsForOwn) {
        return countWrong(transaction, attempt, false, countsForOwn);
    }

    /** Counts for the account, and for the network if that is known, only if asked to. */
    Future<Void> countWrong(
            SqlClient transaction, CodeTry attempt, boolean countsForAccount, boolean countsForKnownNetwork) {
        var isKnown = !attempt.ofOthers().isEmpty();
        var counted = new ArrayList<Budget>();
        if (isKnown ? countsForKnownNetwork : countsForAccount || countsForKnownNetwork) {
            counted.addAll(attempt.own());
        }
        if (countsForAccount) {
            counted.addAll(attempt.ofOthers());
        }
        counted.addAll(attempt.shared());
        return counted.isEmpty() ? Future.succeededFuture() : budgets.count(transaction, attempt.project(), counted);
    }

    /** Gives the account all tries of a day again, from whatever network; networks and the project get none. */
    public Future<Void> forget(SqlClient db, ProjectId project, Buffer addressHash) {
        return budgets.resetAll(db, project, List.of(ACCOUNT, KNOWN_NETWORK, CHANGE), addressHash);
    }

    /** Gives a user's second factors all tries of a day again. */
    public Future<Void> forgetFactors(SqlClient db, ProjectId project, UserId user) {
        return budgets.resetAll(db, project, List.of(TOTP, ALL_TOTP, BACKUP_CODE), hash(user));
    }

    /**
     * Call this once a second factor was right: gives its network all tries again or, if the account does not know the
     * network, all strangers. So an owner who signs in from home every day gives new tries neither to strangers nor to
     * all networks together.
     */
    public Future<Void> forgetAfterSuccess(
            SqlClient transaction, ProjectId project, UserId user, Optional<KnownNetwork> known) {
        return budgets.reset(
                transaction, project, List.of(ofFactor(TOTP, user, known), ofFactor(BACKUP_CODE, user, known)));
    }
}
