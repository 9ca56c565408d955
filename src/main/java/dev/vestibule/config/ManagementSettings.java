package dev.vestibule.config;

/** The listener of health checks and metrics. */
public record ManagementSettings(String host, int port) {
    static ManagementSettings read(Group management) {
        return new ManagementSettings(
                management.value(
                        "host",
                        Type.HOST,
                        "127.0.0.1",
                        "Address to listen on. Nothing here asks for a credential, so by default only this machine"
                                + " reaches it; in a container, where the network is the container's own, set 0.0.0.0."),
                management.value("port", Type.PORT, "9090", "Port to listen on; 0 takes any free one."));
    }
}
