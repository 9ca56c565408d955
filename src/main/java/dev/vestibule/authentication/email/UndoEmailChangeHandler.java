package dev.vestibule.authentication.email;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/email/undo}: restores the email of before a change, by the token that was mailed to it. */
public final class UndoEmailChangeHandler implements ApiHandler {
    private static final int MAX_TOKEN = 200;

    private final EmailChange change;
    private final Auditor audit;

    public UndoEmailChangeHandler(EmailChange change, Auditor audit) {
        this.change = change;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var token = Fields.read(Body.of(ctx), fields -> fields.required("token", text -> Text.line(text, MAX_TOKEN)));
        return change.undo(Caller.project(ctx), token, audit.of(ctx)).map(undone -> Reply.success());
    }
}
