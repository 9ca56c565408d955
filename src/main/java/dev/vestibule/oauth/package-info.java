/**
 * Sign in with identity providers (OAuth 2.0 authorization code flow, OpenID Connect): from the authorization URL to the
 * open session. The rooms below hold the catalogue of providers, the client that talks to them, their settings in a
 * project, and the identities that are linked to users. {@link dev.vestibule.oauth.OauthModule} wires all of them.
 *
 * <p><b>Sign ins on pages of this server</b> are of the first kind below, with a page of ours as the application ({@link
 * dev.vestibule.oauth.PageSignIn}): the server receives the code and leads the browser on to the page, and the proof key is
 * a keyed hash of the state and of a secret of the browser.
 *
 * <p><b>Two kinds of sign in.</b> Either a page of the application receives the code, compares the state with its own
 * and posts both to {@code /v1/auth/oauth/callback}; or this server receives the code at {@code
 * /v1/auth/oauth/redirect} and reports to a popup's opener or by a redirect ({@link
 * dev.vestibule.oauth.ServerHandledSignIn}).
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
 * dev.vestibule.oauth.NativeSignIn}). No state stands behind it, so it must be for one of the project's apps, be fresh, and
 * works once.
 *
 * <p><b>Trials.</b> Owners try a provider's settings by a sign in that ends where an account would be looked for ({@link
 * dev.vestibule.oauth.ProviderTrials}). Their states have a form and a table of their own, so that neither kind passes for
 * the other.
 *
 * <p><b>Decisions</b> are sent with a token that only our page knows: a keyed hash of the state and of what its starter
 * cannot know, the provider's code or the session ({@link dev.vestibule.oauth.ConsentTokens}).
 *
 * <p><b>Redirects.</b> URLs are compared part by part and never by prefix, and a URL that two parsers may read
 * differently is refused ({@link dev.vestibule.oauth.RedirectUrl}). Tokens are posted only to the project's origins.
 */
@NullMarked
package dev.vestibule.oauth;

import org.jspecify.annotations.NullMarked;
