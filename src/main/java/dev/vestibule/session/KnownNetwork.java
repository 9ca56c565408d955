package dev.vestibule.session;

import io.vertx.core.buffer.Buffer;

/**
 * A network from which an account recently signed in.
 *
 * @param key the keyed hash of the network for this account
 * @param isProven whether the account's email, or the number that it was looked up by, was ever proved; otherwise
 *     anyone may have created the account
 */
public record KnownNetwork(Buffer key, boolean isProven) {}
