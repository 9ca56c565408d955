/**
 * Access tokens (ES256 JWTs under a key of the project), refresh tokens, signing keys and their rotation.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>Refresh tokens are not stored. A token holds the project, the session, a generation and an HMAC over them; the
 *       session's row holds the current generation. So a forged token costs no query, a copy of the database contains
 *       no token, and the successor of a token can be computed again for a client that lost it.
 *   <li>The result of a signature check is cached by the digest of the exact token, since it can never change; a token
 *       that this node has signed is in the cache from the start. This package does not check whether the session is
 *       active: {@code access} asks the database for every request.
 *   <li>Tokens name their issuer by the node's {@code publicUrl}, but any host is accepted: the project's own key has
 *       signed them. So nodes can have different addresses, and a change of the port breaks no session.
 *   <li>A session's tokens can be for an organization. The row of the session says which, so a refresh keeps it; the
 *       statement that looks up the session of such a token also asks whether its user still has the role that the
 *       token names. So a removed member's tokens, and those of a demoted one, end at once on every node. Tokens
 *       without an organization pay nothing for this.
 *   <li>A new signing key is published for ten minutes before it signs, because clients may cache the key set for five.
 *       The old key stays until the last token that it signed has expired.
 *   <li>Revoking a key also revokes its tokens: the cache of signature checks remembers which key signed, and every
 *       request checks whether the project still has it, in the cached key set while the change feed is up to date, and
 *       in the database otherwise. Back ends that cache the set notice when they read it again, after five minutes at
 *       most.
 * </ul>
 */
@NullMarked
package dev.vestibule.token;

import org.jspecify.annotations.NullMarked;
