package dev.vestibule.oauth.server;

import dev.vestibule.access.Floor;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.key.UserKeyModule;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;

/** Builds the authorization server. */
public final class OauthServerModule {
    /**
     * How long a client by metadata document that nobody uses is remembered after its document has to be read again:
     * until the last request that it could have begun is over. Strangers can make any number of them.
     */
    private static final Duration FORGET_DOCUMENT = Duration.ofMinutes(15);

    private static final int BATCH = 1000;

    private final Authorizations authorizations;
    private final OauthServerHandler operations;
    private final ClientHandler clients;
    private final ResourceHandler resources;
    private final Clock clock;

    public OauthServerModule(Floor floor, UserKeyModule userKeys, TokenModule tokens) {
        var database = floor.database();
        this.clock = floor.clock();
        var all = new Clients(
                database,
                new ClientDocuments(floor.vertx(), floor.settings().oauth().allowPrivateIssuers(), clock),
                clock);
        var live = new Grants(database, clock);
        var grantTokens = new GrantTokens(
                tokens.signedTokens(), new KeyedHash(floor.masterKeys(), "oauth refresh tokens"), clock);
        var authenticator = new ClientAuthenticator(database, all);
        var endpoint = new TokenEndpoint(
                database,
                authenticator,
                live,
                grantTokens,
                userKeys.keys(),
                clock,
                floor.settings().sessions().refreshGrace());
        this.authorizations = new Authorizations(database, all, tokens.signedTokens(), clock);
        this.operations = new OauthServerHandler(
                database,
                authenticator,
                endpoint,
                grantTokens,
                live,
                userKeys.keys(),
                new ServerMetadata(tokens.signedTokens()));
        this.clients = new ClientHandler(database, clock);
        this.resources = new ResourceHandler(database, clock);
    }

    /** What the page asks about authorization requests. */
    public Authorizations authorizations() {
        return authorizations;
    }

    /** The endpoints for clients and APIs. */
    public OauthServerHandler operations() {
        return operations;
    }

    /** The management of clients. */
    public ClientHandler clients() {
        return clients;
    }

    /** The management of APIs. */
    public ResourceHandler resources() {
        return resources;
    }

    /** Removes what has expired; maintenance calls this regularly. */
    public Future<Void> purge(Database at) {
        var now = clock.instant();
        return Batches.repeat(
                        () -> new RequestStore().purge(at.writes(), now, BATCH).map(done -> done == BATCH))
                .compose(done -> Batches.repeat(
                        () -> new GrantStore().purge(at.writes(), now, BATCH).map(count -> count == BATCH)))
                .compose(done -> Batches.repeat(() -> new ClientStore()
                        .purge(at.writes(), now.minus(FORGET_DOCUMENT), BATCH)
                        .map(count -> count == BATCH)));
    }
}
