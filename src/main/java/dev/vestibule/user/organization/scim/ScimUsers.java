package dev.vestibule.user.organization.scim;

import dev.vestibule.authentication.EmailProof;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Target;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionStore;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.ProviderUser;
import dev.vestibule.user.organization.Organization;
import dev.vestibule.user.organization.OrganizationDomainStore;
import dev.vestibule.user.organization.OrganizationMembers;
import dev.vestibule.user.organization.scim.ScimUserStore.StoredUser;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Provisions users: registers or takes in their accounts, and makes them members or ends that. Locks are taken in one
 * order: the user, sessions, the organization.
 */
final class ScimUsers {
    private static final int LEAST_ROOM = 100;

    private final Database database;
    private final ScimLock lock;
    private final OrganizationMembers members;
    private final EmailProof proof;
    private final EmailChanges emailChanges;
    private final SessionStore sessions;
    private final OrganizationDomainStore domains = new OrganizationDomainStore();
    private final UserStore users = new UserStore();
    private final ScimUserStore store = new ScimUserStore();
    private final Clock clock;

    ScimUsers(
            Database database,
            ScimLock lock,
            OrganizationMembers members,
            EmailProof proof,
            EmailChanges emailChanges,
            SessionStore sessions,
            Clock clock) {
        this.database = database;
        this.lock = lock;
        this.members = members;
        this.proof = proof;
        this.emailChanges = emailChanges;
        this.sessions = sessions;
        this.clock = clock;
    }

    /** An account, and whether this directory has just made it. */
    private record Taken(UserId user, boolean isMade) {}

    Future<StoredUser> create(Provisioner by, ScimUser given) {
        return database.inTransaction(transaction -> isOfDomain(transaction, by, given.email())
                .compose(ofDomain -> take(transaction, by, given, ofDomain))
                .compose(taken -> endSessionsOfInactive(transaction, by, given, taken)
                        .compose(ended -> lock.take(transaction, by))
                        .compose(locked -> takeRoom(transaction, by, locked.organization())
                                .compose(room -> store.insert(
                                        transaction, by, taken.user(), given, taken.isMade(), clock.instant()))
                                .compose(inserted -> Boolean.FALSE.equals(given.active())
                                        ? members.ensureNot(
                                                transaction, by.caller(), locked.organization(), taken.user())
                                        : members.ensure(
                                                transaction,
                                                by.caller(),
                                                locked.organization(),
                                                taken.user(),
                                                OrganizationRoles.MEMBER)))
                        .compose(added -> find(transaction, by, taken.user()))));
    }

    private Future<Boolean> isOfDomain(SqlConnection transaction, Provisioner by, String email) {
        return domains.isProven(
                transaction, by.project(), by.organization(), email.substring(email.lastIndexOf('@') + 1));
    }

    /** Inactive ones have room too, but no directory fills the project with accounts. */
    private Future<Void> takeRoom(SqlConnection transaction, Provisioner by, Organization organization) {
        var maximum = (int) Math.min(Integer.MAX_VALUE, Math.max(LEAST_ROOM, 2L * organization.maxMembers()));
        return store.takeRoom(transaction, by, maximum)
                .compose(taken -> taken
                        ? Future.succeededFuture()
                        : Future.failedFuture(ScimErrors.tooManyResources("users", maximum)));
    }

    private Future<StoredUser> find(SqlConnection transaction, Provisioner by, UserId user) {
        return store.find(transaction, by, user).map(found -> found.orElseThrow(ScimErrors::noSuchUser));
    }

    /** Registers the account, or takes in the one that has the email. */
    private Future<Taken> take(SqlConnection transaction, Provisioner by, ScimUser given, boolean ofDomain) {
        return users.idOf(transaction, by.project(), given.email())
                .compose(existing -> existing.isPresent()
                        ? takeIn(transaction, by, existing.get(), given.email(), ofDomain)
                        : register(transaction, by, given, ofDomain));
    }

    private Future<Taken> register(SqlConnection transaction, Provisioner by, ScimUser given, boolean ofDomain) {
        var trail = by.caller().trail();
        var account =
                new ProviderUser(UserId.next(), given.email(), ofDomain, given.displayName(), null, clock.instant());
        return users.insert(transaction, by.project(), account)
                .compose(inserted -> inserted.isEmpty()
                        ? users.idOf(transaction, by.project(), given.email()) // somebody was faster
                                .compose(found -> takeIn(
                                        transaction,
                                        by,
                                        found.orElseThrow(UserErrors::beingChanged),
                                        given.email(),
                                        ofDomain))
                        : trail.record(
                                        transaction,
                                        Logged.USER_CREATED,
                                        Target.user(inserted.get().id().value()))
                                .compose(recorded ->
                                        trail.publish(transaction, EventKind.USER_CREATED, inserted.get(), Map.of()))
                                .map(new Taken(inserted.get().id(), true)));
    }

    private Future<Taken> takeIn(
            SqlConnection transaction, Provisioner by, UserId user, String email, boolean ofDomain) {
        return users.lock(transaction, by.project(), user)
                .map(found -> found.map(Account::user)
                        .filter(account -> email.equals(account.email())) // which may have changed before the lock
                        .orElseThrow(UserErrors::beingChanged))
                .compose(account -> store.find(transaction, by, user).compose(known -> {
                    if (known.isPresent()) {
                        throw ScimErrors.taken("Another user of the directory has this email.");
                    }
                    if (!ofDomain) {
                        throw ScimErrors.outsideDomains();
                    }
                    return account.emailVerified()
                            ? Future.succeededFuture(account)
                            : proof.accept(
                                    by.caller().trail(),
                                    transaction,
                                    account,
                                    UserChange.none().withoutPassword(),
                                    clock.instant());
                }))
                .map(taken -> new Taken(user, false));
    }

    /** Who comes as inactive may have been a member before the directory; whom it takes in is of a proven domain. */
    private Future<Void> endSessionsOfInactive(SqlConnection transaction, Provisioner by, ScimUser given, Taken taken) {
        return taken.isMade() || !Boolean.FALSE.equals(given.active())
                ? Future.succeededFuture()
                : endSessions(transaction, by, taken.user());
    }

    /** Changes what the directory says of a user, and what follows for the account and its membership. */
    Future<StoredUser> change(Provisioner by, UserId user, Function<StoredUser, ScimUser> change) {
        return database.inTransaction(transaction -> users.lock(transaction, by.project(), user)
                .map(found -> found.map(Account::user).orElseThrow(ScimErrors::noSuchUser))
                .compose(account -> find(transaction, by, user).compose(before -> {
                    var after = change.apply(before);
                    return controls(transaction, by, account, before)
                            .compose(controls -> changeAccount(transaction, by, account, before, after, controls)
                                    .compose(changed -> controls && leaves(before, after)
                                            ? endSessions(transaction, by, user)
                                            : Future.succeededFuture()))
                            .compose(ended -> lock.take(transaction, by))
                            .compose(locked -> setActive(transaction, by, locked.organization(), user, after))
                            .compose(set -> store.update(transaction, by, user, after, clock.instant()))
                            .compose(updated -> find(transaction, by, user));
                })));
    }

    /**
     * Whether the account is the organization's, rather than only a member's: its email is of a proven domain, or the
     * directory has made it and nobody has used it yet, also if its email was changed since.
     */
    private Future<Boolean> controls(SqlConnection transaction, Provisioner by, User account, StoredUser known) {
        var email = account.email();
        if (known.isMade() && !account.isProven() && account.lastSignInAt() == null) {
            return Future.succeededFuture(true);
        }
        return email == null ? Future.succeededFuture(false) : isOfDomain(transaction, by, email);
    }

    /** Whether the directory turns away whom it wanted, who may have left before, or whom somebody has added again. */
    private static boolean leaves(StoredUser before, ScimUser after) {
        return (before.isWanted() || before.isActive()) && Boolean.FALSE.equals(after.active());
    }

    private Future<Void> endSessions(SqlConnection transaction, Provisioner by, UserId user) {
        return sessions.endAll(transaction, by.project(), user, EndReason.DEPROVISIONED, clock.instant())
                .mapEmpty();
    }

    /** Reads the role of their groups now, since that changes under the organization's lock. */
    private Future<Void> setActive(
            SqlConnection transaction, Provisioner by, Organization organization, UserId user, ScimUser after) {
        if (after.active() == null) {
            return Future.succeededFuture();
        }
        return after.active()
                ? find(transaction, by, user)
                        .compose(known -> members.ensure(
                                transaction,
                                by.caller(),
                                organization,
                                user,
                                Objects.requireNonNullElse(known.groupRole(), OrganizationRoles.MEMBER)))
                : members.ensureNot(transaction, by.caller(), organization, user);
    }

    private Future<Void> changeAccount(
            SqlConnection transaction,
            Provisioner by,
            User account,
            StoredUser before,
            ScimUser after,
            boolean controls) {
        var change = nameChange(account, before, after, controls);
        if (after.email().equals(before.email()) || after.email().equals(account.email())) {
            return update(transaction, by, account, change);
        }
        return users.idOf(transaction, by.project(), after.email())
                .compose(taken -> taken.isPresent()
                        ? Future.failedFuture(emailTaken())
                        : isOfDomain(transaction, by, after.email()))
                .compose(ofDomain -> {
                    if (!before.isMade()) {
                        return update(transaction, by, account, change); // their email is their own affair
                    }
                    if (!controls || (account.emailVerified() && !ofDomain)) {
                        throw ScimErrors.emailOutsideDomains();
                    }
                    return changeEmail(transaction, by, account, change, after.email(), ofDomain);
                });
    }

    private static UserChange nameChange(User account, StoredUser before, ScimUser after, boolean controls) {
        var name = after.displayName();
        return !controls
                        || name == null
                        || name.equals(account.displayName())
                        || Objects.equals(name, before.said().displayName())
                ? UserChange.none()
                : UserChange.none().withDisplayName(name);
    }

    private static ApiException emailTaken() {
        return ScimErrors.taken("Another user of the project has this email.");
    }

    /** The first email of a proven domain counts as the first proof: the person who was in the account is out. */
    private Future<Void> changeEmail(
            SqlConnection transaction,
            Provisioner by,
            User account,
            UserChange change,
            String email,
            boolean ofDomain) {
        var moved = change.withEmail(email, ofDomain);
        var changed = ofDomain && !account.emailVerified()
                ? proof.accept(by.caller().trail(), transaction, account, moved.withoutPassword(), clock.instant())
                        .<Void>mapEmpty()
                : update(transaction, by, account, moved);
        return changed.compose(done -> emailChanges.forget(transaction, by.project(), account.id()))
                .recover(failure -> Future.failedFuture(
                        failure instanceof ApiException refused && refused.code() == ErrorCode.EMAIL_TAKEN
                                ? emailTaken()
                                : failure));
    }

    private Future<Void> update(SqlConnection transaction, Provisioner by, User account, UserChange change) {
        return change.isMade()
                ? users.update(transaction, by.project(), account.id(), change, clock.instant())
                        .map(updated -> updated.orElseThrow(UserErrors::beingChanged))
                        .compose(updated -> by.caller()
                                .trail()
                                .record(transaction, Published.USER_UPDATED, updated, Map.of("fields", change.names())))
                : Future.succeededFuture();
    }

    /** Ends the membership and, also of those who have none, the sessions, and forgets the user; the account stays. */
    Future<Void> delete(Provisioner by, UserId user) {
        return database.inTransaction(transaction -> users.lock(transaction, by.project(), user)
                .map(found -> found.map(Account::user).orElseThrow(ScimErrors::noSuchUser))
                .compose(account -> find(transaction, by, user)
                        .compose(known -> controls(transaction, by, account, known)
                                .compose(controls ->
                                        controls ? endSessions(transaction, by, user) : Future.succeededFuture())))
                .compose(ended -> lock.take(transaction, by))
                .compose(locked -> members.ensureNot(transaction, by.caller(), locked.organization(), user))
                .compose(removed -> store.remove(transaction, by, user)));
    }
}
