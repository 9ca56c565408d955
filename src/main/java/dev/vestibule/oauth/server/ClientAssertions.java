package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.oauth.jose.SignedAssertion;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.UsedOnceStore;
import dev.vestibule.project.UsedOnceStore.Kind;
import dev.vestibule.token.SignedTokens;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Identifies clients that sign a JWT instead of sending a secret (RFC 7523; OpenID Connect Core, 9), and clients that
 * send the token by which somebody whom they trust says which workload they are.
 */
final class ClientAssertions {
    static final String PARAMETER = "client_assertion";
    static final String TYPE_PARAMETER = "client_assertion_type";

    private static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** Kubernetes makes tokens for an hour unless it is told otherwise. */
    private static final Duration LONGEST_OF_WORKLOAD = Duration.ofDays(1);

    private static final int MAX_ID = 255;

    private final Database database;
    private final ClientKeys keys;
    private final SignedTokens tokens;
    private final UsedOnceStore used = new UsedOnceStore();
    private final Clock clock;

    ClientAssertions(Database database, ClientKeys keys, SignedTokens tokens, Clock clock) {
        this.database = database;
        this.keys = keys;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** Fails with {@code invalid_client}, and says why, since a developer reads it. */
    Future<Client> authenticate(ApiRequest request, Parameters given, Clients.Search search) {
        if (!given.required(TYPE_PARAMETER).equals(TYPE)) {
            return refuse("The client_assertion_type must be " + TYPE + ".");
        }
        var project = request.project().id();
        var parsed = SignedAssertion.parse(given.required(PARAMETER));
        if (parsed.isEmpty()) {
            return refuse("The client_assertion must be a JWT that is signed by one of "
                    + String.join(", ", SignedAssertion.ALGORITHMS) + ".");
        }
        var assertion = parsed.get();
        var issuer = assertion.text("iss");
        var named = given.find("client_id");
        if (named.isPresent() && !issuer.equals(named.get()) && !issuer.equals(assertion.text("sub"))) {
            return client(search, request, named.get(), Client.FEDERATED_IDENTITY)
                    .compose(client -> counted(request, client, () -> federated(project, client, assertion)));
        }
        var id = assertion.text("sub");
        if (id.isEmpty() || !id.equals(issuer) || !named.orElse(id).equals(id)) {
            return refuse("The iss and sub of the client_assertion must be the client_id, or the request must have the"
                    + " client_id of a client with federated identities.");
        }
        return client(search, request, Parameters.printable(id), Client.PRIVATE_KEY_JWT)
                .compose(client -> counted(
                        request,
                        client,
                        () -> keys.find(client, assertion.keyId())
                                .compose(its -> assertion.isSignedBy(its)
                                        ? accept(project, client, assertion)
                                        : refuse("The client_assertion is signed by no key of the client."))));
    }

    private static Future<Client> client(Clients.Search search, ApiRequest request, String id, String method) {
        return search.find(request, id, () -> request.beforeCheckOfClient(""))
                .map(found -> found.filter(client -> client.authentication().equals(method))
                        .orElseThrow(() -> {
                            request.countWrongOfClient("");
                            return OauthError.invalidClient(false);
                        }));
    }

    /** Checking an assertion takes time and may fetch keys, so wrong ones count for their network. */
    private static Future<Client> counted(ApiRequest request, Client client, Supplier<Future<Client>> check) {
        request.beforeCheckOfClient(client.id());
        return check.get().recover(failure -> {
            if (failure instanceof OauthError) {
                request.countWrongOfClient(client.id());
            }
            return Future.failedFuture(failure);
        });
    }

    /** Looks at the claims first: nobody is asked for keys because of a token that would not do anyway. */
    private Future<Client> federated(ProjectId project, Client client, SignedAssertion token) {
        return client.federatedIdentities().stream()
                .filter(identity -> identity.matches(token, audiences(project)))
                .findFirst()
                .map(identity -> federated(project, client, identity, token))
                .orElseGet(() -> refuse(
                        "The client has no federated identity with the iss, sub and aud of the client_assertion."));
    }

    private Future<Client> federated(
            ProjectId project, Client client, FederatedIdentity identity, SignedAssertion token) {
        var until = token.currentUntil(clock.instant(), LONGEST_OF_WORKLOAD);
        if (until.isEmpty()) {
            return refuse("The client_assertion has expired, has no exp, or is valid for more than a day.");
        }
        return keys.find(identity, token.keyId())
                .compose(its -> !token.isSignedBy(its)
                        ? refuse(
                                "The client_assertion is signed by no key of its issuer, or the issuer's keys cannot be read.")
                        : identity.singleUse() && !token.text("jti").isEmpty()
                                ? takeOnce(project, client, token, until.get())
                                : Future.succeededFuture(client));
    }

    private Future<Client> accept(ProjectId project, Client client, SignedAssertion assertion) {
        if (!assertion.isFor(audiences(project))) {
            return refuse("The aud of the client_assertion must be " + tokens.issuer(project) + ".");
        }
        var until = assertion.currentUntil(clock.instant(), LONGEST);
        if (until.isEmpty()) {
            return refuse("The client_assertion has expired, has no exp, or is valid for more than 5 minutes.");
        }
        return takeOnce(project, client, assertion, until.get());
    }

    private Future<Client> takeOnce(ProjectId project, Client client, SignedAssertion assertion, Instant until) {
        var id = assertion.text("jti");
        return id.isEmpty() || id.length() > MAX_ID
                ? refuse("The client_assertion needs a jti of at most " + MAX_ID + " characters.")
                : used.take(
                                database.writes(),
                                project,
                                Kind.PROOF,
                                Sha256.of("assertion\n" + client.id() + "\n" + id),
                                until)
                        .compose(isFirst -> isFirst
                                ? Future.succeededFuture(client)
                                : refuse("The client_assertion was used before."));
    }

    /** The issuer, as new specifications want it, or an endpoint, as the older ones do. */
    private Set<String> audiences(ProjectId project) {
        var issuer = tokens.issuer(project);
        return Set.of(issuer, issuer + ServerMetadata.TOKEN, issuer + ServerMetadata.PUSH);
    }

    private static <T> Future<T> refuse(String why) {
        return Future.failedFuture(OauthError.invalidClient(why));
    }
}
