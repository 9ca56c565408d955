package dev.vestibule.page.hosted;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.factor.Factors.Setup;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.server.OauthServerModule;
import dev.vestibule.session.SessionModule;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the account page shows and changes, by the handlers of the API's own routes. */
final class AccountOperations {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final SessionModule sessions;
    private final AuthenticationModule ways;
    private final OauthModule oauth;
    private final OauthServerModule server;

    AccountOperations(SessionModule sessions, AuthenticationModule ways, OauthModule oauth, OauthServerModule server) {
        this.sessions = sessions;
        this.ways = ways;
        this.oauth = oauth;
        this.server = server;
    }

    /** All that the person can see of the account, each part as its own operation gives it. */
    Future<Map<String, Object>> read(ApiRequest request) {
        var factors = request.project().factors();
        var parts = new LinkedHashMap<String, Object>();
        return Future.succeededFuture()
                .compose(ready -> add(parts, "user", ways.signIns().me().get(request)))
                .compose(added -> add(parts, "sessions", sessions.operations().listMine(request)))
                .compose(added ->
                        add(parts, "factor", ways.factors().operations().status(request)))
                .compose(added -> factors.passkeys().enabled()
                        ? add(parts, "passkeys", ways.passkeys().operations().list(request))
                        : Future.succeededFuture())
                .compose(added -> add(parts, "linked", oauth.linked().list(request)))
                .compose(added -> add(parts, "access", server.grants().listMine(request)))
                .map(parts);
    }

    private static Future<Void> add(Map<String, Object> parts, String name, Future<Reply> reply) {
        return reply.map(found -> {
            parts.put(name, MAPPER.convertValue(Json.parse(found.body()), Object.class));
            return null;
        });
    }

    /** Does what the form stands for. */
    Future<Reply> run(ApiRequest request, AccountForm form) {
        var signIns = ways.signIns();
        var factors = ways.factors().operations();
        var passkeys = ways.passkeys().operations();
        return switch (form) {
            case PROFILE -> signIns.me().update(request);
            case PASSWORD -> signIns.password().change(request);
            case EMAIL -> signIns.email().requestChange(request);
            case EMAIL_CODE -> signIns.email().verifyChange(request);
            case FACTOR -> factors.setUpTotp(request);
            case FACTOR_CODE -> factors.verifyTotpSetup(request);
            case FACTOR_OFF -> factors.disable(request);
            case BACKUP_CODES -> factors.regenerateBackupCodes(request);
            case PASSKEY_NAME -> passkeys.rename(request);
            case PASSKEY_REMOVED -> passkeys.delete(request);
            case PROVIDER_UNLINKED -> oauth.linked().unlink(request);
            case SESSION_ENDED -> sessions.operations().endOwn(request);
            case SESSIONS_ENDED -> sessions.operations().endAllOwn(request);
            case ACCESS_WITHDRAWN -> server.grants().withdrawMine(request);
            case DELETE -> signIns.me().delete(request);
            case SIGN_OUT -> sessions.operations().signOut(request);
        };
    }

    /** A secret for an authenticator app, which a code has to confirm. */
    Future<Setup> setUpApp(ApiRequest request) {
        return ways.factors().operations().setUpTotpOnAccountPage(request);
    }

    /** The codes in the response to {@link AccountForm#BACKUP_CODES}. */
    static List<String> backupCodes(Reply reply) {
        return MAPPER.convertValue(Json.parse(reply.body()).path("backupCodes"), new TypeReference<List<String>>() {});
    }
}
