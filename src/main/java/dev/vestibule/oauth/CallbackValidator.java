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
 * Takes the state that a page of the application brings with its code. It is used up by being shown, also with something
 * wrong: who shows another provider, user or verifier than it was made for is not who asked for it.
 */
public final class CallbackValidator {
    private final Database database;
    private final OauthStateStore states;
    private final Pkce proofKeys;
    private final Clock clock;

    CallbackValidator(Database database, OauthStateStore states, Pkce proofKeys, Clock clock) {
        this.database = database;
        this.states = states;
        this.proofKeys = proofKeys;
        this.clock = clock;
    }

    /** The user is who links the provider; null for a sign in. */
    public Future<AuthorizationResponse> take(
            ProjectId project, Provider provider, @Nullable UserId user, CallbackRequest presented) {
        var token = StateToken.parse(presented.state())
                .filter(parsed -> parsed.project().equals(project))
                .orElseThrow(ProviderSignIn::unknownState);
        return states.take(database.writes(), token, clock.instant())
                .map(found -> found.filter(state -> state.provider().equals(provider))
                        .filter(state -> Objects.equals(state.user(), user))
                        .orElseThrow(ProviderSignIn::unknownState))
                .map(state -> answer(token, state, presented));
    }

    private AuthorizationResponse answer(StateToken token, OauthState state, CallbackRequest presented) {
        var verifier = proofKeys.verifier(token, state.codeChallenge(), presented.codeVerifier());
        return new AuthorizationResponse(token, state, presented.code(), verifier, presented.issuer(), null);
    }
}
