package dev.vestibule.user.organization;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.project.Project;
import dev.vestibule.project.member.InvitationBudget;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.organization.OrganizationInvitation.Status;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Invites people by mail, and lets them accept or reject. */
final class OrganizationInvitations {
    /** Does what the first proof of an account's email does: the person who was in the account before is out. */
    @FunctionalInterface
    interface EmailProver {
        /**
         * The transaction holds the lock of the user's row.
         *
         * @param session of the prover; null if they are not signed in
         */
        Future<User> prove(Trail trail, SqlConnection transaction, User user, @Nullable SessionId session);
    }

    /** The mail with an invitation's token. */
    @FunctionalInterface
    interface OrganizationInvitationMail {
        /** Queues the mail in the transaction; false if the address was mailed an invitation just before. */
        Future<Boolean> queue(SqlClient transaction, UUID mail, String email);
    }

    private final Database database;
    private final Organizations organizations;
    private final OrganizationMembers members;
    private final OrganizationInvitationStore store = new OrganizationInvitationStore();
    private final UserStore users = new UserStore();
    private final InvitationBudget budget;
    private final EmailProver prover;
    private final Clock clock;

    OrganizationInvitations(
            Database database,
            Organizations organizations,
            OrganizationMembers members,
            InvitationBudget budget,
            EmailProver prover,
            Clock clock) {
        this.database = database;
        this.organizations = organizations;
        this.members = members;
        this.budget = budget;
        this.prover = prover;
        this.clock = clock;
    }

    /** Writes the invitation and queues its mail. Inviting an address again renews its invitation. */
    Future<OrganizationInvitation> invite(
            OrganizationCaller caller, OrganizationId id, String email, String role, OrganizationInvitationMail mail) {
        var now = clock.instant();
        var mailId = UuidCreator.getTimeOrderedEpoch();
        return database.inTransaction(transaction -> manage(transaction, caller, id)
                .compose(access -> {
                    access.requireCanGive(role);
                    var organization = access.organization();
                    return requireRoom(transaction, organization, email)
                            .compose(hasRoom -> store.pendingRole(transaction, organization, email))
                            .map(before -> {
                                before.ifPresent(access::requireCanGive); // which the new one takes away
                                return before;
                            })
                            .compose(allowed -> takeBudget(transaction, caller, email))
                            .compose(taken -> store.put(
                                    transaction,
                                    organization,
                                    email,
                                    role,
                                    inviter(caller),
                                    mailId,
                                    now,
                                    now.plus(OrganizationInvitationTokens.LIFETIME)))
                            .compose(invitation -> queue(transaction, mail, mailId, invitation))
                            .compose(invitation -> record(
                                    transaction,
                                    caller,
                                    Published.ORGANIZATION_INVITATION_SENT,
                                    organization,
                                    invitation));
                }));
    }

    private static UUID inviter(OrganizationCaller caller) {
        return Objects.requireNonNull(caller.trail().actor().id(), "everybody who can invite has an id");
    }

    private Future<Void> requireRoom(SqlClient transaction, Organization organization, String email) {
        return store.hasMember(transaction, organization, email)
                .compose(isMember -> isMember
                        ? Future.failedFuture(OrganizationErrors.alreadyMember())
                        : store.countOthers(transaction, organization, email))
                .compose(others -> others < organization.maxMembers()
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.LIMIT_REACHED,
                                "The organization has as many open invitations as it can have members. Revoke some of"
                                        + " them first.")));
    }

    /** Otherwise an account could make this server mail anybody. A server invites as many as it likes. */
    private Future<Void> takeBudget(SqlClient transaction, OrganizationCaller caller, String email) {
        var user = caller.user();
        return user == null
                ? Future.succeededFuture()
                : budget.take(transaction, caller.project().id(), user, email);
    }

    private static Future<OrganizationInvitation> queue(
            SqlClient transaction, OrganizationInvitationMail mail, UUID mailId, OrganizationInvitation invitation) {
        return mail.queue(transaction, mailId, invitation.email())
                .compose(queued -> queued
                        ? Future.succeededFuture(invitation)
                        : Future.failedFuture(InvitationBudget.justMailed()));
    }

    /** Mails a new token; the last one is invalid at once. */
    Future<OrganizationInvitation> resend(
            OrganizationCaller caller, OrganizationId id, UUID invitation, OrganizationInvitationMail mail) {
        var now = clock.instant();
        var mailId = UuidCreator.getTimeOrderedEpoch();
        return database.inTransaction(transaction -> manage(transaction, caller, id)
                .compose(access -> find(transaction, access, invitation)
                        .compose(found -> takeBudget(transaction, caller, found.email()))
                        .compose(taken -> store.renew(
                                transaction,
                                caller.project().id(),
                                invitation,
                                mailId,
                                now,
                                now.plus(OrganizationInvitationTokens.LIFETIME)))
                        .map(renewed -> renewed.orElseThrow(OrganizationErrors::noSuchInvitation))
                        .compose(renewed -> queue(transaction, mail, mailId, renewed))
                        .compose(renewed -> record(
                                transaction,
                                caller,
                                Logged.ORGANIZATION_INVITATION_RESENT,
                                access.organization(),
                                renewed))));
    }

    /** Its token is invalid from then on. */
    Future<OrganizationInvitation> revoke(OrganizationCaller caller, OrganizationId id, UUID invitation) {
        return database.inTransaction(transaction -> manage(transaction, caller, id)
                .compose(access -> find(transaction, access, invitation)
                        .compose(found -> store.remove(transaction, access.organization(), invitation)
                                .compose(removed -> record(
                                        transaction,
                                        caller,
                                        Logged.ORGANIZATION_INVITATION_REVOKED,
                                        access.organization(),
                                        found)))));
    }

    private Future<OrganizationAccess> manage(SqlClient transaction, OrganizationCaller caller, OrganizationId id) {
        return organizations
                .lock(transaction, caller, id)
                .map(access -> access.require(OrganizationRoles.MANAGE_MEMBERS));
    }

    /** Refuses callers who could not give the invitation's role themselves. */
    private Future<OrganizationInvitation> find(SqlClient transaction, OrganizationAccess access, UUID invitation) {
        return store.find(transaction, access.organization(), invitation, clock.instant())
                .map(found -> found.orElseThrow(OrganizationErrors::noSuchInvitation))
                .map(found -> {
                    access.requireCanGive(found.role());
                    return found;
                });
    }

    /** The user and session of a person who is signed in. */
    record Invitee(User user, SessionId session) {}

    /**
     * Makes the user with the invited email a member. The token was mailed to that address, so it also proves the email
     * of the account.
     *
     * @param invitee null for a person who is not signed in
     */
    Future<OrganizationMember> accept(Project joined, Trail trail, String token, @Nullable Invitee invitee) {
        var caller = new OrganizationCaller(joined, null, trail);
        var project = joined.id();
        var hash = OrganizationInvitationTokens.hash(token);
        return store.findByToken(database.reads(), project, hash, clock.instant())
                .map(found -> found.orElseThrow(OrganizationErrors::unknownToken))
                .compose(invitation -> account(caller, invitation, invitee)
                        .compose(user -> database.inTransaction(
                                transaction -> accept(transaction, caller, invitation, hash, user, invitee))));
    }

    /** The user who would become a member: only the invited email ever chooses the account. */
    private Future<UserId> account(
            OrganizationCaller caller, OrganizationInvitation invitation, @Nullable Invitee invitee) {
        return invitee == null
                ? users.idOf(database.reads(), caller.project().id(), invitation.email())
                        .map(found -> found.orElseThrow(OrganizationErrors::accountRequired))
                : Future.succeededFuture(invitee.user().id());
    }

    private Future<OrganizationMember> accept(
            SqlConnection transaction,
            OrganizationCaller caller,
            OrganizationInvitation invitation,
            Buffer hash,
            UserId user,
            @Nullable Invitee invitee) {
        var trail = caller.trail().as(user.value());
        var acting = new OrganizationCaller(caller.project(), null, trail);
        return users.lockExisting(transaction, caller.project().id(), user)
                .map(Account::user)
                .map(account -> requireInvited(invitation, account))
                .compose(account -> organizations
                        .lock(transaction, acting, invitation.organizationId())
                        .map(access -> access.organization())
                        .compose(organization -> close(transaction, acting, hash, Status.ACCEPTED)
                                .compose(closed -> account.emailVerified()
                                        ? Future.succeededFuture(account)
                                        : prover.prove(
                                                trail,
                                                transaction,
                                                account,
                                                invitee == null ? null : invitee.session()))
                                .compose(proved ->
                                        members.addTo(transaction, acting, organization, user, invitation.role()))
                                .compose(member -> record(
                                                transaction,
                                                acting,
                                                Published.ORGANIZATION_INVITATION_ACCEPTED,
                                                organization,
                                                invitation.closedAs(Status.ACCEPTED))
                                        .map(member))));
    }

    /** Otherwise a forwarded token would open the organization to an account that nobody invited. */
    private static User requireInvited(OrganizationInvitation invitation, User account) {
        if (!invitation.email().equals(account.email())) {
            throw OrganizationErrors.wrongInvitee();
        }
        if (account.isBanned()) {
            throw UserErrors.banned();
        }
        return account;
    }

    private Future<OrganizationInvitation> close(
            SqlClient transaction, OrganizationCaller caller, Buffer hash, Status status) {
        return store.close(transaction, caller.project().id(), hash, status, clock.instant())
                .map(closed -> closed.orElseThrow(OrganizationErrors::unknownToken));
    }

    /**
     * Anybody with the token can reject: it only goes to the invited address. Locks the organization before the
     * invitation, as every other change does.
     */
    Future<OrganizationInvitation> reject(Project project, Trail trail, String token) {
        var caller = new OrganizationCaller(project, null, trail);
        var hash = OrganizationInvitationTokens.hash(token);
        return store.findByToken(database.reads(), project.id(), hash, clock.instant())
                .map(found -> found.orElseThrow(OrganizationErrors::unknownToken))
                .compose(found -> database.inTransaction(transaction -> organizations
                        .lock(transaction, caller, found.organizationId())
                        .compose(access -> close(transaction, caller, hash, Status.REJECTED)
                                .compose(rejected -> record(
                                        transaction,
                                        caller,
                                        Logged.ORGANIZATION_INVITATION_REJECTED,
                                        access.organization(),
                                        rejected)))));
    }

    private static Future<OrganizationInvitation> record(
            SqlConnection transaction,
            OrganizationCaller caller,
            Published fact,
            Organization organization,
            OrganizationInvitation invitation) {
        return caller.trail()
                .record(transaction, fact, OrganizationNews.of(organization, invitation), details(invitation))
                .map(invitation);
    }

    private static Future<OrganizationInvitation> record(
            SqlConnection transaction,
            OrganizationCaller caller,
            Logged fact,
            Organization organization,
            OrganizationInvitation invitation) {
        return caller.trail()
                .record(transaction, fact, OrganizationNews.of(organization).target(), details(invitation))
                .map(invitation);
    }

    /** The log names no email. */
    private static Map<String, ?> details(OrganizationInvitation invitation) {
        return Map.of("invitationId", invitation.id(), "role", invitation.role());
    }
}
