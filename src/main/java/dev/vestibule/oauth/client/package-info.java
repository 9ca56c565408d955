/**
 * The OAuth 2.0 and OpenID Connect client: authorization URLs, discovery, code exchange, ID tokens and user info. Start
 * with {@link dev.vestibule.oauth.client.IdentityProviderClient}; everything that differs between providers comes from
 * the catalogue.
 *
 * <p><b>A provider is believed only what it proves.</b> ID tokens are verified completely: signature, issuer, audience,
 * times and nonce. The signature must be by an algorithm that the catalogue or the discovery document names, and by a
 * published key; a discovery document alone can never enable shared secrets or unsigned tokens. User info must be about
 * the subject of the ID token. An email counts as verified only if the provider says so about this very address, so for
 * Microsoft only if the claim {@code xms_edov} says that the owner of the email's domain is verified.
 *
 * <p><b>Mix-up.</b> If a response names its issuer (RFC 9207), it must be the expected one, before the code is sent
 * anywhere. Where this server takes the code, the issuer of a provider that announces it is required. Where the
 * application does, it is not: applications send code and state only, the state is bound to project and provider, and
 * the page has compared it with its own.
 *
 * <p><b>Issuers that a project chose</b> are not trusted: requests to them go through the guarded outbound client,
 * which refuses private addresses, and what is cached about them is kept apart from what the operator's catalogue
 * chose.
 *
 * <p><b>Retries.</b> A GET is repeated once after a closed connection. A code works only once, so a POST is repeated
 * only if nothing was sent.
 *
 * <p><b>Limits.</b> All requests of one sign in share a time limit of twice that of one request. Discovery documents
 * and keys are cached, and concurrent sign ins share one load. A token with an unknown key id makes the keys load
 * again, at most once in ten seconds for each issuer.
 *
 * <p><b>Logs and messages</b> never quote what a provider sent; {@link dev.vestibule.oauth.client.ProviderException} is
 * the only place that words them.
 *
 * <p><b>Libraries.</b> JOSE, JWK and JWS are Nimbus's {@code nimbus-jose-jwt}. We considered its
 * {@code oauth2-oidc-sdk} 11.37 for the rest: its verifier of ID tokens does not compare {@code azp}, accepts a token
 * for several audiences, ignores {@code nbf}, knows one client id and quotes the token in its messages; and much of
 * this package handles provider behaviour outside the standards, which its strict parsers refuse.
 * {@code vertx-auth-oauth2} creates its own HTTP client, which connects to private addresses too, and pac4j blocks.
 */
@NullMarked
package dev.vestibule.oauth.client;

import org.jspecify.annotations.NullMarked;
