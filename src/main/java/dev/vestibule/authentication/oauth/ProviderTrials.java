package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.ProviderTrial.Problem;
import dev.vestibule.authentication.oauth.ProviderTrial.Told;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.client.AuthorizationRequest;
import dev.vestibule.oauth.client.AuthorizationRequest.Prompt;
import dev.vestibule.oauth.client.IdentityProviderClient;
import dev.vestibule.oauth.provider.ProviderConnection;
import dev.vestibule.oauth.provider.ProviderStore;
import dev.vestibule.oauth.provider.ReturnAddress;
import dev.vestibule.project.CachedProject;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries providers like real sign ins, with the same client, redirect URI, PKCE and checks of the ID token, and stops
 * there: it creates no account and no session, stores no token and counts nothing. The project's owners see the user
 * whom the provider identified; they learn no more than from a sign in to their own application. So a trial is not
 * bound to a browser: a victim whom somebody else's trial sends to the provider reveals only what the provider asks
 * them for in the application's name.
 */
final class ProviderTrials {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderTrials.class);

    private final Database database;
    private final ProjectDirectory projects;
    private final ProviderStore providers;
    private final IdentityProviderClient client;
    private final ProviderTrialStore store = new ProviderTrialStore();
    private final Pkce pkce;
    private final OauthPages pages;
    private final RedirectUrl ownRedirect;
    private final Clock clock;

    ProviderTrials(
            Database database,
            ProjectDirectory projects,
            ProviderStore providers,
            IdentityProviderClient client,
            Pkce pkce,
            OauthPages pages,
            RedirectUrl ownRedirect,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.providers = providers;
        this.client = client;
        this.pkce = pkce;
        this.pages = pages;
        this.ownRedirect = ownRedirect;
        this.clock = clock;
    }

    /** Where to send the browser, or why that is unknown; empty if the provider is not set up. */
    Future<Optional<ProviderTrial>> begin(Project project, Provider provider) {
        return providers
                .connectionToTry(database.writes(), project.id(), provider)
                .compose(found ->
                        found.isEmpty() ? Future.succeededFuture(Optional.empty()) : begin(project, found.get()));
    }

    private Future<Optional<ProviderTrial>> begin(Project project, ProviderConnection connection) {
        var token = StateToken.nextOfTrial(project.id());
        var provider = connection.provider();
        var now = clock.instant();
        var expiresAt = now.plus(AuthorizationStart.LIFETIME);
        var request = new AuthorizationRequest(
                URI.create(address(connection)),
                token.text(),
                token.nonce(),
                Pkce.challengeOf(pkce.serverVerifier(token)),
                Prompt.NONE);
        return client.authorizationUrl(connection, request)
                .compose(
                        url -> store.begin(database.writes(), token, provider, now, expiresAt)
                                .map(begun -> begun
                                        ? Optional.of(ProviderTrial.begun(provider, url, now, expiresAt))
                                        : Optional.<ProviderTrial>empty()),
                        failure -> Future.succeededFuture(
                                Optional.of(ProviderTrial.failed(provider, now, Problem.of(failure)))));
    }

    private String address(ProviderConnection connection) {
        return ReturnAddress.of(ownRedirect.text(), connection);
    }

    /** Empty if there was none, or it has expired. */
    Future<Optional<ProviderTrial>> last(ProjectId project, Provider provider) {
        return store.find(database.writes(), project, provider, clock.instant());
    }

    /** The page for a browser that the provider has sent back from a trial. */
    Future<Reply> receive(StateToken token, AuthorizationCallback callback) {
        return projects.find(database, token.project())
                .compose(known -> known.isEmpty()
                        ? Future.succeededFuture(pages.unknown(callback))
                        : receive(known.map(CachedProject::project).get(), token, callback));
    }

    private Future<Reply> receive(Project project, StateToken token, AuthorizationCallback callback) {
        return store.claim(database.writes(), token, clock.instant())
                .compose(claimed -> claimed.isEmpty()
                        ? Future.succeededFuture(pages.unknown(callback))
                        : finish(project, claimed.get(), token, callback)
                                .compose(done -> pages.reader(database, project, callback))
                                .map(pages::trialFinished));
    }

    private Future<Void> finish(Project project, Provider provider, StateToken token, AuthorizationCallback callback) {
        var answer = callback.answer();
        if (answer.isRefusal()) {
            return store.fail(database.writes(), token, Problem.ofRefusal(answer));
        }
        var exchange = answer.exchange(token, URI.create(callback.address()), pkce.serverVerifier(token), null, true);
        return providers
                .connectionToTry(database.writes(), project.id(), provider)
                .map(found -> found.filter(connection -> address(connection).equals(callback.address())))
                .compose(found -> found.isEmpty()
                        ? store.fail(database.writes(), token, Problem.REMOVED)
                        : client.exchange(found.get(), exchange)
                                .compose(
                                        identity -> store.pass(database.writes(), token, Told.of(identity)),
                                        failure -> fail(token, failure)));
    }

    private Future<Void> fail(StateToken token, Throwable failure) {
        var problem = Problem.of(failure);
        if (problem.equals(Problem.INTERNAL)) {
            LOG.error("The trial of a provider of project {} failed", token.project(), failure);
        }
        return store.fail(database.writes(), token, problem);
    }
}
