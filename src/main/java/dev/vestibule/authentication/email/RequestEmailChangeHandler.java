package dev.vestibule.authentication.email;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.email.EmailChange.Person;
import dev.vestibule.authentication.password.OwnerProof;
import dev.vestibule.authentication.password.OwnerProof.Proved;
import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.user.User;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/auth/me/email}: mails a code to the address that the user wants to have from now on. */
public final class RequestEmailChangeHandler implements ApiHandler {
    private record Request(String email, @Nullable SubmittedPassword password) {
        static Request of(Fields fields, User user) {
            var email = fields.required("email", UserFields::email);
            if (email != null && email.equals(user.email())) { // null after a violation
                fields.reject("email", "must not be the current email");
            }
            return new Request(email, fields.optional("currentPassword", UserFields::submittedPassword));
        }

        @Override
        public String toString() {
            return "Request";
        }
    }

    private final EmailChange change;
    private final OwnerProof proof;
    private final RecentSignIn recent;
    private final DeviceReader devices;
    private final Auditor audit;

    public RequestEmailChangeHandler(
            EmailChange change, OwnerProof proof, RecentSignIn recent, DeviceReader devices, Auditor audit) {
        this.change = change;
        this.proof = proof;
        this.recent = recent;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        recent.require(caller);
        var request = Fields.read(Body.of(ctx), fields -> Request.of(fields, caller.user()));
        var device = devices.read(ctx);
        var person = new Person(
                caller.project(),
                caller.user(),
                caller.token().session(),
                device,
                RequestLanguage.of(ctx),
                audit.of(ctx));
        return proof.check(caller.project(), caller.user(), device, request.password())
                .compose(proved -> request(person, request, proved, caller))
                .map(requested -> Reply.ok(Map.of("sent", true)));
    }

    private Future<Void> request(Person person, Request request, Proved proved, SignedIn caller) {
        return change.request(
                person,
                request.email(),
                account -> proved.requireFor(account, () -> recent.requireInPlaceOfPassword(caller)));
    }
}
