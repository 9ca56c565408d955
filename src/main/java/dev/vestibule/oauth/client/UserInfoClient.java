package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Future;
import java.net.URI;

/** Fetches user info and email addresses with an access token. */
final class UserInfoClient {
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private final ProviderClient client;

    UserInfoClient(ProviderClient client) {
        this.client = client;
    }

    Future<JsonNode> user(ProviderConnection connection, URI endpoint, ProviderTokens tokens) {
        return client.get(connection, endpoint, tokens.accessToken()).map(response -> {
            if (!response.isSuccess() || !response.json().isObject()) {
                throw ProviderException.unusable(
                        connection, "its user info endpoint responded with status " + response.status());
            }
            return response.json();
        });
    }

    /** The primary email; missing if the application may not read emails, as a GitHub app without that permission. */
    Future<JsonNode> primaryEmail(ProviderConnection connection, URI endpoint, ProviderTokens tokens) {
        return client.get(connection, endpoint, tokens.accessToken()).map(response -> {
            if (response.status() == FORBIDDEN || response.status() == NOT_FOUND) {
                return MissingNode.getInstance();
            }
            if (!response.isSuccess() || !response.json().isArray()) {
                throw ProviderException.unusable(
                        connection, "its emails endpoint responded with status " + response.status());
            }
            for (var email : response.json()) {
                if (email.path("primary").asBoolean(false)) {
                    return email;
                }
            }
            return MissingNode.getInstance();
        });
    }
}
