package dev.vestibule.database.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port for a PostgreSQL that is about to start. */
final class FreePort {
    private FreePort() {}

    /** A port that is free now. If another process takes it before PostgreSQL does, the start is retried. */
    static int find() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new EmbeddedServerException("No free port on " + ApplicationDatabase.HOST, e);
        }
    }
}
