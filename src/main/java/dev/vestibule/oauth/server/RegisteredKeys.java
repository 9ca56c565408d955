package dev.vestibule.oauth.server;

import dev.vestibule.json.Change;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.jose.PublishedKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Public keys that are part of a registration, as its field {@code jwks} (RFC 7517). */
final class RegisteredKeys {
    private static final List<String> PRIVATE_MEMBERS = List.of("d", "p", "q", "dp", "dq", "qi", "oth", "k");

    /** Of at most 10,000 characters, and nothing that PostgreSQL cannot store. */
    static final FieldType<Map<String, Object>> TYPE = FieldType.object(10_000);

    private RegisteredKeys() {}

    /** Refuses a set without a usable key, and one with a private key; null if there is none. */
    static @Nullable Map<String, Object> read(Fields fields) {
        return change(fields).value();
    }

    /** As {@link #read} does, for a partial update. */
    static Change<Map<String, Object>> change(Fields fields) {
        var given = fields.change("jwks", TYPE);
        if (given.value() != null) {
            problem(given.value()).ifPresent(problem -> fields.reject("jwks", problem));
        }
        return given;
    }

    /** What is wrong with a key set; empty if nothing is. */
    static Optional<String> problem(Map<String, Object> given) {
        if (given.get("keys") instanceof List<?> keys
                && keys.stream()
                        .anyMatch(key -> key instanceof Map<?, ?> members
                                && PRIVATE_MEMBERS.stream().anyMatch(members::containsKey))) {
            return Optional.of(
                    "must have public keys only: replace the private key, which was just sent over the network");
        }
        return of(given).isEmpty()
                ? Optional.of("must be a key set (RFC 7517) with an EC or RSA key")
                : Optional.empty();
    }

    static List<PublishedKey> of(Map<String, Object> jwks) {
        return PublishedKey.ofSet(Json.parseOwn(Json.encode(jwks))).orElse(List.of());
    }
}
