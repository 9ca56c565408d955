package dev.vestibule.oauth.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.authentication.oauth.RedirectUrl;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.Violation;
import dev.vestibule.json.Change;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of a client in a request; all that is missing follows from the kind, or stays as it is. */
record ClientFields(
        ClientKind kind,
        @Nullable String name,
        @Nullable List<String> redirectUris,
        @Nullable List<String> postLogoutRedirectUris,
        Change<String> backchannelLogoutUri,
        @Nullable Boolean firstParty,
        @Nullable String authentication,
        Change<Map<String, Object>> jwks,
        Change<String> jwksUri,
        @Nullable List<FederatedIdentity> federatedIdentities,
        @Nullable Boolean requirePkce,
        @Nullable Boolean requirePushedRequests,
        @Nullable Boolean deviceFlow,
        @Nullable Boolean tokenExchange,
        @Nullable Boolean dpopBoundAccessTokens,
        @Nullable String idTokenAlgorithm,
        @Nullable Boolean claimsInIdToken,
        @Nullable Map<String, List<String>> apiScopes,
        @Nullable String resource) {
    private static final List<String> CHANGEABLE = List.of(
            "name",
            "redirectUris",
            "postLogoutRedirectUris",
            "backchannelLogoutUri",
            "firstParty",
            "authentication",
            "jwks",
            "jwksUri",
            "federatedIdentities",
            "requirePkce",
            "requirePushedRequests",
            "deviceFlow",
            "tokenExchange",
            "dpopBoundAccessTokens",
            "idTokenAlgorithm",
            "claimsInIdToken",
            "apiScopes",
            "resource");

    private static final int MAX_NAME = 100;
    private static final int MAX_REDIRECTS = 50;
    private static final int MAX_REDIRECT = 512;
    private static final int MAX_IDENTITIES = 20;
    private static final int MAX_API_SCOPES = 10_000;

    /**
     * A scheme in reverse domain order, which only one application can own (RFC 8252, 7.1), and that nobody can take
     * for the address of a site.
     */
    private static final Pattern APP_SCHEME =
            Pattern.compile("(?!https?\\.)[a-z][a-z0-9+-]*(?:\\.[a-z0-9+-]+)++:/{0,2}[A-Za-z0-9._~/-]*");

    static ClientFields create(Fields fields, OwnUrls urls) {
        var kind = fields.required("kind", ClientKind::registrable);
        var read = read(fields, Objects.requireNonNullElse(kind, ClientKind.WEB), urls);
        if (read.name() == null && !fields.isGiven("name")) {
            fields.reject("name", "is required");
        }
        if (read.kind().usesCodes()
                && (read.redirectUris() == null || read.redirectUris().isEmpty())
                && !fields.isGiven("redirectUris")) {
            fields.reject("redirectUris", "is required");
        }
        if (read.kind() == ClientKind.API && read.resource() == null && !fields.isGiven("resource")) {
            fields.reject("resource", "is required");
        }
        return read;
    }

    /** Refuses fields that no client has, before it is known which kind of client it is. */
    static void refuseUnknown(ObjectNode body) {
        Fields.readStrictly(body, fields -> {
            CHANGEABLE.forEach(fields::ignore);
            return CHANGEABLE;
        });
    }

    static ClientFields read(Fields fields, ClientKind kind, OwnUrls urls) {
        if (fields.isGiven("jwks") && fields.isGiven("jwksUri")) {
            fields.reject("jwksUri", "must not be given together with jwks");
        }
        return new ClientFields(
                kind,
                fields.optional("name", text -> Text.line(text, MAX_NAME)),
                fields.optional("redirectUris", FieldType.strings(MAX_REDIRECTS, text -> redirectUri(kind, text))),
                fields.optional(
                        "postLogoutRedirectUris", FieldType.strings(MAX_REDIRECTS, text -> redirectUri(kind, text))),
                fields.change("backchannelLogoutUri", text -> logoutUri(kind, text, urls)),
                fields.optional("firstParty", FieldType.bool()),
                fields.optional("authentication", text -> authentication(kind, text)),
                RegisteredKeys.change(fields),
                fields.change("jwksUri", urls::keys),
                identities(fields, kind, urls),
                fields.optional("requirePkce", FieldType.bool()),
                fields.optional("requirePushedRequests", FieldType.bool()),
                deviceFlow(fields, kind),
                tokenExchange(fields, kind),
                fields.optional("dpopBoundAccessTokens", FieldType.bool()),
                fields.optional("idTokenAlgorithm", ClientFields::algorithm),
                fields.optional("claimsInIdToken", FieldType.bool()),
                apiScopes(fields),
                fields.optional("resource", ResourceFields::uri));
    }

    private static @Nullable List<FederatedIdentity> identities(Fields fields, ClientKind kind, OwnUrls urls) {
        if (!fields.isGiven("federatedIdentities")) {
            return null;
        }
        var given = fields.objects(
                "federatedIdentities", MAX_IDENTITIES, identity -> FederatedIdentity.read(identity, urls));
        if (kind != ClientKind.SERVICE && !given.isEmpty()) {
            fields.reject("federatedIdentities", "must be empty: only a client of the kind service can have them");
        }
        return given;
    }

    private static @Nullable Boolean deviceFlow(Fields fields, ClientKind kind) {
        var given = fields.optional("deviceFlow", FieldType.bool());
        if (Boolean.TRUE.equals(given) && !kind.usesCodes()) {
            fields.reject("deviceFlow", "must be false: nobody signs in to this kind of client");
        }
        return given;
    }

    /** Only clients with a secret can exchange tokens: tokens that they got, or that they are sent. */
    private static @Nullable Boolean tokenExchange(Fields fields, ClientKind kind) {
        var given = fields.optional("tokenExchange", FieldType.bool());
        if (Boolean.TRUE.equals(given) && kind != ClientKind.WEB && kind != ClientKind.API) {
            fields.reject("tokenExchange", "must be false: only a client of the kind web or api can exchange tokens");
        }
        return given;
    }

    private static String logoutUri(ClientKind kind, String text, OwnUrls urls) {
        if (!kind.usesCodes()) {
            throw new InvalidValueException("must be empty: nobody signs in to this kind of client");
        }
        return urls.logout(text);
    }

    private static @Nullable Map<String, List<String>> apiScopes(Fields fields) {
        var given = fields.optional("apiScopes", FieldType.object(MAX_API_SCOPES));
        if (given == null) {
            return null;
        }
        var scopes = new LinkedHashMap<String, List<String>>();
        given.forEach((resource, names) -> {
            var granted = new ArrayList<String>();
            try {
                ((List<?>) names).forEach(name -> granted.add(ResourceFields.scopeName((String) name)));
                scopes.put(ResourceFields.uri(resource), List.copyOf(granted));
            } catch (ClassCastException | InvalidValueException wrong) {
                fields.reject("apiScopes", "must have a list of scopes for each URI of an API");
            }
        });
        return scopes;
    }

    /** RFC 9700, 2.1; RFC 8252. */
    static String redirectUri(ClientKind kind, String text) {
        if (!kind.usesCodes()) {
            throw new InvalidValueException("must be empty: nobody signs in to this kind of client");
        }
        if (text.length() > MAX_REDIRECT) {
            throw new InvalidValueException("must have at most " + MAX_REDIRECT + " characters");
        }
        if (kind == ClientKind.NATIVE && APP_SCHEME.matcher(text).matches()) {
            return text;
        }
        var url = RedirectUrl.of(text);
        if (url.fragment() != null || text.contains("#")) {
            throw new InvalidValueException("must not have a fragment");
        }
        if (!url.scheme().equals("https") && !Client.isLoopback(text)) {
            throw new InvalidValueException("must be https, or http on localhost, 127.0.0.1 or [::1]"
                    + (kind == ClientKind.NATIVE
                            ? ", or have a scheme of your own such as com.example.app:/callback"
                            : ""));
        }
        return text;
    }

    private static String authentication(ClientKind kind, String text) {
        var allowed = new ArrayList<>(
                kind.isPublic()
                        ? List.of(Client.NONE)
                        : List.of(
                                Client.ANY,
                                ClientAuthenticator.BASIC,
                                ClientAuthenticator.POST,
                                Client.PRIVATE_KEY_JWT));
        if (kind == ClientKind.SERVICE) {
            allowed.add(Client.FEDERATED_IDENTITY);
        }
        if (!allowed.contains(text)) {
            throw new InvalidValueException("must be " + String.join(" or ", allowed));
        }
        return text;
    }

    private static String algorithm(String text) {
        if (!text.equals("RS256") && !text.equals("ES256")) {
            throw new InvalidValueException("must be RS256 or ES256");
        }
        return text;
    }

    Client create(String id, Instant now) {
        return over(
                new Client(
                        id,
                        kind,
                        "",
                        List.of(),
                        List.of(),
                        true,
                        kind.isPublic() ? Client.NONE : Client.ANY,
                        null,
                        null,
                        List.of(),
                        true,
                        false,
                        kind == ClientKind.NATIVE,
                        false,
                        false,
                        "RS256",
                        true,
                        Map.of(),
                        null,
                        false,
                        null,
                        now,
                        now),
                now);
    }

    /** PKCE cannot be lifted from clients that have no secret; a key set and its URL replace each other. */
    Client over(Client old, Instant now) {
        var nextAuthentication = Objects.requireNonNullElse(authentication, authenticationAfter(old));
        var nextJwks = jwks.isMade() || jwksUri.value() != null ? jwks.value() : old.jwks();
        var nextJwksUri = jwksUri.isMade() || jwks.value() != null ? jwksUri.value() : old.jwksUri();
        var identities = Objects.requireNonNullElse(federatedIdentities, old.federatedIdentities());
        if (nextAuthentication.equals(Client.FEDERATED_IDENTITY) && identities.isEmpty()) {
            throw ApiException.invalid(
                    List.of(new Violation("federatedIdentities", "is required for " + Client.FEDERATED_IDENTITY)));
        }
        if (nextAuthentication.equals(Client.PRIVATE_KEY_JWT) && nextJwks == null && nextJwksUri == null) {
            throw ApiException.invalid(
                    List.of(new Violation("jwks", "or jwksUri is required for " + Client.PRIVATE_KEY_JWT)));
        }
        return new Client(
                old.id(),
                old.kind(),
                Objects.requireNonNullElse(name, old.name()),
                Objects.requireNonNullElse(redirectUris, old.redirectUris()),
                Objects.requireNonNullElse(postLogoutRedirectUris, old.postLogoutRedirectUris()),
                Objects.requireNonNullElse(firstParty, old.firstParty()),
                nextAuthentication,
                nextJwks,
                nextJwksUri,
                identities,
                old.kind().isPublic() || Objects.requireNonNullElse(requirePkce, old.requirePkce()),
                Objects.requireNonNullElse(requirePushedRequests, old.requirePushedRequests()),
                Objects.requireNonNullElse(deviceFlow, old.deviceFlow()),
                Objects.requireNonNullElse(tokenExchange, old.tokenExchange()),
                Objects.requireNonNullElse(dpopBoundAccessTokens, old.dpopBoundAccessTokens()),
                Objects.requireNonNullElse(idTokenAlgorithm, old.idTokenAlgorithm()),
                Objects.requireNonNullElse(claimsInIdToken, old.claimsInIdToken()),
                Objects.requireNonNullElse(apiScopes, old.apiScopes()),
                resource == null ? old.resource() : resource,
                old.registeredItself(),
                null,
                old.createdAt(),
                now);
    }

    /** What the given credentials are for, unless the client was told how to authenticate. */
    private String authenticationAfter(Client old) {
        if (!old.authentication().equals(Client.ANY)) {
            return old.authentication();
        }
        return jwks.value() != null || jwksUri.value() != null
                ? Client.PRIVATE_KEY_JWT
                : federatedIdentities == null || federatedIdentities.isEmpty() ? Client.ANY : Client.FEDERATED_IDENTITY;
    }
}
