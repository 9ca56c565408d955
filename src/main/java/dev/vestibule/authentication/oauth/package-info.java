/**
 * Sign in with identity providers (OAuth 2.0 authorization code flow, OpenID Connect): from the authorization URL to the
 * open session. The rooms of {@code oauth} hold the catalogue of providers, the client that talks to them, their settings in
 * a project, and the identities that are linked to users; they know nobody here. {@link
 * dev.vestibule.authentication.oauth.OauthModule} wires all of them.
 *
 * <p><b>One sign in.</b> {@link dev.vestibule.authentication.oauth.AuthorizationStart} sends the browser to the provider. What
 * comes back is a {@link dev.vestibule.authentication.oauth.ProviderAnswer}, of which {@link
 * dev.vestibule.authentication.oauth.ProviderSignIn} makes an identity, and {@link
 * dev.vestibule.authentication.oauth.AccountLinking} an account and its session. Who takes the answer differs.
 *
 * <p><b>Sign ins on pages of this server</b> are of the first kind below, with a page of ours as the application ({@link
 * dev.vestibule.authentication.oauth.PageSignIn}): the server receives the code and leads the browser on to the page, and the proof key is
 * a keyed hash of the state and of a secret of the browser.
 *
 * <p><b>Two kinds of sign in.</b> Either a page of the application receives the code, compares the state with its own
 * and posts both to {@code /v1/auth/oauth/callback}; or this server receives the code at {@code
 * /v1/auth/oauth/redirect} and reports to a popup's opener or by a redirect ({@link
 * dev.vestibule.authentication.oauth.ServerHandledSignIn}, which has a {@link
 * dev.vestibule.authentication.oauth.SignInEnding} for each).
 *
 * <p><b>A state works once.</b> It is 256 random bits, of which only the hash is stored. One statement takes it, and it
 * is used up even if the sign in then fails, so of concurrent callbacks only one can win. It is good for ten minutes.
 *
 * <p><b>Nothing to steal.</b> The nonce is a hash of the state, and the server's own PKCE verifier is a keyed hash of
 * it, so neither is stored. The tokens that a poll fetches are created when it asks.
 *
 * <p><b>PKCE.</b> With a {@code codeChallenge} of the application, the code is useless without its verifier. A verifier
 * without a challenge is refused, because otherwise an attacker could strip the challenge.
 *
 * <p><b>Browser binding.</b> But for our own pages, no cookie binds a sign in to the browser that started it. Where this server receives the
 * code, the network does: if a sign in ends in another network than it started in, or if a proxy hides the networks, the
 * person must agree first, because the session goes to the one who started it. Within one network this proves nothing; an
 * application that needs the proof receives the code itself and compares the state. A sign in that was started with a
 * secret key is not bound to a network, since a server is not where its users' browsers are.
 *
 * <p><b>A popup hands its tokens over itself</b>, to the window that opened it and only to allowed origins. Nothing
 * tells it whether that window listened. Where a project lists allowed origins, only a page of one can have begun the
 * sign in, so the popup closes. Else the opener must close it, as the client SDKs do. A popup that stays, or has no
 * opener, asks the person; until then the session is held and a poll finds nothing.
 *
 * <p><b>Apps</b> may bring an ID token that the device's own sign in gave them ({@link
 * dev.vestibule.authentication.oauth.NativeSignIn}). No state stands behind it, so it must be for one of the project's apps, be fresh, and
 * works once.
 *
 * <p><b>Trials.</b> Owners try a provider's settings by a sign in that ends where an account would be looked for ({@link
 * dev.vestibule.authentication.oauth.ProviderTrials}). Their states have a form and a table of their own, so that neither kind passes for
 * the other.
 *
 * <p><b>Decisions</b> are sent with a token that only our page knows: a keyed hash of the state and of what its starter
 * cannot know, the provider's code or the session ({@link dev.vestibule.authentication.oauth.ConsentTokens}).
 *
 * <p><b>Finding the account.</b> An account is found by the provider's subject, and by the email only if the provider has
 * verified it. If this server had never verified that email itself, someone else may have created the account with it:
 * then the password, all sessions and all linked providers are removed before the owner of the email gets the account
 * ({@link dev.vestibule.authentication.oauth.AccountLinking}). An unverified email that belongs to an account is refused. An
 * account with a second factor is not found by the email either: providers give an identity to whoever reads the mails, and a
 * mail does not replace that factor. Its owner links the provider once signed in.
 *
 * <p><b>Concurrent changes.</b> The identity is looked up before the account is locked and again afterwards. If another sign in,
 * a sign up or an unlinking changed something in between, the transaction fails with a ConcurrentChangeException and is
 * tried again; after some attempts the client gets an error that asks it to try again later.
 *
 * <p><b>Linking.</b> A signed-in user links and unlinks providers, but cannot remove the last way to sign in: a password
 * or another provider that the project has enabled ({@link dev.vestibule.authentication.oauth.ProviderLinks}). The state of
 * the request names the user, so nobody can be tricked into linking the identity of someone else, and the caller's session is
 * looked at again under the lock of the account. A user has at most one identity at each provider.
 *
 * <p><b>Redirects.</b> URLs are compared part by part and never by prefix, and a URL that two parsers may read
 * differently is refused ({@link dev.vestibule.authentication.oauth.RedirectUrl}). Tokens are posted only to the project's origins.
 */
@NullMarked
package dev.vestibule.authentication.oauth;

import org.jspecify.annotations.NullMarked;
