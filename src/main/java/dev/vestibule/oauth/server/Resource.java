package dev.vestibule.oauth.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An API that access tokens are for (RFC 8707).
 *
 * @param uri the audience of its tokens
 * @param isDefault whether it is meant by requests that name no resource
 */
public record Resource(
        UUID id,
        String uri,
        String name,
        List<Scope> scopes,
        @JsonProperty("isDefault") boolean isDefault,
        Instant createdAt,
        Instant updatedAt) {
    /** A scope, and what people read about it on the consent page, by language. */
    public record Scope(String name, Map<String, String> texts) {
        /** Its text in this language, or else in English, or else its name. */
        String text(String language) {
            return texts.getOrDefault(language, texts.getOrDefault("en", name));
        }
    }

    boolean has(String scope) {
        return scopes.stream().anyMatch(own -> own.name().equals(scope));
    }

    /** A root without its slash is the same resource, since URL libraries add one. */
    boolean isNamed(String text) {
        return withoutRootSlash(uri).equals(withoutRootSlash(text));
    }

    private static String withoutRootSlash(String uri) {
        var path = uri.indexOf('/', uri.indexOf("://") + 3);
        return path == uri.length() - 1 ? uri.substring(0, path) : uri;
    }
}
