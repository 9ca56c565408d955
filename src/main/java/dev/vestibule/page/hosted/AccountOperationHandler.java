package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.server.OauthServerModule;
import dev.vestibule.session.SessionModule;
import dev.vestibule.user.organization.OrganizationModule;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;

/** The operations of the API that the account page stands for: those that read what it shows, and that of each form. */
final class AccountOperationHandler {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final SessionModule sessions;
    private final AuthenticationModule ways;
    private final OauthModule oauth;
    private final OauthServerModule server;
    private final OrganizationModule organizations;

    AccountOperationHandler(
            SessionModule sessions,
            AuthenticationModule ways,
            OauthModule oauth,
            OauthServerModule server,
            OrganizationModule organizations) {
        this.sessions = sessions;
        this.ways = ways;
        this.oauth = oauth;
        this.server = server;
        this.organizations = organizations;
    }

    /** All that the person can see of the account, each part as its own operation gives it. */
    Future<Map<String, Object>> read(ApiRequest request) {
        var factors = request.project().factors();
        var parts = new LinkedHashMap<String, Object>();
        return Future.succeededFuture()
                .compose(ready -> add(parts, "user", ways.signIns.me.get(request)))
                .compose(added -> add(parts, "sessions", sessions.operations.listMine(request)))
                .compose(added -> add(parts, "factor", ways.factors.operations.status(request)))
                .compose(added -> factors.passkeys().enabled()
                        ? add(parts, "passkeys", ways.passkeys.operations.list(request))
                        : Future.succeededFuture())
                .compose(added -> add(parts, "linked", oauth.linked.list(request)))
                .compose(added -> factors.wallets()
                        ? add(parts, "wallets", ways.wallets.operations.list(request))
                        : Future.succeededFuture())
                .compose(added -> add(parts, "organizations", organizations.operations.listMine(request)))
                .compose(added -> add(parts, "suggestions", organizations.domains.suggestions(request)))
                .compose(added -> add(parts, "access", server.grants.list(request)))
                .map(parts);
    }

    private static Future<Void> add(Map<String, Object> parts, String name, Future<Reply> reply) {
        return reply.map(found -> {
            parts.put(name, MAPPER.convertValue(Json.parseOwn(found.body()), Object.class));
            return null;
        });
    }

    /** Does what the form stands for. */
    Future<Reply> run(ApiRequest request, AccountForm form) {
        var signIns = ways.signIns;
        var factors = ways.factors.operations;
        var passkeys = ways.passkeys.operations;
        return switch (form) {
            case PROFILE, PICTURE, PICTURE_REMOVED -> signIns.me.update(request);
            case PASSWORD -> signIns.password.change(request);
            case EMAIL -> signIns.email.requestChange(request);
            case EMAIL_CODE -> signIns.email.verifyChange(request);
            case PHONE -> ways.phones.operations.requestVerification(request);
            case PHONE_CODE -> ways.phones.operations.verify(request);
            case FACTOR, PROVIDER_LINKED, SIGN_OUT ->
                throw new IllegalArgumentException(form + " is no operation of the API");
            case PASSKEY_OPTIONS -> passkeys.beginRegistration(request);
            case PASSKEY_ADDED -> passkeys.finishRegistration(request);
            case FACTOR_CODE -> factors.verifyTotpSetup(request);
            case FACTOR_OFF -> factors.disable(request);
            case BACKUP_CODES -> factors.regenerateBackupCodes(request);
            case PASSKEY_NAME -> passkeys.rename(request);
            case PASSKEY_REMOVED -> passkeys.delete(request);
            case PROVIDER_UNLINKED -> oauth.linked.unlink(request);
            case WALLET_UNLINKED -> ways.wallets.operations.unlink(request);
            case ORGANIZATION_JOINED -> organizations.domains.join(request);
            case ORGANIZATION_LEFT -> organizations.members.leave(request);
            case SESSION_ENDED -> sessions.operations.endOfUser(request);
            case SESSIONS_ENDED -> sessions.operations.endAllOwn(request);
            case ACCESS_WITHDRAWN -> server.grants.withdraw(request);
            case DELETE -> signIns.me.delete(request);
        };
    }
}
