package dev.vestibule.mail;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.mail.OutboxMail.QueuedSignIn;
import dev.vestibule.mail.PasswordlessMailStore.MailRequest;
import dev.vestibule.mail.PasswordlessMailStore.Sent;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.session.KnownNetwork;
import dev.vestibule.session.KnownNetworks;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Codes and links by mail that sign in, and sign up if the project allows it. A request looks up no account: the server
 * decides whether to send a mail when it is due. A code and a link of one address can be valid at the same time; using
 * one invalidates the other. Code that uses one locks first the user and then the rows of the address, in the same
 * order as the deletion of a user and a change of the email.
 */
public final class PasswordlessMails {
    private final PasswordlessMailStore store = new PasswordlessMailStore();
    private final EmailCodes codes;
    private final MailOutbox outbox;
    private final KeyedHash codeHash;
    private final KeyedHash browserHash;
    private final WrongCodeBudget budget;
    private final KnownNetworks networks;
    private final Clock clock;

    PasswordlessMails(
            MasterKeys masterKeys,
            EmailCodes codes,
            MailOutbox outbox,
            LimitSettings limits,
            KnownNetworks networks,
            Clock clock) {
        this.codes = codes;
        this.outbox = outbox;
        this.codeHash = new KeyedHash(masterKeys, "codes that sign in");
        this.browserHash = new KeyedHash(masterKeys, "browsers that asked to sign in by mail");
        this.budget = new WrongCodeBudget(masterKeys, limits, clock);
        this.networks = networks;
        this.clock = clock;
    }

    /**
     * Queues a mail unless the address has reached its limit; a 429 if too many were requested today.
     *
     * @param signsUp whether an address without an account gets an account
     * @param browser the device that made the request; null if it is not the person's own
     */
    public Future<Void> request(
            SqlClient db,
            Project project,
            PasswordlessKind kind,
            String email,
            Language language,
            boolean signsUp,
            @Nullable Device browser) {
        return request(db, project, kind, email, language, signsUp, browser, false);
    }

    /** Requests a link to the hosted page, whatever page the project has for links. */
    public Future<Void> requestForHostedPage(
            SqlClient db, Project project, String email, Language language, boolean signsUp, Device browser) {
        return request(db, project, PasswordlessKind.MAGIC_LINK, email, language, signsUp, browser, true);
    }

    private Future<Void> request(
            SqlClient db,
            Project project,
            PasswordlessKind kind,
            String email,
            Language language,
            boolean signsUp,
            @Nullable Device browser,
            boolean toHostedPage) {
        var asked = new MailRequest(
                project.id(),
                codes.keys(email).ofAnyone(),
                kind,
                email,
                UuidCreator.getTimeOrderedEpoch(),
                language,
                signsUp,
                browserHash(browser),
                toHostedPage,
                true);
        return networks.find(db, project.id(), email, browser)
                .compose(known -> outbox.take(db, project.id(), browser, known)
                        .compose(taken -> known.isPresent() ? requestFromKnownNetwork(db, asked) : request(db, asked)))
                .onSuccess(done -> outbox.wakeUp());
    }

    /**
     * Counts the request like anyone's, but queues its mail separately from those that strangers request. Both
     * statements run at once, so that this takes no longer.
     */
    private Future<Void> requestFromKnownNetwork(SqlClient db, MailRequest asked) {
        var keys = codes.keys(asked.email());
        return Future.all(
                        request(db, asked.as(asked.id(), keys.ofAnyone(), false)),
                        request(db, asked.as(UuidCreator.getTimeOrderedEpoch(), keys.ofKnownNetworks(), true)))
                .mapEmpty();
    }

    private Future<Void> request(SqlClient db, MailRequest asked) {
        return store.request(db, asked, outbox.quota(false), clock.instant());
    }

    private @Nullable Buffer browserHash(@Nullable Device browser) {
        var userAgent = browser == null ? null : browser.userAgent();
        return userAgent == null ? null : Buffer.buffer(browserHash.hash(userAgent.getBytes(StandardCharsets.UTF_8)));
    }

    /** A code for the mail that is about to be sent, or the token of its link; empty if none is needed any more. */
    Future<Optional<String>> issue(SqlClient db, QueuedSignIn queued) {
        var secret = queued.kind().newSecret();
        var hash = queued.kind() == PasswordlessKind.MAGIC_LINK
                ? linkHash(secret)
                : Buffer.buffer(codeHash.hash(message(queued.project(), queued.email(), secret)));
        return store.putSecret(
                        db,
                        queued.project(),
                        queued.id(),
                        hash,
                        clock.instant().plus(queued.kind().lifetime()),
                        codes.keys(queued.email()))
                .map(isSent -> isSent ? Optional.of(secret) : Optional.empty());
    }

    /**
     * A code or link that was right when it was checked. A person who has it can read the mails to the address.
     *
     * @param browserHash the hash of the browser that requested it
     */
    public record Proof(
            ProjectId project,
            String email,
            boolean signsUp,
            Buffer secretHash,
            @Nullable Buffer browserHash) {
        @Override
        public String toString() {
            return "Proof[" + project + "]";
        }
    }

    /**
     * Counts the attempt, and compares the code; a 429 after too many wrong ones. Device and network are the client's.
     * The caller must commit the transaction even if the code is wrong, or the attempt would not count.
     */
    public Future<RedemptionResult<Proof>> tryCode(
            SqlClient transaction, ProjectId project, String email, String code, Device device, Buffer network) {
        return networks.find(transaction, project, email, device)
                .compose(known -> tryCode(transaction, project, email, code, known, network));
    }

    private Future<RedemptionResult<Proof>> tryCode(
            SqlClient transaction,
            ProjectId project,
            String email,
            String code,
            Optional<KnownNetwork> known,
            Buffer network) {
        var isKnown = known.isPresent();
        var attempt = budget.attempt(project, codes.hashAddress(email), network, known);
        return store.countTry(transaction, project, codes.keys(email), isKnown)
                .compose(found -> budget.require(transaction, attempt).compose(refusal -> {
                    var tries = CodeTries.of(found, Sent::count, isKnown);
                    var proof = tries.open().stream()
                            .filter(sent -> isRight(sent, message(project, email, code)))
                            .map(sent -> proof(project, sent))
                            .findFirst();
                    var redeemed = new RedemptionResult<>(proof, refusal);
                    return proof.isPresent()
                            ? Future.succeededFuture(redeemed)
                            : budget.countWrong(
                                            transaction,
                                            attempt,
                                            tries.countsForAccount(),
                                            tries.countsForKnownNetwork())
                                    .map(redeemed);
                }));
    }

    private boolean isRight(Sent sent, byte[] message) {
        var hash = sent.secretHash();
        return hash != null && codeHash.matches(message, hash.getBytes()) && isFresh(sent);
    }

    private boolean isFresh(Sent sent) {
        var expiresAt = sent.expiresAt();
        return expiresAt != null && expiresAt.isAfter(clock.instant());
    }

    /** Empty if the token is unknown in this project, was used, or has expired. */
    public Future<Optional<Proof>> findLink(SqlClient db, ProjectId project, String token) {
        return store.findLink(db, project, linkHash(token))
                .map(found -> found.filter(this::isFresh).map(sent -> proof(project, sent)));
    }

    private static Proof proof(ProjectId project, Sent sent) {
        return new Proof(
                project, sent.email(), sent.signsUp(), Objects.requireNonNull(sent.secretHash()), sent.browserHash());
    }

    /** Uses up the proof, and everything else that was sent to the address; false if another request was faster. */
    public Future<Boolean> take(SqlClient transaction, Proof proof) {
        var address = codes.keys(proof.email());
        return store.lock(transaction, proof.project(), address)
                .compose(good -> good.contains(proof.secretHash())
                        ? store.clear(transaction, proof.project(), address).map(true)
                        : Future.succeededFuture(false));
    }

    /** Whether another browser requested the mail; empty if one of the two is unknown. */
    public Optional<Boolean> isFromAnotherBrowser(Proof proof, Device device) {
        var asked = proof.browserHash();
        var answers = browserHash(device);
        return asked == null || answers == null ? Optional.empty() : Optional.of(!asked.equals(answers));
    }

    /** Not keyed: nobody can guess 256 bits, and links stay valid after a change of the master secret. */
    private static Buffer linkHash(String token) {
        return Buffer.buffer(Sha256.of(token));
    }

    private static byte[] message(ProjectId project, String email, String code) {
        return String.join("\n", project.toString(), email, code).getBytes(StandardCharsets.UTF_8);
    }
}
