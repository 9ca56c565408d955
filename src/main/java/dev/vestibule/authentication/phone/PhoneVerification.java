package dev.vestibule.authentication.phone;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.Notice;
import dev.vestibule.mail.sms.SmsCodes;
import dev.vestibule.mail.sms.SmsCodes.Subject;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;

/** Gives a signed-in user a phone number after a code by SMS has proved that it is theirs. */
final class PhoneVerification {
    /** The session in which a user proves a number. */
    record Person(Project project, User user, SessionId session, Trail trail, Device device, Language language) {}

    /** The outcome of a code; a refusal is thrown after the commit, so that the code is used up. */
    private sealed interface Outcome {}

    private record Verified(User user) implements Outcome {}

    private record Refused(ApiException why) implements Outcome {}

    private final Database database;
    private final SmsCodes codes;
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final ActiveSessionStore active = new ActiveSessionStore();
    private final EmailChanges changes;
    private final Clock clock;

    PhoneVerification(Database database, SmsCodes codes, SessionStore sessions, EmailChanges changes, Clock clock) {
        this.database = database;
        this.codes = codes;
        this.sessions = sessions;
        this.changes = changes;
        this.clock = clock;
    }

    /** Requests a code, even if another user has the number. */
    Future<Void> request(User user, String phone, Language language, Buffer network) {
        var subject = Subject.ownNumber(user.projectId(), phone, user.id());
        return database.inTransaction(transaction -> codes.request(transaction, subject, language, network))
                .onSuccess(asked -> codes.wakeUp());
    }

    /** The user with the number; a 409 if another user has verified it. */
    Future<User> verify(Person person, String phone, String code, Buffer network) {
        return database.inTransaction(transaction -> tryOnce(transaction, person, phone, code, network))
                .map(PhoneVerification::user);
    }

    private static User user(Outcome outcome) {
        if (outcome instanceof Refused refused) {
            throw refused.why();
        }
        return ((Verified) outcome).user();
    }

    /**
     * Succeeds even with a wrong code: the transaction must commit the count of tries. Locks in the same order as a
     * sign in.
     */
    private Future<Outcome> tryOnce(
            SqlConnection transaction, Person person, String phone, String code, Buffer network) {
        var subject = Subject.ownNumber(
                person.user().projectId(), phone, person.user().id());
        return codes.lockNumber(transaction, subject)
                .compose(locked -> lock(transaction, person))
                .compose(user -> codes.redeem(transaction, subject, code, person.device(), network)
                        .compose(redeemed -> redeemed.proof().isPresent()
                                ? assignUnlessTaken(transaction, person, user, phone)
                                : Future.succeededFuture(
                                        wrongCode(person, redeemed.refusalOr(EmailCodes::wrongCode)))));
    }

    private static Outcome wrongCode(Person person, ApiException answer) {
        person.trail().enqueue(Logged.CODE_REFUSED, person.user().target(), Map.of("purpose", "sms_phone"));
        return new Refused(answer);
    }

    private Future<User> lock(SqlConnection transaction, Person person) {
        return active.lockAccount(
                        transaction,
                        person.user().projectId(),
                        person.session(),
                        person.user().id(),
                        clock.instant())
                .map(Account::user);
    }

    private Future<Outcome> assignUnlessTaken(SqlConnection transaction, Person person, User user, String phone) {
        return users.idsOfVerifiedPhone(transaction, user.projectId(), phone)
                .compose(holders -> holders.stream().allMatch(user.id()::equals)
                        ? assignNumber(transaction, person, user, phone)
                        : Future.succeededFuture(new Refused(ApiException.of(
                                ErrorCode.PHONE_TAKEN,
                                "Another account has verified this phone number. Sign in to that account with it, or"
                                        + " give it another number there."))));
    }

    private Future<Outcome> assignNumber(SqlConnection transaction, Person person, User user, String phone) {
        var now = clock.instant();
        return users.verifyPhone(transaction, user.projectId(), user.id(), phone, now)
                .map(changed -> changed.orElseThrow(UserErrors::beingChanged))
                .compose(changed -> sessions.rememberNetworkForPhone(transaction, changed, person.device(), now)
                        .map(changed))
                .compose(changed -> person.trail()
                        .record(
                                transaction,
                                Noticed.PHONE_VERIFIED,
                                changed,
                                Map.of(),
                                changes.to(
                                        person.project(), changed, Notice.of(now, person.device()), person.language()))
                        .map(new Verified(changed)));
    }
}
