package dev.vestibule.http;

import dev.vestibule.json.Fields;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/**
 * Refuses input that a management operation would not read: somebody who sends {@code ?dryRun=true} with a deletion
 * must not find out afterwards that it was not a dry run. Operations that have a body or parameters refuse unknown
 * ones when they read them.
 */
public final class UnexpectedInputHandler implements Handler<RoutingContext> {
    private final boolean acceptsBody;
    private final boolean acceptsQuery;

    public UnexpectedInputHandler(boolean acceptsBody, boolean acceptsQuery) {
        this.acceptsBody = acceptsBody;
        this.acceptsQuery = acceptsQuery;
    }

    @Override
    public void handle(RoutingContext ctx) {
        if (!acceptsQuery && ctx.request().query() != null) {
            Query.read(ctx, fields -> true);
        }
        if (!acceptsBody) {
            Body.find(ctx)
                    .ifPresent(body -> Fields.readStrictly(body, fields -> {
                        fields.ignore("projectId"); // the guard reads it
                        return true;
                    }));
        }
        ctx.next();
    }
}
