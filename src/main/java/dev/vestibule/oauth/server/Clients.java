package dev.vestibule.oauth.server;

import dev.vestibule.database.Database;
import dev.vestibule.json.Uuids;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import java.time.Clock;
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
            return known(project, id);
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

    private boolean isFresh(Client client) {
        return client.freshUntil() != null && client.freshUntil().isAfter(clock.instant());
    }

    /** The client later on, as it was at the beginning. */
    Future<Optional<Client>> known(ProjectId project, String id) {
        return Uuids.parse(id).isPresent() ? registry.client(project, id) : store.find(database.reads(), project, id);
    }
}
