package dev.vestibule.user.organization;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Floor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.oauth.ProviderModule;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/** An organization's own identity providers, below the paths of {@link OrganizationHandler}. */
public final class OrganizationConnectionHandler {
    private final OrganizationConnections connections;
    private final ProviderModule providers;
    private final RecentSignIn recent;
    private final boolean allowPrivate;

    OrganizationConnectionHandler(Floor floor, OrganizationConnections connections, ProviderModule providers) {
        this.connections = connections;
        this.providers = providers;
        this.recent = new RecentSignIn(floor.clock());
        this.allowPrivate = floor.settings().oauth().allowPrivateIssuers();
    }

    /** {@code GET …/connections}: all of the organization, the oldest first. */
    public Future<Reply> list(ApiRequest request) {
        return connections
                .list(OrganizationHandler.caller(request), OrganizationHandler.id(request))
                .map(Reply::ok);
    }

    private record Stored(@JsonUnwrapped OrganizationConnection connection, List<String> warnings) {}

    /** {@code POST …/connections}. */
    public Future<Reply> add(ApiRequest request) {
        requireRecentSignIn(request);
        var given = OrganizationHandler.fields(request, fields -> ConnectionFields.New.read(fields, allowPrivate));
        return connections
                .add(OrganizationHandler.caller(request), OrganizationHandler.id(request), given)
                .compose(added -> stored(request, added))
                .map(Reply::created);
    }

    /** {@code PATCH …/connections/:connectionId}: changes the given fields. */
    public Future<Reply> update(ApiRequest request) {
        requireRecentSignIn(request);
        var changes =
                OrganizationHandler.fields(request, fields -> ConnectionFields.Changes.read(fields, allowPrivate));
        return connections
                .update(
                        OrganizationHandler.caller(request),
                        OrganizationHandler.id(request),
                        connection(request),
                        changes)
                .compose(changed -> stored(request, changed))
                .map(Reply::ok);
    }

    /** {@code DELETE …/connections/:connectionId}; its members stay. */
    public Future<Reply> remove(ApiRequest request) {
        requireRecentSignIn(request);
        return connections
                .remove(OrganizationHandler.caller(request), OrganizationHandler.id(request), connection(request))
                .map(removed -> Reply.success());
    }

    private static UUID connection(ApiRequest request) {
        return request.pathId("connectionId");
    }

    /** A connection is a way in to all accounts of the organization's domains. The guard asks dashboard users. */
    private void requireRecentSignIn(ApiRequest request) {
        request.userIfAny().ifPresent(recent::require);
    }

    private Future<Stored> stored(ApiRequest request, OrganizationConnection connection) {
        return providers
                .operations
                .warnings(request.project().id(), connection.provider())
                .map(warnings -> new Stored(connection, warnings));
    }
}
