/**
 * The public keys of others, and the JWTs that they sign: identity providers, and the clients of the authorization
 * server.
 *
 * <p>Keys come from strangers. Only the members that a check of a signature needs are kept, and their lengths are
 * limited: a large exponent or modulus makes a check very slow. Algorithms with a shared secret, and unsigned JWTs, are
 * never among those accepted.
 */
@NullMarked
package dev.vestibule.oauth.jose;

import org.jspecify.annotations.NullMarked;
