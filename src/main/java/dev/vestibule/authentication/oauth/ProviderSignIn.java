package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.OauthState.Flow;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.mail.CodePurpose;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.client.CodeExchange;
import dev.vestibule.oauth.client.IdentityProviderClient;
import dev.vestibule.oauth.client.ProviderIdentity;
import dev.vestibule.oauth.identity.ProviderLogin;
import dev.vestibule.oauth.provider.ProviderConnection;
import dev.vestibule.oauth.provider.ProviderStore;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import dev.vestibule.telemetry.metrics.OauthMeters;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.EnrolmentRequired;
import dev.vestibule.token.SignInResult.VerificationRequired;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Exchanges a code for the identity of a user, and opens a session for it. */
public final class ProviderSignIn {
    /**
     * The provider's answer with the state of its request; the code verifier is already checked.
     *
     * @param signedInSince when the person has signed in at the provider at the earliest; null for any time
     */
    record AuthorizationResponse(
            StateToken token,
            OauthState state,
            ProviderAnswer answer,
            String codeVerifier,
            @Nullable Instant signedInSince) {
        /** The answer to a request for a fresh sign in. */
        AuthorizationResponse ofFresh() {
            return new AuthorizationResponse(
                    token, state, answer, codeVerifier, state.beginning().at());
        }

        @Override
        public String toString() {
            return "AuthorizationResponse[" + token + "]";
        }
    }

    private final Database database;
    private final ProviderStore providers;
    private final IdentityProviderClient identities;
    private final AccountLinking accounts;
    private final MailOutbox mails;
    private final OauthMeters meters;

    ProviderSignIn(
            Database database,
            ProviderStore providers,
            IdentityProviderClient identities,
            AccountLinking accounts,
            MailOutbox mails,
            OauthMeters meters) {
        this.database = database;
        this.providers = providers;
        this.identities = identities;
        this.accounts = accounts;
        this.mails = mails;
        this.meters = meters;
    }

    /** Opens a session, or mails a code if the email must be verified first. */
    Future<SignInResult> run(Project project, AuthorizationResponse response, Device device, Language language) {
        if (response.answer().isRefusal()) {
            return Future.failedFuture(response.answer().refusal());
        }
        // Only our own page asks for a code then; clients of the API take what is neither tokens nor an error for
        // tokens.
        var asksForFactor = response.state().flow() == Flow.PAGE;
        return finish(
                project,
                response.state().provider(),
                identify(project, response, device),
                language,
                device,
                asksForFactor);
    }

    /** Opens a session for the identity that a provider has verified, as {@link #run} does. */
    Future<SignInResult> finish(
            Project project, Provider provider, Future<ProviderLogin> login, Language language, Device device) {
        return finish(project, provider, login, language, device, false);
    }

    private Future<SignInResult> finish(
            Project project,
            Provider provider,
            Future<ProviderLogin> login,
            Language language,
            Device device,
            boolean asksForFactor) {
        return login.compose(known -> accounts.signIn(known, language, asksForFactor))
                .compose(result -> result instanceof VerificationRequired required
                        ? askToVerify(project, required, language, device)
                        : Future.succeededFuture(result))
                .onSuccess(result -> meters.signedIn(metered(provider)))
                .onFailure(failure -> meters.failed(metered(provider), failure));
    }

    /**
     * All connections of organizations are one, since there may be very many, and so are all OpenID providers that
     * projects have named.
     */
    private static String metered(Provider provider) {
        return provider.isConnection() ? "organization" : provider.inCatalogue().name();
    }

    /** The identity that the provider has verified. */
    Future<ProviderLogin> identify(Project project, AuthorizationResponse response, Device device) {
        return providers
                .connection(database.reads(), project.id(), response.state().provider())
                .map(found -> found.orElseThrow(ProviderSignIn::notEnabled))
                .compose(connection -> identities
                        .exchange(connection, exchange(response))
                        .map(identity -> login(project, connection, identity, device)));
    }

    private static ProviderLogin login(
            Project project, ProviderConnection connection, ProviderIdentity identity, Device device) {
        return new ProviderLogin(
                project,
                identity,
                connection.title(),
                connection.settings().storeTokens(),
                device,
                connection.organization());
    }

    private static CodeExchange exchange(AuthorizationResponse response) {
        var state = response.state();
        return response.answer()
                .exchange(
                        response.token(),
                        URI.create(state.redirectUri()),
                        response.codeVerifier(),
                        response.signedInSince(),
                        state.flow() != Flow.CLIENT);
    }

    private Future<SignInResult> askToVerify(
            Project project, VerificationRequired required, Language language, Device device) {
        return mails.request(database.writes(), project, CodePurpose.VERIFICATION, required.email(), language, device)
                .onSuccess(requested -> mails.wakeUp())
                .map(required);
    }

    /** Clients of these sign ins read tokens or an error, and nothing else; the reason tells them what to ask for. */
    static Completed completed(SignInResult result) {
        if (result instanceof Completed completed) {
            return completed;
        }
        throw refusal(result);
    }

    /** The error for a sign in that has opened no session. */
    static ApiException refusal(SignInResult result) {
        return result instanceof EnrolmentRequired required
                ? required.error()
                : ApiException.of(ErrorCode.VERIFICATION_REQUIRED, ((VerificationRequired) result).message());
    }

    static RuntimeException notEnabled() {
        return ApiException.of(ErrorCode.PROVIDER_NOT_ENABLED, "This provider is not enabled.");
    }

    static RuntimeException unknownState() {
        return ApiException.of(ErrorCode.INVALID_STATE, "The state is unknown, expired or already used.");
    }
}
