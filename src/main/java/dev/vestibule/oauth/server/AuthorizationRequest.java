package dev.vestibule.oauth.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A checked authorization request (RFC 6749, 4.1.1; OpenID Connect Core, 3.1.2.1).
 *
 * @param resources the URIs of the APIs, as they are registered
 * @param acrValues how the person should sign in; must, if {@code acrIsEssential}
 * @param hintedUser the only user whom the client wants, by {@code id_token_hint} or the value of the claim {@code sub}
 * @param idTokenClaims claims that are asked for by name
 * @param device the hash of the code of a device that waits; null if the browser goes back to the client
 * @param refusal what was wrong with a request that is kept all the same, to ask its person about the way back
 */
record AuthorizationRequest(
        String clientId,
        String redirectUri,
        boolean formPost,
        List<String> scopes,
        List<String> resources,
        @Nullable String state,
        @Nullable String nonce,
        @Nullable String codeChallenge,
        @Nullable String keyThumbprint,
        List<String> prompt,
        @Nullable Integer maxAge,
        List<String> acrValues,
        boolean acrIsEssential,
        @Nullable String loginHint,
        @Nullable String hintedUser,
        @Nullable String language,
        List<String> idTokenClaims,
        List<String> userinfoClaims,
        @Nullable Buffer device,
        @Nullable Refusal refusal) {
    /** An error for the client. */
    record Refusal(String error, String description) {}

    /** What a device without a browser has asked for (RFC 8628). */
    static AuthorizationRequest of(DeviceRequestStore.Waiting device) {
        return of(new JsonObject()
                .put("clientId", device.clientId())
                .put("redirectUri", "")
                .put("scopes", new JsonArray(device.scopes()))
                .put("resources", new JsonArray(device.resources()))
                .put("device", device.hash()));
    }

    /** A request that is wrong, as far as the answer to it needs it. */
    static AuthorizationRequest refused(Client client, String redirectUri, Parameters given, OauthError error) {
        return of(new JsonObject()
                .put("clientId", client.id())
                .put("redirectUri", redirectUri)
                .put("formPost", given.isFormPost())
                .put("state", given.state().orElse(null))
                .put("language", given.language().orElse(null))
                .put("error", error.error())
                .put("errorDescription", error.description()));
    }

    /** Whether the client may still be answered this way. */
    boolean isAllowedTo(Client client) {
        return device == null ? client.allowsRedirect(redirectUri) : client.deviceFlow();
    }

    JsonObject json() {
        return new JsonObject()
                .put("clientId", clientId)
                .put("redirectUri", redirectUri)
                .put("formPost", formPost)
                .put("scopes", new JsonArray(scopes))
                .put("resources", new JsonArray(resources))
                .put("state", state)
                .put("nonce", nonce)
                .put("codeChallenge", codeChallenge)
                .put("keyThumbprint", keyThumbprint)
                .put("prompt", new JsonArray(prompt))
                .put("maxAge", maxAge)
                .put("acrValues", new JsonArray(acrValues))
                .put("acrIsEssential", acrIsEssential)
                .put("loginHint", loginHint)
                .put("hintedUser", hintedUser)
                .put("language", language)
                .put("idTokenClaims", new JsonArray(idTokenClaims))
                .put("userinfoClaims", new JsonArray(userinfoClaims))
                .put("device", device)
                .put("error", refusal == null ? null : refusal.error())
                .put("errorDescription", refusal == null ? null : refusal.description());
    }

    /** What the JSON does not have was not asked for. */
    static AuthorizationRequest of(JsonObject json) {
        return new AuthorizationRequest(
                json.getString("clientId"),
                json.getString("redirectUri"),
                json.getBoolean("formPost", false),
                texts(json, "scopes"),
                texts(json, "resources"),
                json.getString("state"),
                json.getString("nonce"),
                json.getString("codeChallenge"),
                json.getString("keyThumbprint"),
                texts(json, "prompt"),
                json.getInteger("maxAge"),
                texts(json, "acrValues"),
                json.getBoolean("acrIsEssential", false),
                json.getString("loginHint"),
                json.getString("hintedUser"),
                json.getString("language"),
                texts(json, "idTokenClaims"),
                texts(json, "userinfoClaims"),
                json.getBuffer("device"),
                json.getString("error") == null
                        ? null
                        : new Refusal(json.getString("error"), json.getString("errorDescription")));
    }

    static List<String> texts(JsonObject json, String name) {
        return json.getJsonArray(name, new JsonArray()).stream()
                .map(String::valueOf)
                .toList();
    }

    /** What the person has to agree to: also the scopes whose claims are asked for by name, without them. */
    List<String> consentScopes() {
        return Stream.concat(
                        scopes.stream(),
                        StandardScopes.ofClaims(Stream.concat(idTokenClaims.stream(), userinfoClaims.stream())
                                        .toList())
                                .stream())
                .distinct()
                .toList();
    }

    boolean prompts(String value) {
        return prompt.contains(value);
    }

    /** Whether a provider that knows the browser has to let the person sign in again. */
    boolean wantsFreshSignIn() {
        return prompts("login") || prompts("select_account") || maxAge != null;
    }

    @Override
    public String toString() {
        return "AuthorizationRequest[" + clientId + "]";
    }
}
