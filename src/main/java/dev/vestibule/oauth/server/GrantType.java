package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.oauth.server.GrantTokens.Response;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** One way to get tokens (RFC 6749, 1.3), of a client that has proved who it is. */
@FunctionalInterface
interface GrantType {
    String CODE = "authorization_code";
    String REFRESH = "refresh_token";
    String CREDENTIALS = "client_credentials";
    String DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";
    String TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

    /**
     * Fails with an {@link OauthError} for the client.
     *
     * @param key the thumbprint of the key that the client proves to have; null without a proof
     */
    Future<Response> issue(ApiRequest request, Client client, Parameters given, @Nullable String key);
}
