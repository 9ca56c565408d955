package dev.vestibule.authentication.email;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.email.EmailChange.Undoer;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code POST /v1/auth/email/undo}: restores the account of before a change of its email, or before a factor was added, by the
 * token that was mailed to the email that it had.
 */
public final class UndoEmailChangeHandler implements ApiHandler {
    private static final int MAX_TOKEN = 200;

    private final EmailChange change;
    private final DeviceReader devices;
    private final Auditor audit;

    public UndoEmailChangeHandler(EmailChange change, DeviceReader devices, Auditor audit) {
        this.change = change;
        this.devices = devices;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var token = Fields.read(Body.of(ctx), fields -> fields.required("token", text -> Text.line(text, MAX_TOKEN)));
        var undoer = new Undoer(audit.of(ctx), devices.read(ctx), RequestLanguage.of(ctx));
        return change.undo(Caller.project(ctx), token, undoer).map(undone -> Reply.success());
    }
}
