package dev.vestibule.session;

import io.vertx.core.buffer.Buffer;

/**
 * A network from which an account signed in lately.
 *
 * @param key the keyed hash of the network for this account
 * @param isProven whether the account's email, or the number that it was looked up by, was ever proved; else anyone may have
 *     made the account
 */
public record KnownNetwork(Buffer key, boolean isProven) {}
