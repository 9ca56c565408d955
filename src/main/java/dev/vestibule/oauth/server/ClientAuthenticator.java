package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the client that calls an endpoint: by a secret in the header or the form, a signed JWT, or its id alone.
 */
final class ClientAuthenticator {
    static final String BASIC = "client_secret_basic";
    static final String POST = "client_secret_post";

    private static final String SCHEME = "basic ";

    private record Presented(String id, @Nullable String secret, String method) {
        @Override
        public String toString() {
            return "Presented[" + id + "]";
        }
    }

    private final Registry registry;
    private final Clients clients;
    private final ClientAssertions assertions;

    ClientAuthenticator(Registry registry, Clients clients, ClientAssertions assertions) {
        this.registry = registry;
        this.clients = clients;
        this.assertions = assertions;
    }

    /**
     * Fails with {@code invalid_client} if it is not proved who calls, and with a 429 if a network has too often sent
     * what was wrong for the client.
     */
    Future<Client> authenticate(ApiRequest request, Parameters given) {
        return authenticate(
                request, given, (asked, id, beforeLookup) -> clients.known(asked.project(), id, beforeLookup));
    }

    /** As {@link #authenticate}; the client may be new by its metadata document. */
    Future<Client> authenticateNew(ApiRequest request, Parameters given) {
        return authenticate(request, given, clients::find);
    }

    private Future<Client> authenticate(ApiRequest request, Parameters given, Clients.Search search) {
        var header = request.header(HttpHeaders.AUTHORIZATION);
        var isBasic = header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        if (given.has(ClientAssertions.PARAMETER) || given.has(ClientAssertions.TYPE_PARAMETER)) {
            return isBasic || given.has("client_secret")
                    ? Future.failedFuture(twoWays())
                    : assertions.authenticate(request, given, search);
        }
        var presented = isBasic ? basic(String.valueOf(header), given) : posted(given);
        if (presented.isEmpty()) {
            return Future.failedFuture(OauthError.invalidClient(isBasic));
        }
        return search.find(request, presented.get().id(), () -> request.beforeCheckOfClient(""))
                .compose(found -> found.isEmpty()
                        ? refuse(request, "", isBasic)
                        : isProved(request, found.get(), presented.get())
                                .compose(proved -> proved
                                        ? Future.succeededFuture(found.get())
                                        : refuse(request, found.get().id(), isBasic)));
    }

    private static Future<Client> refuse(ApiRequest request, String client, boolean isBasic) {
        request.countWrongOfClient(client);
        return Future.failedFuture(OauthError.invalidClient(isBasic));
    }

    /** A public client must not present a secret, since it has none. */
    private Future<Boolean> isProved(ApiRequest request, Client client, Presented presented) {
        var secret = presented.secret();
        if (client.isPublic() || secret == null) {
            return Future.succeededFuture(client.isPublic() && secret == null);
        }
        return client.authentication().equals(Client.ANY)
                        || client.authentication().equals(presented.method())
                ? hasSecret(request, client, secret)
                : Future.succeededFuture(false);
    }

    /**
     * The secrets of clients that owners have registered are in memory, so the right one is always accepted. One that
     * has registered itself is not among them.
     */
    private Future<Boolean> hasSecret(ApiRequest request, Client client, String secret) {
        var project = request.project().id();
        if (!client.registeredItself()) {
            return registry.hasSecret(project, client.id(), secret);
        }
        request.beforeCheckOfClient(client.id());
        return clients.hasSecret(project, client, secret);
    }

    private static OauthError twoWays() {
        return OauthError.invalidRequest("The client authenticates in two ways.");
    }

    private static Optional<Presented> posted(Parameters given) {
        return given.find("client_id")
                .map(id -> new Presented(id, given.find("client_secret").orElse(null), POST));
    }

    /** RFC 6749, 2.3.1: both parts are form-encoded before they are joined. */
    private static Optional<Presented> basic(String header, Parameters given) {
        if (given.has("client_secret")) {
            throw twoWays();
        }
        try {
            var decoded = new String(
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip()), StandardCharsets.UTF_8);
            var colon = decoded.indexOf(':');
            if (colon < 0) {
                return Optional.empty();
            }
            var id = Parameters.printable(formDecoded(decoded.substring(0, colon)));
            if (!given.find("client_id").orElse(id).equals(id)) {
                throw OauthError.invalidRequest("The client_id differs from that of the header.");
            }
            return Optional.of(new Presented(id, formDecoded(decoded.substring(colon + 1)), BASIC));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /** Ours have nothing to decode. */
    private static String formDecoded(String text) {
        return text.indexOf('%') < 0 && text.indexOf('+') < 0 ? text : URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
