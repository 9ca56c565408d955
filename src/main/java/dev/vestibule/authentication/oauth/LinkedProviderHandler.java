package dev.vestibule.authentication.oauth;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.oauth.OauthFields.CallbackRequest;
import dev.vestibule.authentication.oauth.PageSignIn.Browser;
import dev.vestibule.crypto.UnknownMasterSecretException;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.identity.IdentityStore;
import dev.vestibule.oauth.identity.IdentityStore.Link;
import dev.vestibule.oauth.identity.IdentityStore.StoredTokens;
import dev.vestibule.oauth.identity.SealedTokens;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The providers that a user is linked to, {@code /v1/auth/me/providers}, and their tokens. */
public final class LinkedProviderHandler {
    private final Database database;
    private final IdentityStore store = new IdentityStore();
    private final SealedTokens sealedTokens;
    private final ClientHandledSignIn signIn;
    private final PageSignIn onPages;
    private final ProviderLinks links;
    private final RecentSignIn recent;

    public LinkedProviderHandler(
            Database database,
            SealedTokens sealedTokens,
            ClientHandledSignIn signIn,
            PageSignIn onPages,
            ProviderLinks links,
            RecentSignIn recent) {
        this.database = database;
        this.sealedTokens = sealedTokens;
        this.signIn = signIn;
        this.onPages = onPages;
        this.links = links;
        this.recent = recent;
    }

    private record LinkList(List<Link> providers, int total) {}

    /** {@code GET /v1/auth/me/providers}: the providers that the signed-in user can sign in with. */
    public Future<Reply> list(ApiRequest request) {
        var project = request.project().id();
        var user = request.user().user().id();
        return store.ofUser(database.reads(), project, user).map(found -> Reply.ok(new LinkList(found, found.size())));
    }

    /**
     * {@code POST /v1/auth/me/providers/:provider}: links a provider to the signed-in user. The state names the user
     * who started this, so no user can be tricked into linking the identity of another person.
     */
    public Future<Reply> link(ApiRequest request) {
        var project = request.project();
        var caller = request.user();
        recent.require(caller); // before the state is used up, so that the same code still links after that
        var user = caller.user().id();
        var provider = Provider.fromPath(request.pathParam("provider"));
        var device = request.device();
        var language = request.language();
        return signIn.identify(project, provider, user, request.fields(CallbackRequest::read), device)
                .compose(login -> links.link(login, user, caller.token().session(), language))
                .map(linked -> Reply.success());
    }

    /**
     * Where the account page sends the browser to link a provider.
     *
     * @param page a URL of this server, to which the browser comes back for {@link #finishOnPage}
     */
    public Future<URI> beginOnPage(ApiRequest request, String page, Browser browser) {
        var caller = request.user();
        recent.require(caller);
        return onPages.startLink(
                request.project(),
                request.pathParam("provider"),
                page,
                browser,
                caller.user().id());
    }

    /** What {@link #link} does, on the account page; false if no such link is waiting in this browser. */
    public Future<Boolean> finishOnPage(ApiRequest request, Browser browser) {
        var caller = request.user();
        recent.require(caller);
        var user = caller.user().id();
        return onPages.identify(request.project(), request.queryParams(), browser, user)
                .compose(login -> login.isEmpty()
                        ? Future.succeededFuture(false)
                        : links.link(login.get(), user, caller.token().session(), request.language())
                                .map(true));
    }

    /** {@code DELETE /v1/auth/me/providers/:provider}: unlinks a provider from the signed-in user. */
    public Future<Reply> unlink(ApiRequest request) {
        var project = request.project();
        var caller = request.user();
        recent.require(caller);
        var user = caller.user().id();
        return links.unlink(
                        request.trail(),
                        project,
                        user,
                        caller.token().session(),
                        Provider.fromPath(request.pathParam("provider")),
                        request.device(),
                        request.language())
                .map(unlinked -> Reply.success());
    }

    /**
     * {@code GET /v1/dashboard/users/:userId/providers/:provider/tokens}: the tokens with which the application can act
     * for the user at the provider, if the project stores them.
     */
    public Future<Reply> tokens(ApiRequest request) {
        var project = request.project().id();
        var user = new UserId(request.pathId("userId"));
        var provider = Provider.fromPath(request.pathParam("provider"));
        var trail = request.trail();
        return database.inTransaction(transaction -> store.findTokens(transaction, project, user, provider)
                .map(found -> found.filter(stored -> stored.sealedTokens() != null)
                        .orElseThrow(LinkedProviderHandler::notStored))
                .map(stored -> reply(project, provider, stored))
                .compose(reply -> trail.record(
                                transaction,
                                Logged.USER_PROVIDER_TOKENS_READ,
                                Target.user(user.value()),
                                Map.of("provider", provider.name()))
                        .map(reply)));
    }

    private Reply reply(ProjectId project, Provider provider, StoredTokens stored) {
        var sealed = Objects.requireNonNull(stored.sealedTokens());
        try {
            return Reply.ok(Json.parse(sealedTokens.open(project, provider, stored.subject(), sealed)));
        } catch (UnknownMasterSecretException removed) {
            throw notStored(); // new ones are stored when the user signs in again
        }
    }

    private static RuntimeException notStored() {
        return ApiException.of(ErrorCode.NOT_FOUND, "No tokens of this provider are stored for this user.");
    }
}
