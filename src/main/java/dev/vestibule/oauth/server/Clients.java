package dev.vestibule.oauth.server;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.json.Uuids;
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
        Future<Optional<Client>> find(ProjectId project, String id);
    }

    private final Database database;
    private final Registry registry;
    private final ClientDocuments documents;
    private final ClientStore store = new ClientStore();
    private final Clock clock;

    Clients(Database database, Registry registry, ClientDocuments documents, Clock clock) {
        this.database = database;
        this.registry = registry;
        this.documents = documents;
        this.clock = clock;
    }

    /** The client at the beginning of an authorization, which reads a metadata document that is not known or too old. */
    Future<Optional<Client>> find(ProjectId project, String id) {
        if (Uuids.parse(id).isPresent()) {
            return known(project, id).compose(found -> markUsed(project, found).map(found));
        }
        return documents.isUrl(id)
                ? known(project, id)
                        .compose(found -> found.filter(this::isFresh).isPresent()
                                ? Future.succeededFuture(found)
                                : documents
                                        .read(id)
                                        .compose(read -> read.isEmpty()
                                                ? Future.succeededFuture(read)
                                                : store.put(database.writes(), project, read.get())
                                                        .map(Optional::of)))
                : Future.succeededFuture(Optional.empty());
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
    Future<Optional<Client>> known(ProjectId project, String id) {
        return Uuids.parse(id).isEmpty()
                ? store.find(database.reads(), project, id)
                : registry.client(project, id)
                        .compose(found -> found.isPresent()
                                ? Future.succeededFuture(found)
                                : store.find(database.reads(), project, id)); // it may have registered itself
    }
}
