package dev.vestibule.oauth;

import dev.vestibule.database.Database;
import dev.vestibule.oauth.OauthFields.CallbackRequest;
import dev.vestibule.oauth.ProviderSignIn.AuthorizationResponse;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks the state that a page of the application sends with its code. The first attempt uses the state up, even if its
 * provider, user or verifier is wrong: anyone who sends a wrong one did not start this sign in.
 */
public final class CallbackValidator {
    private final Database database;
    private final OauthStateStore states;
    private final Pkce pkce;
    private final Clock clock;

    CallbackValidator(Database database, OauthStateStore states, Pkce pkce, Clock clock) {
        this.database = database;
        this.states = states;
        this.pkce = pkce;
        this.clock = clock;
    }

    /** The user who links the provider; null for a sign in. */
    public Future<AuthorizationResponse> take(
            ProjectId project, Provider provider, @Nullable UserId user, CallbackRequest request) {
        var token = StateToken.parse(request.state())
                .filter(parsed -> parsed.project().equals(project))
                .orElseThrow(ProviderSignIn::unknownState);
        return states.take(database.writes(), token, clock.instant())
                .map(found -> found.filter(state -> state.provider().equals(provider))
                        .filter(state -> Objects.equals(state.user(), user))
                        .orElseThrow(ProviderSignIn::unknownState))
                .map(state -> response(token, state, request));
    }

    private AuthorizationResponse response(StateToken token, OauthState state, CallbackRequest request) {
        var verifier = pkce.verifier(token, state.codeChallenge(), request.codeVerifier());
        return new AuthorizationResponse(token, state, request.code(), verifier, request.issuer(), null);
    }
}
