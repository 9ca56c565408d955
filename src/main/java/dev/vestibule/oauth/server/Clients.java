package dev.vestibule.oauth.server;

import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import java.util.Optional;

/** Finds the clients of a project by the id that they send. */
final class Clients {
    private final Database database;
    private final ClientStore store = new ClientStore();

    Clients(Database database) {
        this.database = database;
    }

    /** The client at the beginning of an authorization. */
    Future<Optional<Client>> find(ProjectId project, String id) {
        return known(project, id);
    }

    /** The client later on, as it was at the beginning. */
    Future<Optional<Client>> known(ProjectId project, String id) {
        return store.find(database.reads(), project, id);
    }
}
