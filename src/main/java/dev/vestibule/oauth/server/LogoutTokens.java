package dev.vestibule.oauth.server;

import dev.vestibule.database.Database;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectId;
import dev.vestibule.token.SignedTokens;
import dev.vestibule.webhook.delivery.LogoutMessages;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.4). */
final class LogoutTokens implements LogoutMessages {
    private static final String EVENT = "http://schemas.openid.net/event/backchannel-logout";
    private static final Duration LIFETIME = Duration.ofMinutes(2);

    private final Database database;
    private final SignedTokens tokens;
    private final ClientStore clients = new ClientStore();
    private final Clock clock;

    LogoutTokens(Database database, SignedTokens tokens, Clock clock) {
        this.database = database;
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * The token has the session's id, so that the client ends that one and no other of the person; or none, if the
     * client loses all access to the account: after its session has expired, or because it was withdrawn.
     */
    @Override
    public Future<Buffer> form(ProjectId project, String client, String attempt, Buffer event) {
        var data = Json.parse(event).path("data");
        var session = data.path("session");
        var now = clock.instant();
        var claims = new LinkedHashMap<String, Object>();
        claims.put("iss", tokens.issuer(project));
        claims.put("aud", client);
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", now.plus(LIFETIME).getEpochSecond());
        claims.put("jti", attempt + "." + client); // one back end may serve several clients
        if (session.isObject()) {
            claims.put("sub", session.path("userId").asText());
            claims.put("sid", session.path("id").asText());
        } else {
            claims.put("sub", data.path("grant").path("userId").asText());
        }
        claims.put("events", Map.of(EVENT, Map.of()));
        return clients.find(database.reads(), project, client)
                .compose(found -> found.isEmpty()
                        ? Future.failedFuture(new IllegalStateException("the client was deleted"))
                        : tokens.sign(project, found.get().idTokenAlgorithm(), SignedTokens.LOGOUT_TOKEN, claims))
                .map(token -> Buffer.buffer("logout_token=" + token));
    }
}
