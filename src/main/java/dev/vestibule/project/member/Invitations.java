package dev.vestibule.project.member;

import dev.vestibule.config.DashboardSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.MailedToken;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.project.member.InvitationStore.Sent;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Issues and checks the tokens of invitations; the database stores only their keyed hashes. */
public final class Invitations {
    /** The mail with an invitation's token. */
    @FunctionalInterface
    public interface InvitationMail {
        /** Queues the mail in the transaction; false if the address was mailed an invitation just before. */
        Future<Boolean> queue(SqlClient transaction, String email);
    }

    private static final String PREFIX = "inv_";

    /** How long an expired invitation stays in the list, so that it can be renewed. */
    private static final Duration RETENTION = Duration.ofDays(30);

    private final InvitationStore store = new InvitationStore();
    private final ProjectStore projects = new ProjectStore();
    private final MemberStore members = new MemberStore();
    private final KeyedHash secrets;
    private final InvitationBudget budget;
    private final DashboardSettings settings;
    private final Clock clock;

    public Invitations(MasterKeys masterKeys, InvitationBudget budget, DashboardSettings settings, Clock clock) {
        this.secrets = new KeyedHash(masterKeys, "invitations");
        this.budget = budget;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Writes the invitation and queues its mail; the transaction must hold the project's lock. An existing invitation
     * gets the new role, and its last token becomes invalid.
     */
    Future<Member> invite(SqlClient transaction, Invitation invitation, UserId inviter, InvitationMail mail) {
        var now = clock.instant();
        return store.countOthers(transaction, invitation.project(), invitation.email())
                .compose(others -> others < settings.maxInvitations()
                        ? budget.take(transaction, ProjectId.SYSTEM, inviter, invitation.email())
                        : Future.failedFuture(tooMany()))
                .compose(allowed -> mail.queue(transaction, invitation.email()))
                .compose(queued -> queued
                        ? store.put(transaction, invitation, inviter, now, expiry(now))
                        : Future.failedFuture(InvitationBudget.justMailed()));
    }

    private Instant expiry(Instant from) {
        return from.plus(Duration.ofDays(settings.invitationDays()));
    }

    private static ApiException tooMany() {
        return ApiException.of(
                ErrorCode.LIMIT_REACHED,
                "The project has too many open invitations (the server's setting dashboard.maxInvitations). Withdraw some"
                        + " of them first.");
    }

    /** A new token for the mail that is about to be sent; empty if the address is no longer invited. */
    public Future<Optional<String>> issueToken(SqlClient db, ProjectId project, String email) {
        var secret = MailedToken.newSecret();
        var hash = Buffer.buffer(secrets.hash(message(project, secret)));
        return store.setToken(db, project, email, hash, expiry(clock.instant()))
                .map(found -> found.map(id -> new MailedToken(project, id, secret).text(PREFIX)));
    }

    /** The invitation of a token; a 404 with the same message, whatever is wrong with the token. */
    public Future<Invitation> find(SqlClient db, String token) {
        var parsed = MailedToken.parse(PREFIX, token);
        return parsed.isEmpty()
                ? Future.failedFuture(unknown())
                : store.find(db, parsed.get().project(), parsed.get().id())
                        .map(found -> found.filter(sent -> isRight(sent, parsed.get()))
                                .orElseThrow(Invitations::unknown)
                                .invitation());
    }

    private boolean isRight(Sent sent, MailedToken token) {
        var hash = sent.tokenHash();
        return hash != null
                && secrets.matches(message(token.project(), token.secret()), hash.getBytes())
                && sent.expiresAt().isAfter(clock.instant());
    }

    /** Like {@link #find}, and locks the project, so that only one of two simultaneous acceptances succeeds. */
    public Future<Invitation> lock(SqlClient transaction, String token) {
        return MailedToken.parse(PREFIX, token)
                .map(parsed -> projects.lock(transaction, parsed.project())
                        .recover(failure -> Future.failedFuture(failure instanceof ApiException ? unknown() : failure)))
                .orElseGet(() -> Future.failedFuture(unknown()))
                .compose(locked -> find(transaction, token));
    }

    /** Makes the dashboard user a member, and deletes the invitation, which the transaction must have locked. */
    public Future<Member> accept(SqlClient transaction, Invitation invitation, UserId dashboardUser) {
        var project = invitation.project();
        return store.remove(transaction, project, invitation.id())
                .compose(
                        removed -> members.add(transaction, project, dashboardUser, invitation.role(), clock.instant()))
                .compose(added -> members.find(transaction, project, dashboardUser))
                .map(Optional::orElseThrow);
    }

    /** Removes old invitations; maintenance calls this regularly. */
    public Future<Void> purge(Database database) {
        var before = clock.instant().minus(RETENTION);
        return InvitationStore.EXPIRED.remove(database, before);
    }

    private static ApiException unknown() {
        return ApiException.of(
                ErrorCode.NOT_FOUND,
                "There is no such invitation: it was accepted or withdrawn, it has expired, or a newer one was sent.");
    }

    private static byte[] message(ProjectId project, byte[] secret) {
        return ByteBuffer.allocate(2 * Long.BYTES + secret.length)
                .putLong(project.value().getMostSignificantBits())
                .putLong(project.value().getLeastSignificantBits())
                .put(secret)
                .array();
    }
}
