package dev.vestibule.oauth.server;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.database.FeedCache;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What owners have registered: the clients of a project with the hashes of their secrets, and its APIs. Each request
 * for tokens needs them, and they seldom change, so they are kept in memory until the change feed tells of a change.
 */
final class Registry {
    /** The approximate memory of a client, and of an API without its scopes. */
    private static final int ENTRY_BYTES = 2048;

    private static final int SCOPE_BYTES = 512;

    /** All of a project. */
    record Registered(Map<String, Client> clients, Map<String, Set<Buffer>> secretHashes, List<Resource> resources) {
        int bytes() {
            var scopes = resources.stream()
                    .mapToInt(resource -> resource.scopes().size())
                    .sum();
            return ENTRY_BYTES * (1 + clients.size() + resources.size()) + SCOPE_BYTES * scopes;
        }

        @Override
        public String toString() {
            return "Registered";
        }
    }

    private final Database database;
    private final ClientStore clients = new ClientStore();
    private final ResourceStore resources = new ResourceStore();
    private final FeedCache<ProjectId, Registered> cache;

    Registry(Database database, ChangeFeed feed, int maxBytes) {
        this.database = database;
        this.cache = FeedCache.boundedByBytes(feed, maxBytes, Registered::bytes, ProjectId::new);
    }

    /** Where no heartbeat continues the one before, also one that has registered itself. */
    Future<Optional<Client>> client(ProjectId project, String id) {
        return part(
                project,
                all -> Optional.ofNullable(all.clients().get(id)),
                () -> clients.find(database.reads(), project, id));
    }

    Future<Boolean> hasSecret(ProjectId project, String client, String secret) {
        var hash = Sha256.of(secret);
        return part(
                project,
                all -> all.secretHashes().getOrDefault(client, Set.of()).contains(Buffer.buffer(hash)),
                () -> clients.hasSecret(database.reads(), project, client, hash));
    }

    /** The APIs of the project. */
    Future<List<Resource>> resources(ProjectId project) {
        return part(project, Registered::resources, () -> resources.list(database.reads(), project));
    }

    private <P> Future<P> part(ProjectId project, Function<Registered, P> part, Supplier<Future<P>> alone) {
        return cache.part(project, this::load, all -> part.apply(all.orElseThrow()), alone);
    }

    private Future<Optional<Registered>> load(ProjectId project) {
        var db = database.reads();
        var registered = clients.listOfOwners(db, project);
        var hashes = clients.secretHashes(db, project);
        var apis = resources.list(db, project);
        return Future.all(registered, hashes, apis)
                .map(loaded -> Optional.of(new Registered(
                        registered.result().stream()
                                .collect(Collectors.toUnmodifiableMap(Client::id, Function.identity())),
                        hashes.result(),
                        List.copyOf(apis.result()))));
    }
}
