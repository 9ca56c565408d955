package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.json.Uuids;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Finds the clients of a project by the id that they send. */
final class Clients {
    /** How a client is looked up by its id. */
    @FunctionalInterface
    interface Search {
        /**
         * Looks for a client.
         *
         * @param beforeLookup called before the database is asked for it, which it can prevent by throwing
         */
        Future<Optional<Client>> find(ApiRequest request, String id, Runnable beforeLookup);
    }

    private final Database database;
    private final Registry registry;
    private final ClientDocuments documents;
    private final NewClientBudget newDocuments;
    private final ClientStore store = new ClientStore();
    private final ConsentStore consents = new ConsentStore();
    private final Clock clock;

    Clients(
            Database database,
            Registry registry,
            ClientDocuments documents,
            NewClientBudget newDocuments,
            Clock clock) {
        this.database = database;
        this.registry = registry;
        this.documents = documents;
        this.newDocuments = newDocuments;
        this.clock = clock;
    }

    /**
     * The client at the beginning of an authorization, which reads a metadata document that is not known or too old.
     */
    Future<Optional<Client>> find(ApiRequest request, String id) {
        return find(request, id, () -> {});
    }

    /** As {@link Search#find}. */
    Future<Optional<Client>> find(ApiRequest request, String id, Runnable beforeLookup) {
        var project = request.project();
        if (Uuids.parse(id).isPresent()) {
            return known(project, id, beforeLookup)
                    .compose(found -> markUsed(project.id(), found).map(found));
        }
        return documents.isUrl(id)
                ? known(project, id, beforeLookup).compose(found -> refreshed(request, id, found))
                : Future.succeededFuture(Optional.empty());
    }

    private Future<Optional<Client>> refreshed(ApiRequest request, String id, Optional<Client> known) {
        var project = request.project();
        if (!project.clientMetadataDocuments() || known.filter(this::isFresh).isPresent()) {
            return Future.succeededFuture(known);
        }
        var allowed = known.isPresent() || documents.hasJustFailed(id)
                ? Future.<Void>succeededFuture()
                : newDocuments.take(request);
        return allowed.compose(taken -> documents.read(id))
                .compose(read -> read.isEmpty()
                        ? Future.succeededFuture(read)
                        : forgetConsents(project, known, read.get())
                                .compose(forgotten -> store.put(database.writes(), project.id(), read.get()))
                                .map(Optional::of));
    }

    /** People have read where they go when they agreed. */
    private Future<Void> forgetConsents(Project project, Optional<Client> before, Client now) {
        return before.filter(now::leadsElsewhereThan).isEmpty()
                ? Future.succeededFuture()
                : consents.forgetClient(database.writes(), project.id(), now.id());
    }

    private Future<Void> markUsed(ProjectId project, Optional<Client> client) {
        var now = clock.instant();
        return client.filter(Client::registeredItself).isEmpty()
                ? Future.succeededFuture()
                : store.markUsed(database.writes(), project, client.get().id(), now, now.minus(Duration.ofDays(1)));
    }

    private boolean isFresh(Client client) {
        return client.freshUntil() != null && client.freshUntil().isAfter(clock.instant());
    }

    /** Whether it is a secret of a client that has registered itself. */
    Future<Boolean> hasSecret(ProjectId project, Client client, String secret) {
        return store.hasSecret(database.reads(), project, client.id(), Sha256.of(secret));
    }

    /** The client later on, as it was at the beginning. */
    Future<Optional<Client>> known(Project project, String id) {
        return known(project, id, () -> {});
    }

    /** As {@link Search#find}. One with a metadata document is none while the project does not allow them. */
    Future<Optional<Client>> known(Project project, String id, Runnable beforeLookup) {
        if (Uuids.parse(id).isEmpty()) {
            return project.clientMetadataDocuments()
                    ? stored(project, id, beforeLookup)
                    : Future.succeededFuture(Optional.empty());
        }
        return registry.client(project.id(), id)
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture(found)
                        : stored(project, id, beforeLookup)); // it may have registered itself
    }

    private Future<Optional<Client>> stored(Project project, String id, Runnable beforeLookup) {
        beforeLookup.run();
        return store.find(database.reads(), project.id(), id);
    }
}
