package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.jwk.JWK;
import dev.vestibule.config.OauthSettings;
import dev.vestibule.oauth.provider.ProviderConnection;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The public keys of issuers (RFC 7517). */
final class ProviderKeys {
    private static final int MAX_KEYS = 30;
    private static final int MAX_TEXT = 1400; // the modulus of 8192 bits
    private static final int MIN_MODULUS = 340; // of 2048 bits (RFC 7518, 3.3)
    private static final int MAX_EXPONENT = 8; // 65537 is the usual one; large ones make a check very slow

    /** The members that checking a signature needs; the others, such as certificates, would only use memory. */
    private static final List<String> MEMBERS = List.of("kty", "use", "alg", "kid", "n", "e", "crv", "x", "y");

    /** So that a provider that signs with unpublished keys is not asked for its keys at every sign in. */
    private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(10);

    /** A key, and the one issuer whose tokens it signs, if the key set names it, as Microsoft's does. */
    record Key(JWK jwk, @Nullable String issuer) {}

    private record Source(URI uri, boolean isChosenByProject) {}

    private final ProviderClient client;
    private final ExpiringCache<Source, List<Key>> sets;
    private final Cache<Source, Boolean> renewed;

    ProviderKeys(Vertx vertx, ProviderClient client, OauthSettings settings, Clock clock) {
        this.client = client;
        this.sets = new ExpiringCache<>(vertx, settings.cacheSize(), settings.metadataLifetime(), clock);
        this.renewed = Caffeine.newBuilder()
                .maximumSize(settings.cacheSize())
                .expireAfterWrite(BETWEEN_RENEWALS)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /** The keys at the URI; they are fetched again if none has the id, since the provider may have rotated them. */
    Future<List<Key>> find(ProviderConnection connection, URI uri, @Nullable String keyId) {
        var source = new Source(uri, connection.entry().isIssuerOfProject());
        return sets.get(source, () -> load(connection, uri)).compose(keys -> {
            if (has(keys, keyId)) {
                return Future.succeededFuture(keys);
            }
            renewed.asMap().computeIfAbsent(source, first -> {
                sets.invalidate(source, keys);
                return true;
            });
            return sets.get(source, () -> load(connection, uri));
        });
    }

    private static boolean has(List<Key> keys, @Nullable String keyId) {
        return keyId == null
                ? !keys.isEmpty()
                : keys.stream().anyMatch(key -> keyId.equals(key.jwk().getKeyID()));
    }

    private Future<List<Key>> load(ProviderConnection connection, URI uri) {
        return client.get(connection, uri, null).map(response -> {
            var keys = response.json().path("keys");
            if (!response.isSuccess() || !keys.isArray() || keys.size() > MAX_KEYS) {
                throw ProviderErrors.unusable(connection, "it has no usable key set");
            }
            return read(keys);
        });
    }

    /** Skips keys of unknown types (RFC 7517, 5). */
    private static List<Key> read(JsonNode keys) {
        var known = new ArrayList<Key>();
        for (var key : keys) {
            var members = JsonNodeFactory.instance.objectNode();
            MEMBERS.stream().filter(key::has).forEach(name -> members.set(name, key.get(name)));
            if (isReasonable(members)) {
                try {
                    known.add(new Key(
                            JWK.parse(members.toString()), key.path("issuer").textValue()));
                } catch (ParseException | IllegalArgumentException unusable) {
                    // skipped like an unknown type
                }
            }
        }
        return List.copyOf(known);
    }

    private static boolean isReasonable(ObjectNode key) {
        var modulus = key.path("n").asText();
        return key.properties().stream()
                        .allMatch(member -> member.getValue().isTextual()
                                && member.getValue().textValue().length() <= MAX_TEXT)
                && (modulus.isEmpty() || modulus.length() >= MIN_MODULUS)
                && key.path("e").asText().length() <= MAX_EXPONENT;
    }
}
