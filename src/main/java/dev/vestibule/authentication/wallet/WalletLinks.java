package dev.vestibule.authentication.wallet;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.authentication.wallet.WalletStore.OwnedWallet;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.HashingPool.JobLength;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Notifier;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.telemetry.metrics.FactorMeters;
import dev.vestibule.user.Account;
import dev.vestibule.user.SecondFactorStore;
import dev.vestibule.user.SignInMethodStore;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks signed messages, and links and unlinks the wallets of users, but never removes the last sign-in method. */
final class WalletLinks {
    static final int MAX_WALLETS = 20;

    /** A person who has signed a message, and where they are. */
    record Signer(Project project, SignedMessage signed, Trail trail, Device device, Language language) {
        WalletAddress address() {
            return signed.address();
        }

        /** Records that they were not signed in. */
        void refuse(Target target, String reason) {
            trail.enqueueRefusedSignIn(Logged.SIGN_IN_FAILED, target, Map.of("reason", reason));
        }
    }

    /**
     * A message that was signed.
     *
     * @param isByContract whether the contract of the address on that chain has said so, and not a key
     */
    record Proved(@Nullable Integer chainId, boolean isByContract) {
        /** A contract of this address may belong to somebody else on another chain; a key is the same on all. */
        boolean isGoodFor(OwnedWallet wallet) {
            return wallet.isContract() == isByContract
                    && (!isByContract || Objects.equals(wallet.wallet().chainId(), chainId));
        }
    }

    private final Database database;
    private final WalletMessages messages;
    private final HashingPool workers;
    private final ContractWallets contracts;
    private final UserStore users = new UserStore();
    private final ActiveSessionStore sessions = new ActiveSessionStore();
    private final WalletStore store = new WalletStore();
    private final SecondFactorStore secondFactors = new SecondFactorStore();
    private final SignInMethodStore methods = new SignInMethodStore();
    private final MailOutbox mails;
    private final EmailChanges changes;
    private final FactorMeters meters;
    private final Clock clock;

    WalletLinks(
            Database database,
            WalletMessages messages,
            HashingPool workers,
            ContractWallets contracts,
            Mails mails,
            FactorMeters meters,
            Clock clock) {
        this.database = database;
        this.messages = messages;
        this.workers = workers;
        this.contracts = contracts;
        this.mails = mails.outbox();
        this.changes = mails.changes();
        this.meters = meters;
        this.clock = clock;
    }

    /** How the wallet has signed the text, no matter who wrote it; empty if it has not. */
    Future<Optional<Proved>> check(Project project, SignedMessage signed, @Nullable Integer chainId) {
        return workers.run(project.id().value(), JobLength.SHORT, signed::isGenuine)
                .compose(isByKey -> isByKey || signed.address().chain() != WalletChain.EVM
                        ? Future.succeededFuture(
                                isByKey ? Optional.of(new Proved(chainId, false)) : Optional.<Proved>empty())
                        : checkContract(signed, Objects.requireNonNullElse(chainId, WalletMessages.MAINNET)));
    }

    private Future<Optional<Proved>> checkContract(SignedMessage signed, int chainId) {
        return contracts
                .isBy(signed.address().text(), chainId, signed.message(), signed.signature())
                .map(isValid -> isValid ? Optional.of(new Proved(chainId, true)) : Optional.empty());
    }

    /** A 401 if the message is unknown, used or expired, or not signed by the wallet; it is used up in any case. */
    Future<Proved> prove(Signer signer) {
        var signed = signer.signed();
        return messages.take(signer.project().id(), signed.address(), signed.message())
                .compose(taken -> taken.isEmpty()
                        ? Future.succeededFuture(Optional.<Proved>empty())
                        : check(signer.project(), signed, taken.get().chainId()))
                .onSuccess(proved -> meters.wallet(proved.isPresent()))
                .map(proved -> proved.orElseThrow(() -> refuse(signer)));
    }

    private static ApiException refuse(Signer signer) {
        signer.refuse(Target.NONE, "wallet_signature");
        return refused();
    }

    /** One error for all, so that it does not say which wallets have an account. */
    static ApiException refused() {
        return ApiException.of(
                ErrorCode.INVALID_WALLET_SIGNATURE,
                "The wallet could not be verified. Ask for a new message, and sign it.");
    }

    /**
     * Links the wallet that has signed to the user; one that is linked already stays as it is. Locks the address before
     * the user, as a sign in does.
     */
    Future<Wallet> link(Signer signer, UserId user, SessionId session) {
        return prove(signer)
                .compose(proved -> database.inTransaction(transaction -> store.lockAddress(
                                transaction, signer.project().id(), signer.address())
                        .compose(locked -> sessions.lockAccount(
                                transaction, signer.project().id(), session, user, clock.instant()))
                        .compose(owner -> store.find(
                                        transaction, signer.project().id(), signer.address())
                                .compose(found -> found.isPresent()
                                        ? Future.succeededFuture(requireOwn(signer, proved, found.get(), user))
                                        : linkTo(transaction, signer, owner.user(), proved)))));
    }

    /** The wallet of an address that somebody has, if this person has signed with it. */
    static OwnedWallet requireSame(Signer signer, Proved proved, OwnedWallet found) {
        if (!proved.isGoodFor(found)) {
            throw refuse(signer);
        }
        return found;
    }

    private static Wallet requireOwn(Signer signer, Proved proved, OwnedWallet stored, UserId user) {
        var found = requireSame(signer, proved, stored);
        if (!found.owner().equals(user)) {
            throw ApiException.of(ErrorCode.IDENTITY_TAKEN, "This wallet is linked to another user.");
        }
        return found.wallet();
    }

    private Future<Wallet> linkTo(SqlConnection transaction, Signer signer, User owner, Proved proved) {
        var notifier =
                changes.to(signer.project(), owner, notice(signer.device(), signer.address()), signer.language());
        return store.listForUser(transaction, owner.projectId(), owner.id())
                .map(wallets -> {
                    if (wallets.size() >= MAX_WALLETS) {
                        throw ApiException.of(
                                ErrorCode.LIMIT_REACHED, "A user can have at most " + MAX_WALLETS + " wallets.");
                    }
                    return wallets;
                })
                .compose(wallets -> insert(transaction, signer, owner, proved))
                .compose(wallet -> signer.trail()
                        .record(transaction, Noticed.WALLET_LINKED, owner, Wallets.details(wallet), notifier)
                        .map(wallet));
    }

    /** Links the wallet to the account that it has just signed up. */
    Future<Void> linkToNew(SqlConnection transaction, Signer signer, User created, Proved proved) {
        return insert(transaction, signer, created, proved)
                .compose(wallet -> signer.trail()
                        .as(created.id().value())
                        .record(transaction, Published.WALLET_LINKED_AT_SIGN_UP, created, Wallets.details(wallet)));
    }

    /** The caller holds the locks of the address and the user. */
    private Future<Wallet> insert(SqlConnection transaction, Signer signer, User owner, Proved proved) {
        var address = signer.address();
        var wallet = new Wallet(
                UuidCreator.getTimeOrderedEpoch(),
                address.text(),
                address.chain(),
                signer.signed().walletType(),
                proved.chainId(),
                clock.instant());
        return store.insert(transaction, owner.projectId(), new OwnedWallet(wallet, owner.id(), proved.isByContract()))
                .map(wallet);
    }

    /** A 409 if the user could not sign in any more. */
    Future<Void> unlink(
            Project project,
            UserId user,
            SessionId session,
            UUID wallet,
            Trail trail,
            Device device,
            Language language) {
        return database.inTransaction(transaction -> sessions.lockAccount(
                        transaction, project.id(), session, user, clock.instant())
                .compose(account -> remove(transaction, project, account, wallet)
                        .compose(removed -> methods.requireOne(transaction, project, account)
                                .compose(allowed -> trail.record(
                                        transaction,
                                        Noticed.WALLET_UNLINKED,
                                        account.user(),
                                        Wallets.details(removed),
                                        toldOfRemoval(account.user(), removed, device, language))))));
    }

    /** Removes even the last sign-in method, since management can set up another. */
    Future<Void> unlinkByManagement(Project project, UserId user, UUID wallet, Trail trail) {
        return database.inTransaction(transaction -> users.lockExisting(transaction, project.id(), user)
                .compose(account -> remove(transaction, project, account, wallet)
                        .compose(removed -> trail.record(
                                transaction,
                                Noticed.USER_WALLET_UNLINKED,
                                account.user(),
                                Wallets.details(removed),
                                toldOfRemoval(account.user(), removed, Device.UNKNOWN, project.language(null))))));
    }

    private Future<Wallet> remove(SqlConnection transaction, Project project, Account account, UUID wallet) {
        return store.remove(transaction, project.id(), account.user().id(), wallet)
                .map(found ->
                        found.orElseThrow(() -> ApiException.of(ErrorCode.NOT_FOUND, "The user has no such wallet.")))
                .compose(removed -> secondFactors
                        .endSignIns(transaction, project.id(), account.user().id())
                        .map(removed));
    }

    private Notifier toldOfRemoval(User user, Wallet removed, Device device, Language language) {
        return mails.to(user, notice(device, new WalletAddress(removed.chain(), removed.address())), language);
    }

    private Notice notice(Device device, WalletAddress address) {
        return Notice.of(clock.instant(), device)
                .withProvider(address.chain().title() + " wallet " + address.shortened());
    }
}
