package dev.vestibule.oauth.server;

import dev.vestibule.access.Floor;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.budget.BudgetKind;
import dev.vestibule.project.budget.Budgets;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.key.UserKeyModule;
import dev.vestibule.webhook.delivery.LogoutMessages;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** Builds the authorization server. */
public final class OauthServerModule {
    /**
     * How long a client by metadata document that nobody uses is remembered after its document has to be read again:
     * until the last request that it could have begun is over. Strangers can make any number of them.
     */
    private static final Duration FORGET_DOCUMENT = Duration.ofMinutes(15);

    private static final int BATCH = 1000;

    /** What the page asks about authorization requests. */
    public final Authorizations authorizations;
    /** The endpoints for clients and APIs. */
    public final OauthServerHandler operations;
    /** What clients ask for before a person comes. */
    public final RequestHandler requests;
    /** The management of clients. */
    public final ClientHandler clients;
    /** The management of APIs. */
    public final ResourceHandler resources;
    /** The applications that have access to users' accounts. */
    public final GrantHandler grants;
    /** The clients that register themselves. */
    public final RegistrationHandler registrations;
    /** What the page asks about requests to sign out. */
    public final Logouts logouts;

    private final TokenModule tokens;
    private final Clock clock;

    public OauthServerModule(Floor floor, SessionModule sessions, UserKeyModule userKeys, TokenModule tokens) {
        var database = floor.database();
        this.tokens = tokens;
        this.clock = floor.clock();
        var registry =
                new Registry(database, floor.feed(), floor.settings().oauth().clientCacheBytes());
        var limits = floor.settings().limits();
        var budgets = new Budgets(BudgetKind.REGISTRATIONS, limits, clock);
        var networks = new KeyedHash(floor.masterKeys(), "networks of registrations");
        var all = new Clients(
                database,
                registry,
                new ClientDocuments(floor.vertx(), floor.settings().oauth().allowPrivateIssuers(), clock),
                new NewClientBudget(
                        database, budgets, networks, NewClientBudget.Way.DOCUMENT, limits.clientDocumentsPerDay()),
                clock);
        var live = new Grants(
                database,
                sessions.connections,
                clock,
                floor.settings().sessions().refreshGrace());
        var grantTokens =
                new GrantTokens(tokens.signedTokens, new KeyedHash(floor.masterKeys(), "oauth refresh tokens"), clock);
        var oauth = floor.settings().oauth();
        var urls = OwnUrls.of(floor.settings());
        var assertions = new ClientAssertions(
                database, new ClientKeys(floor.vertx(), oauth, urls, clock), tokens.signedTokens, clock);
        var authenticator = new ClientAuthenticator(registry, all, assertions);
        var proofs = new DpopProofs(database, tokens.signedTokens, clock);
        var accessTokens = new AccessTokens(grantTokens, live, userKeys.keys, proofs);
        var devices = new DeviceFlow(
                database,
                registry,
                floor.settings().publicUrl(),
                new KeyedHash(floor.masterKeys(), "networks of devices"),
                clock);
        var codes = new CodeGrants(database, registry, live, grantTokens, devices, clock);
        var endpoint = new TokenEndpoint(
                authenticator,
                proofs,
                Map.of(
                        GrantType.CODE,
                        codes::byCode,
                        GrantType.DEVICE_CODE,
                        codes::byDeviceCode,
                        GrantType.REFRESH,
                        new RefreshGrant(
                                database,
                                registry,
                                live,
                                grantTokens,
                                clock,
                                floor.settings().sessions().refreshGrace()),
                        GrantType.CREDENTIALS,
                        new CredentialsGrant(database, registry, grantTokens, clock),
                        GrantType.TOKEN_EXCHANGE,
                        new TokenExchange(database, registry, accessTokens, grantTokens, clock)));
        this.authorizations = new Authorizations(database, registry, all, tokens.signedTokens, oauth.maxOpen(), clock);
        this.operations = new OauthServerHandler(
                database,
                authenticator,
                endpoint,
                accessTokens,
                grantTokens,
                userKeys.keys,
                new ServerMetadata(tokens.signedTokens),
                floor.meters().grants);
        var changes = new ProjectChanges(database, floor.feed());
        this.requests = new RequestHandler(authenticator, authorizations, devices, proofs);
        this.clients = new ClientHandler(database, changes, urls, clock);
        this.registrations = new RegistrationHandler(
                database,
                new NewClientBudget(
                        database, budgets, networks, NewClientBudget.Way.REGISTRATION, limits.registrationsPerDay()),
                tokens.signedTokens,
                urls,
                oauth.maxRegistered(),
                clock);
        this.grants = new GrantHandler(database, floor.meters().grants, clock);
        this.logouts = new Logouts(all, tokens.signedTokens);
        this.resources = new ResourceHandler(database, changes, clock);
    }

    /** What clients are told when a session has ended, by work that has connections of its own. */
    public LogoutMessages logoutMessages(Database database) {
        return new LogoutTokens(database, tokens.signedTokens(database), clock);
    }

    /** Removes the grants and consents of clients and APIs that have ended; maintenance calls this every second. */
    public Future<Void> removeEnded(Database at) {
        return new EndingStore().removeEnded(at);
    }

    /** Removes what has expired; maintenance calls this regularly. */
    public Future<Void> purge(Database at) {
        var now = clock.instant();
        return RequestStore.EXPIRED
                .remove(at, now)
                .compose(done -> DeviceRequestStore.EXPIRED.remove(at, now.minus(DeviceFlow.REMEMBERED)))
                .compose(done -> Batches.repeat(
                        () -> new GrantStore().sweep(at.writes(), now, BATCH).map(count -> count == BATCH)))
                .compose(done -> ClientStore.UNUSED_DOCUMENTS.remove(at, now.minus(FORGET_DOCUMENT)))
                .compose(done -> ClientStore.UNUSED.remove(at, now.minus(RegistrationHandler.UNUSED)));
    }
}
