package dev.vestibule.oauth.client;

import com.nimbusds.jose.jwk.JWK;
import dev.vestibule.fixture.FakeProvider;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/** Providers of the catalogue with their endpoints moved to a server that responds as the test tells it to. */
final class MovedEndpoints implements AutoCloseable {
    private final FakeProvider server = new FakeProvider();
    private final Map<String, TestProviderClient> talks = new HashMap<>();

    FakeProvider server() {
        return server;
    }

    /** A client for which each endpoint of the entry is a path with the endpoint's name. */
    TestProviderClient talk(String provider, String... endpoints) {
        return talks.computeIfAbsent(provider, missing -> {
            var lines = new StringBuilder(provider + ":\n");
            for (var endpoint : endpoints) {
                lines.append("  %s: %s/%s\n".formatted(endpoint, server.url(), endpoint));
            }
            return TestProviderClient.with(lines.toString());
        });
    }

    void gives(String idToken) {
        server.answers(
                "/tokenEndpoint",
                new JsonObject().put("access_token", "an access token").put("id_token", idToken));
    }

    void publish(JWK key) {
        publish(new JsonObject(key.toPublicJWK().toJSONObject()));
    }

    void publish(JsonObject key) {
        server.answers("/jwksUri", new JsonObject().put("keys", new JsonArray().add(key)));
    }

    @Override
    public void close() {
        talks.values().forEach(TestProviderClient::close);
        server.close();
    }
}
