package dev.vestibule.oauth.server;

import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.token.SignedTokens;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests of clients to sign a person out (OpenID Connect RP-Initiated Logout 1.0). It knows no page and no
 * cookie.
 */
public final class Logouts {
    private final Clients clients;
    private final SignedTokens tokens;

    /** A request, or what is wrong with it. */
    public sealed interface Read {
        /** The name of the parameter that is wrong; nothing goes back to the client. */
        record Wrong(String parameter) implements Read {}

        /**
         * A good request.
         *
         * @param session that the client's ID token is of; only this one may be ended without asking
         * @param returnTo where the browser goes when the person is signed out, with the client's state
         * @param isOfStranger whether anybody can have made the client: then the browser goes there only after a sign
         *     out of the client's own session, or this server would be an open redirect (RFC 9700, 4.11)
         */
        record Asked(
                @Nullable String session,
                @Nullable String returnTo,
                boolean isOfStranger,
                @Nullable Language language) implements Read {}
    }

    Logouts(Clients clients, SignedTokens tokens) {
        this.clients = clients;
        this.tokens = tokens;
    }

    /** An expired ID token is good, since sessions last longer. */
    public Future<Read> read(Project project, MultiMap given) {
        var parameters = new Parameters(given);
        try {
            parameters.check();
        } catch (OauthError wrong) {
            return wrong("request");
        }
        var hint = parameters.find("id_token_hint");
        return hint.isEmpty()
                ? read(project, parameters, Map.of())
                : tokens.verify(project.id(), SignedTokens.ID_TOKEN, hint.get())
                        .compose(claims ->
                                claims.isEmpty() ? wrong("id_token_hint") : read(project, parameters, claims.get()));
    }

    private Future<Read> read(Project project, Parameters given, Map<String, Object> hint) {
        var named = given.find("client_id");
        var hinted = Optional.ofNullable(hint.get("aud")).map(String::valueOf);
        if (named.isPresent() && hinted.isPresent() && !named.equals(hinted)) {
            return wrong("client_id");
        }
        var redirect = given.find("post_logout_redirect_uri");
        return hinted.or(() -> named)
                .map(id -> clients.known(project, id))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()))
                .map(client -> {
                    if (named.isPresent() && client.isEmpty()) {
                        return new Read.Wrong("client_id");
                    }
                    if (redirect.isPresent()
                            && client.filter(known ->
                                            known.postLogoutRedirectUris().contains(redirect.get()))
                                    .isEmpty()) {
                        return new Read.Wrong("post_logout_redirect_uri");
                    }
                    return new Read.Asked(
                            (String) hint.get("sid"),
                            redirect.map(uri -> withState(uri, given.state())).orElse(null),
                            client.filter(known -> !known.isOfOwner()).isPresent(),
                            given.find("ui_locales").flatMap(Language::ofTags).orElse(null));
                });
    }

    private static String withState(String uri, Optional<String> state) {
        return state.map(text -> uri + (uri.contains("?") ? "&" : "?") + "state="
                        + URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20"))
                .orElse(uri);
    }

    private static Future<Read> wrong(String parameter) {
        return Future.succeededFuture(new Read.Wrong(parameter));
    }
}
