package dev.vestibule.oauth.jose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.jwk.JWK;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A public key of somebody else (RFC 7517), and the one issuer whose tokens it signs, if the key set names it, as
 * Microsoft's does.
 */
public record PublishedKey(JWK jwk, @Nullable String issuer) {
    /** A longer key set is not read. */
    public static final int MAX_SET_BYTES = 64 * 1024;

    private static final int MAX_KEYS = 30;
    private static final int MAX_TEXT = 1400; // the modulus of 8192 bits
    private static final int MIN_MODULUS = 340; // of 2048 bits (RFC 7518, 3.3)
    private static final int BESIDES_TEXT = 512; // bytes of the objects of a key in memory, without its texts
    private static final int MAX_EXPONENT = 8; // 65537 is the usual one; large ones make a check very slow

    /** The members that checking a signature needs; the others, such as certificates, would only use memory. */
    private static final List<String> MEMBERS = List.of("kty", "use", "alg", "kid", "n", "e", "crv", "x", "y");

    /** The keys of a key set, without those of unknown types (RFC 7517, 5); empty if it is no key set. */
    public static Optional<List<PublishedKey>> ofSet(JsonNode set) {
        var keys = set.path("keys");
        return keys.isArray() && keys.size() <= MAX_KEYS ? Optional.of(read(keys)) : Optional.empty();
    }

    private static List<PublishedKey> read(JsonNode keys) {
        var known = new ArrayList<PublishedKey>();
        for (var key : keys) {
            var members = JsonNodeFactory.instance.objectNode();
            MEMBERS.stream().filter(key::has).forEach(name -> members.set(name, key.get(name)));
            var issuer = key.path("issuer").textValue();
            if (isReasonable(members) && (issuer == null || issuer.length() <= MAX_TEXT)) {
                try {
                    known.add(new PublishedKey(JWK.parse(members.toString()), issuer));
                } catch (ParseException | IllegalArgumentException unusable) {
                    // skipped like an unknown type
                }
            }
        }
        return List.copyOf(known);
    }

    /** About how much memory a key set takes. */
    static int bytes(List<PublishedKey> set) {
        var bytes = BESIDES_TEXT;
        for (var key : set) {
            var issuer = key.issuer();
            bytes += BESIDES_TEXT + 2 * key.jwk().toJSONString().length() + (issuer == null ? 0 : 2 * issuer.length());
        }
        return bytes;
    }

    /** Microsoft's key set serves many tenants, and names the issuer that each key signs for. */
    public boolean isFor(String ofToken, String tenant) {
        return issuer == null || issuer.replace("{tenantid}", tenant).equals(ofToken);
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
