package dev.vestibule.mail.sms;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.json.FieldRule;
import dev.vestibule.mail.AddressKeys;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.CodeStore;
import dev.vestibule.mail.CodeStore.Quota;
import dev.vestibule.mail.CodeStore.RequestDetails;
import dev.vestibule.mail.CodeStore.SentCode;
import dev.vestibule.mail.OutboxMessage.QueuedCode;
import dev.vestibule.mail.RedemptionResult;
import dev.vestibule.mail.WrongCodeBudget;
import dev.vestibule.mail.WrongCodeBudget.CodeTry;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.session.KnownNetworks;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One-time codes by SMS: 6 digits, for 5 tries and 10 minutes. A request does not look up an account, so neither the
 * response nor its time tells whether the number has one.
 */
public final class SmsCodes {
    static final String WAKE_UP = "vestibule.sms";
    private static final Duration MIN_INTERVAL = Duration.ofMinutes(1);

    private static final int MAX_TRIES = 5;
    private static final BigInteger CODES = BigInteger.valueOf(1_000_000);

    /**
     * The number and the purpose of a code.
     *
     * @param user who proves that the number is theirs; null for a sign in, where the code decides who signs in
     */
    public record Subject(
            ProjectId project,
            CodePurpose purpose,
            String phone,
            @Nullable UserId user) {
        public static Subject signIn(ProjectId project, String phone) {
            return new Subject(project, CodePurpose.SMS_SIGN_IN, phone, null);
        }

        public static Subject ownNumber(ProjectId project, String phone, UserId user) {
            return new Subject(project, CodePurpose.SMS_PHONE, phone, user);
        }

        @Override
        public String toString() {
            return "Subject[" + project + "]";
        }
    }

    private final CodeStore store = new CodeStore();
    private final SmsStore sms = new SmsStore();
    private final Vertx vertx;
    private final KeyedHash keyHash;
    private final KeyedHash codeSource;
    private final KeyedHash codeHash;
    private final SmsNumbers numbers;
    private final SmsBudget budget;
    private final WrongCodeBudget wrongCodes;
    private final KnownNetworks networks;
    private final boolean isOn;
    private final Clock clock;

    SmsCodes(
            Vertx vertx,
            MasterKeys masterKeys,
            SmsNumbers numbers,
            SmsBudget budget,
            LimitSettings limits,
            KnownNetworks networks,
            boolean isOn,
            Clock clock) {
        this.vertx = vertx;
        this.keyHash = new KeyedHash(masterKeys, "numbers of codes");
        this.codeSource = new KeyedHash(masterKeys, "where codes by sms come from");
        this.codeHash = new KeyedHash(masterKeys, "codes by sms");
        this.numbers = numbers;
        this.budget = budget;
        this.wrongCodes = new WrongCodeBudget(masterKeys, limits, clock);
        this.networks = networks;
        this.isOn = isOn;
        this.clock = clock;
    }

    /** Whether the server can send SMS and the project wants it. */
    public boolean isOnIn(Project project) {
        return isOn && project.factors().sms();
    }

    /** A 404 like the one for a provider that is not enabled. */
    public void requireOnIn(Project project) {
        if (!isOnIn(project)) {
            throw ApiException.of(ErrorCode.FEATURE_DISABLED, "Codes by SMS are not enabled.");
        }
    }

    /** The rule of a number that is to get a code: refuses those that none is sent to, no matter who has them. */
    public FieldRule<String> number(Project project) {
        return numbers.rule(project.defaultCountry());
    }

    /**
     * Queues an SMS with a code, and invalidates the last one; a 429 where a budget is spent. A request less than a
     * minute after the last one queues nothing, silently: its SMS is on the way. The network is the client's.
     */
    public Future<Void> request(SqlClient transaction, Subject subject, Language language, Buffer network) {
        var now = clock.instant();
        var key = key(subject);
        var asked = new CodeStore.Request(
                subject.project(),
                UuidCreator.getTimeOrderedEpoch(),
                subject.purpose(),
                subject.phone(),
                List.of(key),
                key,
                language,
                new RequestDetails(subject.user(), false, false, null));
        var quota = new Quota(now.minus(MIN_INTERVAL), now, Integer.MAX_VALUE, false);
        return store.request(transaction, asked, quota, now)
                .compose(isGranted -> isGranted
                        ? budget.take(transaction, subject.project(), numberHash(subject), network)
                        : Future.succeededFuture());
    }

    /** Call this after the commit. A lost wake-up only delays the SMS. */
    public void wakeUp() {
        vertx.eventBus().publish(WAKE_UP, "");
    }

    /**
     * Makes the code for an SMS that is about to be sent; empty if the SMS is no longer to be sent. Every attempt has
     * the same code, so an endpoint that took an attempt whose answer was lost, and knows its id, need not send it
     * again.
     */
    Future<Optional<String>> issue(SqlClient db, QueuedCode queued) {
        var id = queued.id().toString().getBytes(StandardCharsets.US_ASCII);
        var number = new BigInteger(1, codeSource.hash(id)).mod(CODES);
        var code = String.format(Locale.ROOT, "%06d", number);
        var hash = Buffer.buffer(codeHash.hash(message(queued.project(), queued.purpose(), queued.subject(), code)));
        return store.send(
                        db,
                        queued,
                        false,
                        null,
                        hash,
                        clock.instant().plus(queued.purpose().lifetime()))
                .map(isSent -> isSent ? Optional.of(code) : Optional.empty());
    }

    /**
     * Counts the try, and if the code is right, uses it up and locks the number until the transaction ends; a 429 where
     * too many wrong ones were tried. The caller must commit the transaction in either case, or the try would not
     * count. The network is the client's.
     */
    public Future<RedemptionResult<Subject>> redeem(
            SqlClient transaction, Subject subject, String code, Device device, Buffer network) {
        return attempt(transaction, subject, device, network)
                .compose(attempt -> redeem(transaction, subject, code, attempt));
    }

    /**
     * Strangers who try codes use up no tries of the number's owner, neither at home nor while the owner proves the
     * number.
     */
    private Future<CodeTry> attempt(SqlClient transaction, Subject subject, Device device, Buffer network) {
        var project = subject.project();
        var user = subject.user();
        return user == null
                ? networks.findByPhone(transaction, project, subject.phone(), device)
                        .map(known -> wrongCodes.attempt(project, numberHash(subject), network, known))
                : Future.succeededFuture(wrongCodes.ofChange(project, user, numberHash(subject), network));
    }

    private Future<RedemptionResult<Subject>> redeem(
            SqlClient transaction, Subject subject, String code, CodeTry attempt) {
        var project = subject.project();
        var purpose = subject.purpose();
        var key = key(subject);
        var keys = new AddressKeys(key, key); // an SMS that a known network requests has no row of its own
        return store.countTry(transaction, project, keys, purpose, false)
                .map(rows -> rows.stream().findFirst())
                .compose(found -> wrongCodes.require(transaction, attempt).compose(refusal -> {
                    var isRight = found.filter(sent -> isRight(sent, message(project, purpose, key, code)))
                            .isPresent();
                    return isRight
                            ? store.end(transaction, project, List.of(purpose), key)
                                    .map(new RedemptionResult<>(Optional.of(subject), refusal))
                            : countWrong(transaction, attempt, found)
                                    .map(new RedemptionResult<>(Optional.empty(), refusal));
                }));
    }

    private Future<Void> countWrong(SqlClient transaction, CodeTry attempt, Optional<SentCode> found) {
        var countsForNumber = found.filter(sent -> sent.guesses() <= MAX_TRIES).isPresent();
        return wrongCodes.countWrong(transaction, attempt, countsForNumber);
    }

    private boolean isRight(SentCode sent, byte[] message) {
        var hash = sent.codeHash();
        var expiresAt = sent.expiresAt();
        return hash != null
                && expiresAt != null
                && codeHash.matches(message, hash.getBytes())
                && sent.tries() <= MAX_TRIES
                && expiresAt.isAfter(clock.instant());
    }

    /** Gives the number all tries of a day again. */
    public Future<Void> forgetWrong(SqlClient db, ProjectId project, String phone) {
        return wrongCodes.forget(db, project, hash(phone));
    }

    /** Until the transaction ends, the number becomes nobody else's. */
    public Future<Void> lockNumber(SqlClient transaction, Subject subject) {
        return sms.lockNumber(transaction, subject.project(), subject.phone());
    }

    /** With the user, so that nobody can end or use up the code of another who proves the same number. */
    private Buffer key(Subject subject) {
        var user = subject.user();
        return hash(user == null ? subject.phone() : subject.phone() + " " + user);
    }

    /** The budgets of a number are for all purposes and users together. */
    private Buffer numberHash(Subject subject) {
        return hash(subject.phone());
    }

    private Buffer hash(String text) {
        return Buffer.buffer(keyHash.hash(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static byte[] message(ProjectId project, CodePurpose purpose, Buffer key, String code) {
        return Buffer.buffer(String.join("\n", project.toString(), purpose.text(), code, ""))
                .appendBuffer(key)
                .getBytes();
    }
}
