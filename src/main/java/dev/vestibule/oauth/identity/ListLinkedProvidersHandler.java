package dev.vestibule.oauth.identity;

import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.identity.IdentityStore.Link;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** {@code GET /v1/auth/me/providers}: the providers that the signed-in user can sign in with. */
public final class ListLinkedProvidersHandler implements ApiHandler {
    private record Response(List<Link> providers, int total) {}

    private final Database database;
    private final IdentityStore store;

    public ListLinkedProvidersHandler(Database database, IdentityStore store) {
        this.database = database;
        this.store = store;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = Caller.user(ctx).user().id();
        return store.ofUser(database.reads(), project, user).map(links -> Reply.ok(new Response(links, links.size())));
    }
}
