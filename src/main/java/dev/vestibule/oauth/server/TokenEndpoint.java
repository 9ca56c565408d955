package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.oauth.server.GrantTokens.Response;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Exchanges codes, refresh tokens, credentials and the tokens of others for tokens (RFC 6749, 3.2). */
final class TokenEndpoint {
    /** In the order in which the metadata names them. */
    static final List<String> TYPES = List.of(
            GrantType.CODE, GrantType.REFRESH, GrantType.CREDENTIALS, GrantType.DEVICE_CODE, GrantType.TOKEN_EXCHANGE);

    private final ClientAuthenticator authenticator;
    private final DpopProofs proofs;
    private final Map<String, GrantType> types;

    TokenEndpoint(ClientAuthenticator authenticator, DpopProofs proofs, Map<String, GrantType> types) {
        this.authenticator = authenticator;
        this.proofs = proofs;
        this.types = types;
    }

    Future<Response> token(ApiRequest request, Parameters given) {
        var type = Optional.ofNullable(types.get(given.required("grant_type")));
        return authenticator.authenticate(request, given).compose(client -> {
            var known = type.orElseThrow(
                    () -> OauthError.of("unsupported_grant_type", "This grant_type is not supported."));
            return proofs.check(request, ServerMetadata.TOKEN, null).compose(key -> {
                if (client.dpopBoundAccessTokens() && key.isEmpty()) {
                    throw OauthError.of(OauthError.INVALID_PROOF, "The client needs a DPoP header.");
                }
                return known.issue(request, client, given, key.orElse(null));
            });
        });
    }
}
