package dev.vestibule.http;

import dev.vestibule.json.Fields;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/**
 * Refuses what a management operation would not read: anyone who sends {@code ?dryRun=true} with a deletion must not find that
 * it was none. Operations that have a body, or parameters, refuse unknown ones when they read them.
 */
public final class UnexpectedInputHandler implements Handler<RoutingContext> {
    private final boolean takesBody;
    private final boolean takesQuery;

    public UnexpectedInputHandler(boolean takesBody, boolean takesQuery) {
        this.takesBody = takesBody;
        this.takesQuery = takesQuery;
    }

    @Override
    public void handle(RoutingContext ctx) {
        if (!takesQuery) {
            Query.read(ctx, fields -> true);
        }
        if (!takesBody) {
            Body.find(ctx)
                    .ifPresent(body -> Fields.readStrictly(body, fields -> {
                        fields.ignore("projectId"); // the guard reads it
                        return true;
                    }));
        }
        ctx.next();
    }
}
