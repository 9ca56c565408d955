package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Future;
import java.net.URI;

/** Asks a provider who the owner of an access token is. */
final class UserInfoClient {
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private final ProviderClient client;

    UserInfoClient(ProviderClient client) {
        this.client = client;
    }

    Future<JsonNode> user(ProviderConnection connection, URI endpoint, ProviderTokens tokens) {
        return client.get(connection, endpoint, tokens.accessToken()).map(answer -> {
            if (!answer.isSuccess() || !answer.json().isObject()) {
                throw ProviderErrors.unusable(
                        connection, "its user info endpoint answers with status " + answer.status());
            }
            return answer.json();
        });
    }

    /** The one that the provider calls primary; none where the application may not see them, as with a GitHub app. */
    Future<JsonNode> primaryEmail(ProviderConnection connection, URI endpoint, ProviderTokens tokens) {
        return client.get(connection, endpoint, tokens.accessToken()).map(answer -> {
            if (answer.status() == FORBIDDEN || answer.status() == NOT_FOUND) {
                return MissingNode.getInstance();
            }
            if (!answer.isSuccess() || !answer.json().isArray()) {
                throw ProviderErrors.unusable(connection, "its emails endpoint answers with status " + answer.status());
            }
            for (var email : answer.json()) {
                if (email.path("primary").asBoolean(false)) {
                    return email;
                }
            }
            return MissingNode.getInstance();
        });
    }
}
