package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.oauth.Pkce;
import dev.vestibule.database.Database;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.oauth.server.GrantStore.Live;
import dev.vestibule.oauth.server.GrantTokens.Response;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Codes that a person's consent has left: for the browser that gave it, or for a device that waits elsewhere. */
final class CodeGrants {
    private final Database database;
    private final Registry registry;
    private final Grants live;
    private final GrantTokens tokens;
    private final DeviceFlow devices;
    private final GrantStore grants = new GrantStore();
    private final Clock clock;

    CodeGrants(Database database, Registry registry, Grants live, GrantTokens tokens, DeviceFlow devices, Clock clock) {
        this.database = database;
        this.registry = registry;
        this.live = live;
        this.tokens = tokens;
        this.devices = devices;
        this.clock = clock;
    }

    Future<Response> byCode(ApiRequest request, Client client, Parameters given, @Nullable String key) {
        return client.kind().usesCodes()
                ? redeem(request, client, given, key, "code", grant -> isFor(client, given, grant))
                : Future.failedFuture(OauthError.unauthorizedClient());
    }

    /** A grant that a person has given on another device has the device's code. */
    Future<Response> byDeviceCode(ApiRequest request, Client client, Parameters given, @Nullable String key) {
        if (!client.deviceFlow()) {
            return Future.failedFuture(OauthError.unauthorizedClient());
        }
        return devices.requireAnswered(request.project().id(), client, given.required("device_code"))
                .compose(answered ->
                        redeem(request, client, given, key, "device_code", grant -> isOfDevice(client, grant)));
    }

    /** The code is used up even where it is not right, since somebody else may have it. */
    private Future<Response> redeem(
            ApiRequest request,
            Client client,
            Parameters given,
            @Nullable String key,
            String parameter,
            Predicate<Grant> isRight) {
        var project = request.project();
        var code = given.required(parameter);
        var now = clock.instant();
        return grants.takeCode(
                        database.writes(),
                        project.id(),
                        code,
                        key,
                        client.isPublic(),
                        now,
                        now.plus(project.refreshTokenTtl()))
                .compose(taken -> taken.isEmpty()
                        ? refuse(
                                request,
                                code,
                                "The " + parameter + " is unknown, expired, used, or bound to another key.")
                        : isRight.test(taken.get().grant())
                                ? issue(request, client, taken.get().live().orElseThrow(CodeGrants::ended), given, key)
                                : refuse(
                                        request,
                                        code,
                                        "The " + parameter
                                                + " belongs to another client, redirect_uri or code_verifier."));
    }

    private static boolean isOfDevice(Client client, Grant grant) {
        return grant.clientId().equals(client.id()) && grant.redirectUri() == null;
    }

    /** A verifier without a challenge is refused too, to prevent a PKCE downgrade (RFC 9700, 2.1.1). */
    private static boolean isFor(Client client, Parameters given, Grant grant) {
        var challenge = grant.codeChallenge();
        var verifier = given.find("code_verifier");
        var isProved = challenge == null
                ? verifier.isEmpty()
                : verifier.isPresent() && Pkce.matches(verifier.get(), challenge);
        var redirectUri = given.find("redirect_uri");
        var isSameRedirect = redirectUri.isPresent()
                ? redirectUri.get().equals(grant.redirectUri())
                : challenge != null; // OAuth 2.1, 4.1.3
        return grant.clientId().equals(client.id()) && isProved && isSameRedirect;
    }

    /** Somebody else may have a copy of the code, so what it was exchanged for must not survive. */
    private Future<Response> refuse(ApiRequest request, String code, String why) {
        var project = request.project().id();
        var trail = request.trail();
        return database.inTransaction(transaction -> grants.deleteByCode(transaction, project, code)
                        .compose(ended -> GrantNews.ended(
                                trail, transaction, project, ended, Published.GRANT_CODE_MISUSED, "code_misused")))
                .compose(ended -> Future.failedFuture(OauthError.invalidGrant(why)));
    }

    /** The grant has ended with its session or user since the code was issued. */
    private static OauthError ended() {
        return OauthError.invalidGrant("The grant has ended.");
    }

    private Future<Response> issue(
            ApiRequest request, Client client, Live found, Parameters given, @Nullable String key) {
        var project = request.project();
        var grant = found.grant();
        return live.requireCurrent(request, found, CodeGrants::ended)
                .compose(current -> registry.resources(project.id()))
                .compose(all -> {
                    var named = given.resources().isEmpty()
                            ? grant.among(all)
                            : AuthorizationRequestReader.resources(given.resources(), grant.among(all));
                    return tokens.issue(project, client, found, grant.scopes(), named, key);
                });
    }
}
