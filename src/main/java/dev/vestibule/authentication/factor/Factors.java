package dev.vestibule.authentication.factor;

import dev.vestibule.authentication.factor.FactorStore.Factor;
import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.WrongCodeBudget;
import dev.vestibule.mail.WrongCodeBudget.CodeTry;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.session.Device;
import dev.vestibule.session.KnownNetwork;
import dev.vestibule.session.KnownNetworks;
import dev.vestibule.telemetry.metrics.FactorMeters;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Second factors of users: one-time passwords from an authenticator app, with backup codes. Every change happens in a
 * transaction that holds the lock of the user's row, so that no code is accepted twice.
 */
public final class Factors {
    private static final Duration TO_CONFIRM = Duration.ofMinutes(10);

    /** What the audit log says about a refused code. */
    public static final Map<String, String> WRONG_CODE = Map.of("reason", "wrong_code");

    static final Map<String, String> TOTP = Map.of("factor", "totp");

    /** What the user's authenticator app needs, and the backup codes; shown only once. */
    public record Setup(String secret, String qrCodeUri, String qrCode, List<String> backupCodes) {
        static Setup of(String secret, String uri, List<String> backupCodes) {
            return new Setup(secret, uri, QrCodeImage.dataUrl(uri), backupCodes);
        }

        /** Redacted, so that no secret reaches a log. */
        @Override
        public String toString() {
            return "Setup";
        }
    }

    /** Whether sign in by password asks for a second factor, and how many backup codes are left. */
    record Status(boolean enabled, int backupCodesRemaining) {}

    /** The result of checking a code. */
    public enum Verdict {
        WRONG,
        TOTP,
        BACKUP_CODE;

        public boolean isRight() {
            return this != WRONG;
        }
    }

    private final FactorStore store = new FactorStore();
    private final TotpSecrets secrets;
    private final WrongCodeBudget budget;
    private final KnownNetworks networks;
    private final FactorMeters meters;
    private final Clock clock;

    Factors(MasterKeys masterKeys, LimitSettings limits, KnownNetworks networks, FactorMeters meters, Clock clock) {
        this.secrets = new TotpSecrets(new Sealer(masterKeys, "totp secrets"));
        this.budget = new WrongCodeBudget(masterKeys, limits, clock);
        this.networks = networks;
        this.meters = meters;
        this.clock = clock;
    }

    SealedSecrets sealedSecrets() {
        return secrets.sealedSecrets();
    }

    Future<Status> status(SqlClient db, ProjectId project, UserId user) {
        return store.find(db, project, user)
                .map(found -> found.filter(Factor::isConfirmed)
                        .map(factor -> new Status(true, factor.backupCodes().size()))
                        .orElseGet(() -> new Status(false, 0)));
    }

    /**
     * Sets up a factor, which counts once a code has confirmed it. A 409 if there is already one that counts, and a 403
     * if the email is not proved yet.
     */
    Future<Setup> setUp(SqlConnection transaction, Project project, User user) {
        if (!user.canHaveFactor()) {
            return Future.failedFuture(emailNotProved());
        }
        var secret = Totp.newSecret();
        var codes = BackupCodes.generate();
        return store.setUp(
                        transaction,
                        project.id(),
                        user.id(),
                        secrets.seal(project.id(), user.id(), secret),
                        new BackupCodes(secret).hashes(codes),
                        clock.instant())
                .map(isSetUp -> {
                    if (!isSetUp) {
                        throw ApiException.of(
                                ErrorCode.TOTP_ALREADY_SET_UP,
                                "This account already has one-time passwords. Disable them first.");
                    }
                    return Setup.of(TotpKey.text(secret), TotpKey.uri(project.name(), name(user), secret), codes);
                });
    }

    /** What the app shows for the account. */
    private static String name(User user) {
        return Stream.of(user.email(), user.phone(), user.displayName())
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> user.id().toString());
    }

    private static ApiException emailNotProved() {
        return ApiException.of(
                ErrorCode.VERIFICATION_REQUIRED,
                "Verify the email of this account first: the first verification removes all earlier factors.");
    }

    /**
     * Confirms the factor if the code is right, and uses up the code. A 409 if none is waiting for confirmation, and a
     * 403 if the email is no longer proved.
     */
    Future<Boolean> confirm(SqlConnection transaction, User user, FactorCode code, Instant now) {
        if (!user.canHaveFactor()) {
            return Future.failedFuture(emailNotProved());
        }
        var project = user.projectId();
        return store.find(transaction, project, user.id())
                .map(found -> found.filter(factor -> !factor.isConfirmed()
                                && factor.createdAt().plus(TO_CONFIRM).isAfter(now))
                        .orElseThrow(() -> ApiException.of(
                                ErrorCode.NO_TOTP_SETUP,
                                "There is no setup to confirm, or it has expired. Set one-time passwords up again.")))
                .compose(factor -> {
                    var step = match(user, factor, code, now);
                    return step.isEmpty()
                            ? Future.succeededFuture(false)
                            : store.confirm(transaction, project, user.id(), step.getAsLong(), now)
                                    .map(true);
                });
    }

    private OptionalLong match(User user, Factor factor, FactorCode code, Instant now) {
        return Totp.match(secret(user, factor), code.text(), now, factor.lastStep());
    }

    private byte[] secret(User user, Factor factor) {
        return secrets.open(user.projectId(), user.id(), factor.sealedSecret());
    }

    /**
     * Accepts a code, or counts a wrong one: so the caller must commit the transaction in either case. A 429 if too
     * many were wrong in a day, whatever token or session they came with; a 409 if there is no factor. Somebody who
     * knows the password uses up the tries of strangers, but not those of a network from which the account recently
     * signed in with both factors; and wrong one-time passwords do not use up the tries of backup codes.
     */
    public Future<Verdict> check(SqlConnection transaction, User user, FactorCode code, Device device) {
        return requireConfirmed(transaction, user)
                .compose(factor -> networks.findForFactor(transaction, user.projectId(), user.email(), device)
                        .compose(known -> check(transaction, user, factor, code, known)))
                .onSuccess(verdict -> meters.checked(code.isBackupCode(), verdict.isRight()));
    }

    private Future<Factor> requireConfirmed(SqlConnection transaction, User user) {
        return store.find(transaction, user.projectId(), user.id())
                .map(found -> found.filter(Factor::isConfirmed)
                        .orElseThrow(
                                () -> ApiException.of(ErrorCode.NO_TOTP, "This account has no one-time passwords.")));
    }

    private Future<Verdict> check(
            SqlConnection transaction, User user, Factor factor, FactorCode code, Optional<KnownNetwork> known) {
        var attempt = budget.ofFactor(user.projectId(), user.id(), code.isBackupCode(), known);
        return budget.requireOwn(transaction, attempt)
                .onFailure(exhausted -> meters.exhausted(code.isBackupCode()))
                .compose(hadWrong -> take(transaction, user, factor, code)
                        .compose(verdict -> settle(transaction, user, attempt, verdict, hadWrong, known)
                                .map(verdict)));
    }

    private Future<Void> settle(
            SqlConnection transaction,
            User user,
            CodeTry attempt,
            Verdict verdict,
            boolean hadWrong,
            Optional<KnownNetwork> known) {
        if (!verdict.isRight()) {
            return budget.countWrong(transaction, attempt, true);
        }
        return hadWrong || verdict == Verdict.BACKUP_CODE
                ? budget.forgetAfterSuccess(transaction, user.projectId(), user.id(), known)
                : Future.succeededFuture();
    }

    private Future<Verdict> take(SqlConnection transaction, User user, Factor factor, FactorCode code) {
        var project = user.projectId();
        if (code.isBackupCode()) {
            var kept = new BackupCodes(secret(user, factor)).find(code.text(), factor.backupCodes());
            return kept.isEmpty()
                    ? Future.succeededFuture(Verdict.WRONG)
                    : store.useBackupCode(transaction, project, user.id(), kept.get())
                            .map(Verdict.BACKUP_CODE);
        }
        var step = match(user, factor, code, clock.instant());
        return step.isEmpty()
                ? Future.succeededFuture(Verdict.WRONG)
                : store.useStep(transaction, project, user.id(), step.getAsLong())
                        .map(Verdict.TOTP);
    }

    /** Gives the account back all tries of the day. */
    public Future<Void> forgetWrong(SqlClient transaction, ProjectId project, UserId user) {
        return budget.forgetFactors(transaction, project, user);
    }

    /** The previous ones no longer work. */
    Future<List<String>> replaceBackupCodes(SqlConnection transaction, User user) {
        var codes = BackupCodes.generate();
        return requireConfirmed(transaction, user)
                .map(factor -> new BackupCodes(secret(user, factor)).hashes(codes))
                .compose(hashes ->
                        store.replaceBackupCodes(transaction, user.projectId(), user.id(), hashes, clock.instant()))
                .map(codes);
    }

    /** Who removes a factor. */
    enum Remover {
        USER,
        MANAGEMENT,
        /** A person who is the first to prove the account's email. */
        EMAIL_OWNER
    }

    /**
     * Removes what a stranger may have set up who created the account with someone else's email, after that person has
     * proved it. The transaction must hold the lock of the user's row.
     */
    public Future<Void> removeOfStranger(Trail trail, SqlConnection transaction, User owner) {
        return remove(transaction, owner, Remover.EMAIL_OWNER)
                .compose(removed -> removed
                        ? trail.record(
                                transaction,
                                Published.FACTOR_OF_STRANGER_REMOVED,
                                owner,
                                Map.of("factor", "totp", "reason", "email_claimed"))
                        : Future.succeededFuture());
    }

    /**
     * Removes what the person who changed the email or added a factor may have set up, when the owner undoes that: the
     * factor, or only its backup codes if the factor is older. The transaction must hold the lock of the user's row.
     */
    public Future<Void> removeSetUpSince(Trail trail, SqlConnection transaction, User owner, Instant since) {
        return store.find(transaction, owner.projectId(), owner.id())
                .compose(found -> found.map(Factor::confirmedAt)
                                .filter(at -> at.isBefore(since))
                                .isPresent()
                        ? store.removeBackupCodesSince(transaction, owner.projectId(), owner.id(), since)
                        : removeOfStranger(trail, transaction, owner));
    }

    /** After this the password alone opens a session. True if that is a change, which the caller records. */
    Future<Boolean> remove(SqlConnection transaction, User user, Remover remover) {
        return store.remove(transaction, user.projectId(), user.id())
                .compose(removed -> budget.forgetFactors(transaction, user.projectId(), user.id())
                        .map(removed))
                .onSuccess(removed -> {
                    if (removed) {
                        meters.removed(remover.name().toLowerCase(Locale.ROOT));
                    }
                });
    }

    /** One error for a wrong code and for one that was already used. */
    public static ApiException wrongCode() {
        return ApiException.of(ErrorCode.WRONG_CODE, "The code is wrong, or was already used.");
    }

    Future<Void> purge(Database database) {
        var before = clock.instant().minus(TO_CONFIRM);
        return FactorStore.UNCONFIRMED.remove(database, before);
    }
}
