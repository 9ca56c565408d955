package dev.vestibule.session;

import io.vertx.core.buffer.Buffer;

/**
 * A network from which an account signed in lately.
 *
 * @param key the keyed hash of the network for this account
 * @param isOfProvenEmail whether the account's email was ever proved; else anyone may have made the account
 */
public record KnownNetwork(Buffer key, boolean isOfProvenEmail) {}
