package dev.vestibule.authentication.passkey;

import io.vertx.core.buffer.Buffer;

/** What a browser signs is read or refused. */
public final class ClientDataTarget {
    private ClientDataTarget() {}

    public static void check(byte[] input) {
        ClientData.parse(Buffer.buffer(input));
    }
}
