/**
 * Sign in with identity providers (OAuth 2.0 authorization code flow, OpenID Connect): from the authorization URL to
 * the open session. The packages under {@code oauth} hold the catalogue of providers, the client that talks to them, a
 * project's settings for them, and the identities linked to users; none of them depends on this package.
 * {@link dev.vestibule.authentication.oauth.OauthModule} wires all of them.
 *
 * <p><b>One sign in.</b> {@link dev.vestibule.authentication.oauth.AuthorizationStart} sends the browser to the
 * provider. The response is a {@link dev.vestibule.authentication.oauth.ProviderAnswer}.
 * {@link dev.vestibule.authentication.oauth.ProviderSignIn} turns it into an identity, and
 * {@link dev.vestibule.authentication.oauth.AccountLinking} finds the account and opens its session. Who receives the
 * response differs.
 *
 * <p><b>Sign ins on pages of this server</b> are of the first kind below, with a page of our own as the application
 * ({@link dev.vestibule.authentication.oauth.PageSignIn}): the server receives the code and sends the browser on to the
 * page. The PKCE verifier is a keyed hash of the state and of a secret that the browser keeps.
 *
 * <p><b>Two kinds of sign in.</b> Either a page of the application receives the code, compares the state with its own
 * and posts both to {@code /v1/auth/oauth/callback}; or this server receives the code at
 * {@code /v1/auth/oauth/redirect} and reports to a popup's opener or by a redirect
 * ({@link dev.vestibule.authentication.oauth.ServerHandledSignIn}, which has a
 * {@link dev.vestibule.authentication.oauth.SignInEnding} for each).
 *
 * <p><b>Whose code it is.</b> A code that this server receives goes to the provider of its state, so the address at
 * which it arrives must be that provider's. Providers whose endpoints are in the catalogue share one. An issuer that a
 * project or an organization has chosen may be anybody's, and could send browsers on to another provider, so it has the
 * address of its owner alone ({@link dev.vestibule.oauth.provider.ReturnAddress}). An application that receives codes
 * itself compares the state with that of the browser, and may have one page for all: a code that it has posted for one
 * provider is not taken for another ({@link dev.vestibule.authentication.oauth.ClientHandledSignIn}).
 *
 * <p><b>A state works once.</b> It is 256 random bits, of which only the hash is stored. One statement takes it, and it
 * is used up even if the sign in then fails, so only one of several concurrent callbacks can win. It is valid for ten
 * minutes.
 *
 * <p><b>Nothing to steal.</b> The nonce is a hash of the state, and the server's own PKCE verifier is a keyed hash of
 * it, so neither is stored. The tokens that a poll fetches are created when it asks.
 *
 * <p><b>PKCE.</b> With a {@code codeChallenge} of the application, the code is useless without its verifier. A verifier
 * without a challenge is refused, because otherwise an attacker could strip the challenge.
 *
 * <p><b>Browser binding.</b> Except on our own pages, no cookie binds a sign in to the browser that started it. When
 * this server receives the code, the network binds it instead: if a sign in ends in a different network from the one it
 * started in, or if a proxy hides the networks, the person must agree first, because the session goes to the person who
 * started it. Within one network this proves nothing; an application that needs the proof receives the code itself and
 * compares the state. A sign in that was started with a secret key is not bound to a network, since the server is in a
 * different network from its users' browsers.
 *
 * <p><b>A popup hands over its tokens itself</b>, to the window that opened it and only to allowed origins. It cannot
 * tell whether that window listened. If a project lists allowed origins, only a page of one of them can have started
 * the sign in, so the popup closes. Otherwise the opener must close it, as the client SDKs do. A popup that stays open,
 * or has no opener, asks the person; until then the session is held back and a poll finds nothing.
 *
 * <p><b>Apps</b> can send an ID token that the device's own sign in gave them
 * ({@link dev.vestibule.authentication.oauth.NativeSignIn}). It has no state, so it must be issued to one of the
 * project's apps, must be fresh, and works only once.
 *
 * <p><b>Trials.</b> Owners try out a provider's settings with a sign in that stops before it looks for an account
 * ({@link dev.vestibule.authentication.oauth.ProviderTrials}). Their states have their own format and table, so that
 * neither kind can pass for the other.
 *
 * <p><b>Decisions</b> are sent with a token that only our page knows: a keyed hash of the state and of something that
 * anyone who started the sign in cannot know, the provider's code or the session
 * ({@link dev.vestibule.authentication.oauth.ConsentTokens}).
 *
 * <p><b>Finding the account.</b> An account is found by the provider's subject, or by the email if the provider has
 * verified it. If this server never verified that email itself, someone else may have created the account with it: then
 * the owner of the email gets the account without what that person may have left in it
 * ({@link dev.vestibule.authentication.EmailProof}). An unverified email that belongs to an account is refused. An
 * account with a second factor that is found by its email opens no session without that factor: providers give an
 * identity to anyone who can read the mailbox, and a mail does not replace it. Our own pages ask for its code;
 * elsewhere the owner signs in another way, and links the provider then.
 *
 * <p><b>Concurrent changes.</b> The identity is looked up before the account is locked and again afterwards. If another
 * sign in, a sign up or an unlinking changed something in between, the transaction fails with a
 * ConcurrentChangeException and is retried; after several attempts the client gets an error that asks it to try again
 * later.
 *
 * <p><b>Linking.</b> A signed-in user links and unlinks providers, but cannot remove the last way to sign in
 * ({@link dev.vestibule.user.SignInMethodStore}). The state of the request names the user, so nobody can be tricked
 * into linking the identity of someone else, and the caller's session is checked again under the account's lock. A user
 * has at most one identity at each provider.
 *
 * <p><b>Redirects.</b> URLs are compared part by part and never by prefix, and a URL that two parsers could read
 * differently is refused ({@link dev.vestibule.authentication.oauth.RedirectUrl}). Tokens are posted only to the
 * project's origins.
 */
@NullMarked
package dev.vestibule.authentication.oauth;

import org.jspecify.annotations.NullMarked;
