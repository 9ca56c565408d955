package dev.vestibule.oauth.server;

import dev.vestibule.user.User;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The scopes of OpenID Connect Core 5.4 and 11, and the claims about users that they stand for. */
final class StandardScopes {
    static final String OPENID = "openid";
    static final String OFFLINE_ACCESS = "offline_access";

    /** In the order of the consent page. */
    static final List<String> ALL = List.of(OPENID, "profile", "email", "address", "phone", OFFLINE_ACCESS);

    private static final Map<String, Set<String>> CLAIMS = Map.of(
            "profile", Set.of("name", "picture", "updated_at"),
            "email", Set.of("email", "email_verified"),
            "phone", Set.of("phone_number", "phone_number_verified"));

    /** All claims that this server can make about a user. */
    static final List<String> CLAIM_NAMES = List.of(
            "name", "picture", "updated_at", "email", "email_verified", "phone_number", "phone_number_verified");

    private StandardScopes() {}

    /** The scopes that stand for any of these claims. */
    static List<String> ofClaims(List<String> names) {
        return ALL.stream()
                .filter(scope -> CLAIMS.getOrDefault(scope, Set.of()).stream().anyMatch(names::contains))
                .toList();
    }

    /**
     * The claims about the user that the scopes and the names stand for, without those for which the user has no value.
     */
    static Map<String, Object> claims(User user, List<String> scopes, Set<String> names) {
        var claims = new LinkedHashMap<String, Object>();
        all(user).forEach((name, value) -> {
            if (names.contains(name)
                    || scopes.stream()
                            .anyMatch(scope ->
                                    CLAIMS.getOrDefault(scope, Set.of()).contains(name))) {
                claims.put(name, value);
            }
        });
        return claims;
    }

    private static Map<String, Object> all(User user) {
        var all = new LinkedHashMap<String, Object>();
        if (user.displayName() != null) {
            all.put("name", user.displayName());
        }
        if (user.avatarUrl() != null) {
            all.put("picture", user.avatarUrl());
        }
        all.put("updated_at", user.updatedAt().getEpochSecond());
        if (user.email() != null) {
            all.put("email", user.email());
            all.put("email_verified", user.emailVerified());
        }
        if (user.phone() != null) {
            all.put("phone_number", user.phone());
            all.put("phone_number_verified", user.phoneVerified());
        }
        return all;
    }
}
