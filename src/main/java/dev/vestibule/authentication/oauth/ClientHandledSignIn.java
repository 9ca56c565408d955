package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.OauthFields.CallbackRequest;
import dev.vestibule.authentication.oauth.ProviderSignIn.AuthorizationResponse;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.identity.ProviderLogin;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.UsedOnceStore;
import dev.vestibule.project.UsedOnceStore.Kind;
import dev.vestibule.session.Device;
import dev.vestibule.token.SignInResult;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finishes a sign in whose code a page of the application has received, or the linking of a provider. The first attempt
 * uses up the state, even if its provider, user or verifier is wrong: anyone who sends a wrong one did not start this
 * sign in.
 */
public final class ClientHandledSignIn {
    /** Longer than codes are valid: ten minutes at most, as RFC 6749 recommends (4.1.2). */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    private final Database database;
    private final OauthStateStore states = new OauthStateStore();
    private final UsedOnceStore used = new UsedOnceStore();
    private final Pkce pkce;
    private final ProviderSignIn signIn;
    private final Clock clock;

    ClientHandledSignIn(Database database, Pkce pkce, ProviderSignIn signIn, Clock clock) {
        this.database = database;
        this.pkce = pkce;
        this.signIn = signIn;
        this.clock = clock;
    }

    Future<SignInResult> run(
            Project project, Provider provider, CallbackRequest request, Device device, Language language) {
        return take(project, provider, null, request)
                .compose(response -> signIn.run(project, response, device, language));
    }

    /** The identity that this user wants to link. */
    public Future<ProviderLogin> identify(
            Project project, Provider provider, UserId user, CallbackRequest request, Device device) {
        return take(project, provider, user, request).compose(response -> signIn.identify(project, response, device));
    }

    private Future<AuthorizationResponse> take(
            Project project, Provider provider, @Nullable UserId user, CallbackRequest request) {
        var token = StateToken.parse(request.state())
                .filter(parsed -> parsed.project().equals(project.id()))
                .orElseThrow(ProviderSignIn::unknownState);
        return states.take(database.writes(), token, clock.instant())
                .map(found -> found.filter(state -> state.provider().equals(provider))
                        .filter(state -> Objects.equals(state.user(), user))
                        .orElseThrow(ProviderSignIn::unknownState))
                .compose(state -> takeCode(project, request.code())
                        .map(taken -> new AuthorizationResponse(
                                token,
                                state,
                                new ProviderAnswer(
                                        Optional.of(request.code()), Optional.empty(), request.issuer(), null),
                                pkce.verifier(token, state.codeChallenge(), request.codeVerifier()),
                                null)));
    }

    /**
     * All providers can return to one page of the application. So one of them can send a browser on to another, with
     * the challenge and the nonce of a sign in that it has begun itself, and gets the code of that from us: it is the
     * provider of the state that the browser has (RFC 9700, 4.4). But only we can exchange the code, and do not take it
     * twice.
     */
    private Future<Void> takeCode(Project project, String code) {
        var until = clock.instant().plus(REMEMBERED);
        return used.take(database.writes(), project.id(), Kind.PROVIDER_CODE, Sha256.of(code), until)
                .map(isFirst -> {
                    if (!isFirst) {
                        throw ApiException.of(ErrorCode.INVALID_AUTHORIZATION_CODE, "The code was already used.");
                    }
                    return null;
                });
    }
}
