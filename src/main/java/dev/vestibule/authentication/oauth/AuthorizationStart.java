package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.OauthState.SignInOrigin;
import dev.vestibule.database.Database;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.client.AuthorizationRequest;
import dev.vestibule.oauth.client.AuthorizationRequest.Prompt;
import dev.vestibule.oauth.client.IdentityProviderClient;
import dev.vestibule.oauth.provider.EnabledProviders;
import dev.vestibule.oauth.provider.OauthFlow;
import dev.vestibule.oauth.provider.OfferedProvider;
import dev.vestibule.oauth.provider.ProviderConnection;
import dev.vestibule.oauth.provider.ProviderStore;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts sign ins with a provider: stores the state and builds the authorization URL. */
final class AuthorizationStart {
    /** How long a user may take to sign in at the provider. */
    static final Duration LIFETIME = Duration.ofMinutes(10);

    /** Where to send the browser, and the state that it brings back. */
    record AuthorizationUrl(URI url, String state) {
        @Override
        public String toString() {
            return "AuthorizationUrl";
        }
    }

    private final Database database;
    private final ProviderStore providers;
    private final EnabledProviders enabled;
    private final IdentityProviderClient identities;
    private final OauthStateStore states = new OauthStateStore();
    private final Pkce pkce;
    private final int maxOpen;
    private final Clock clock;

    AuthorizationStart(
            Database database,
            ProviderStore providers,
            EnabledProviders enabled,
            IdentityProviderClient identities,
            Pkce pkce,
            int maxOpen,
            Clock clock) {
        this.database = database;
        this.providers = providers;
        this.enabled = enabled;
        this.identities = identities;
        this.pkce = pkce;
        this.maxOpen = maxOpen;
        this.clock = clock;
    }

    /** The project's enabled providers, as its pages show them. */
    Future<Map<Provider, OfferedProvider>> enabled(Project project) {
        return enabled.of(database.reads(), project.id());
    }

    /** The icons that the project has given to some of these. */
    Future<Map<Provider, String>> icons(Project project, Map<Provider, OfferedProvider> offered) {
        return enabled.icons(database.reads(), project.id(), offered);
    }

    /** The flow of a provider that the project offers, or of a connection, which {@link #start} looks for. */
    Future<OauthFlow> flow(Project project, Provider provider) {
        return provider.isConnection()
                ? Future.succeededFuture(OauthFlow.AUTO)
                : enabled(project)
                        .map(enabled ->
                                Optional.ofNullable(enabled.get(provider)).orElseThrow(ProviderSignIn::notEnabled))
                        .map(OfferedProvider::flow);
    }

    /** For a sign in that begins now; the network is null for a server. */
    SignInOrigin beginning(@Nullable Buffer network, Device device) {
        return new SignInOrigin(network, clock.instant(), device);
    }

    Future<AuthorizationUrl> start(Project project, OauthState state, Prompt prompt) {
        return start(project, StateToken.next(project.id()), state, prompt);
    }

    Future<AuthorizationUrl> start(Project project, StateToken token, OauthState state, Prompt prompt) {
        return providers
                .connection(database.reads(), project.id(), state.provider())
                .map(found -> found.orElseThrow(ProviderSignIn::notEnabled))
                .compose(connection -> start(connection, token, state.with(connection), prompt));
    }

    private Future<AuthorizationUrl> start(
            ProviderConnection connection, StateToken token, OauthState state, Prompt prompt) {
        var challenge =
                state.codeChallenge() == null ? Pkce.challengeOf(pkce.serverVerifier(token)) : state.codeChallenge();
        return identities
                .authorizationUrl(
                        connection,
                        new AuthorizationRequest(
                                URI.create(state.redirectUri()), token.text(), token.nonce(), challenge, prompt))
                .compose(url -> states.open(
                                database.writes(), token, state, clock.instant().plus(LIFETIME), maxOpen)
                        .map(new AuthorizationUrl(url, token.text())));
    }
}
