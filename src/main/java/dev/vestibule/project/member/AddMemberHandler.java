package dev.vestibule.project.member;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.user.User;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/dashboard/projects/:projectId/members}: invites a person to become a member of the project. */
public final class AddMemberHandler implements ApiHandler {
    private final MemberChanges changes;
    private final MailOutbox outbox;
    private final Auditor audit;

    public AddMemberHandler(MemberChanges changes, MailOutbox outbox, Auditor audit) {
        this.changes = changes;
        this.outbox = outbox;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var inviter = Caller.user(ctx).user();
        requireVerified(inviter);
        var language = RequestLanguage.of(ctx);
        var invitation = Fields.readStrictly(
                Body.of(ctx),
                fields -> new Invitation(
                        project.id(),
                        UuidCreator.getTimeOrderedEpoch(),
                        fields.required("email", UserFields::email),
                        fields.required("role", Role::of)));
        return changes.invite(
                        audit.of(ctx),
                        invitation,
                        inviter.id(),
                        (transaction, email) -> outbox.requestInvitation(transaction, project.id(), email, language))
                .onSuccess(invited -> outbox.wakeUp())
                .map(Reply::created);
    }

    /** Otherwise an account of nobody, made with any address, could have this server write to anybody. */
    private static void requireVerified(User inviter) {
        if (!inviter.emailVerified()) {
            throw ApiException.forbidden(
                    "Verify your own email before you invite others: your account has a code sent to it.",
                    "unverified_email");
        }
    }
}
