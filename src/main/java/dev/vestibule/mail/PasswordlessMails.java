package dev.vestibule.mail;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.mail.CodeStore.RequestDetails;
import dev.vestibule.mail.CodeStore.SentCode;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
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
    private final CodeStore store = new CodeStore();
    private final EmailCodes codes;
    private final MailOutbox outbox;
    private final KeyedHash browserHash;

    PasswordlessMails(MasterKeys masterKeys, EmailCodes codes, MailOutbox outbox) {
        this.codes = codes;
        this.outbox = outbox;
        this.browserHash = new KeyedHash(masterKeys, "browsers that asked to sign in by mail");
    }

    /**
     * Queues a mail unless the address has reached its limit, or too many were requested today.
     *
     * @param signsUp whether an address without an account gets an account
     * @param browser the device that made the request; null if it is not the person's own, where too many are a 429
     */
    public Future<Void> request(
            SqlClient db,
            Project project,
            CodePurpose purpose,
            String email,
            Language language,
            boolean signsUp,
            @Nullable Device browser) {
        var signIn = new RequestDetails(null, signsUp, false, browserHash(browser));
        return request(db, project, purpose, email, language, browser, signIn);
    }

    /** Requests a link to the hosted page, whatever page the project has for links. */
    public Future<Void> requestForHostedPage(
            SqlClient db, Project project, String email, Language language, boolean signsUp, Device browser) {
        var signIn = new RequestDetails(null, signsUp, true, browserHash(browser));
        return request(db, project, CodePurpose.MAGIC_LINK, email, language, browser, signIn);
    }

    private Future<Void> request(
            SqlClient db,
            Project project,
            CodePurpose purpose,
            String email,
            Language language,
            @Nullable Device browser,
            RequestDetails signIn) {
        return outbox.request(db, project, purpose, email, language, browser, signIn)
                .onSuccess(done -> outbox.wakeUp());
    }

    private @Nullable Buffer browserHash(@Nullable Device browser) {
        var userAgent = browser == null ? null : browser.userAgent();
        return userAgent == null ? null : Buffer.buffer(browserHash.hash(userAgent.getBytes(StandardCharsets.UTF_8)));
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

    /** Tries a code; see {@link EmailCodes#tryCode}. */
    public Future<RedemptionResult<Proof>> tryCode(
            SqlClient transaction, ProjectId project, String email, String code, Device device, Buffer network) {
        return codes.tryCode(transaction, project, CodePurpose.EMAIL_OTP, email, code, device, network)
                .map(tried -> new RedemptionResult<>(
                        tried.proof().map(sent -> proof(project, email, sent)), tried.refusal()));
    }

    /** Empty if the token is unknown in this project, was used, or has expired. */
    public Future<Optional<Proof>> findLink(SqlClient db, ProjectId project, String token) {
        return store.findLink(db, project, EmailCodes.linkHash(token))
                .map(found -> found.filter(codes::isFresh)
                        .map(sent -> proof(project, Objects.requireNonNull(sent.email()), sent)));
    }

    private static Proof proof(ProjectId project, String email, SentCode sent) {
        return new Proof(project, email, sent.signsUp(), Objects.requireNonNull(sent.codeHash()), sent.browserHash());
    }

    /** Uses up the proof, and every other code and link that signs in by this address; false if it was used already. */
    public Future<Boolean> take(SqlClient transaction, Proof proof) {
        return store.end(
                transaction,
                proof.project(),
                CodePurpose.SIGN_INS,
                codes.keys(proof.email()).both(),
                proof.secretHash());
    }

    /** Whether another browser requested the mail; empty if one of the two is unknown. */
    public Optional<Boolean> isFromAnotherBrowser(Proof proof, Device device) {
        var asked = proof.browserHash();
        var answers = browserHash(device);
        return asked == null || answers == null ? Optional.empty() : Optional.of(!asked.equals(answers));
    }
}
