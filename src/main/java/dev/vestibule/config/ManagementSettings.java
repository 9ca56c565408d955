package dev.vestibule.config;

/** The listener of health checks and metrics. */
public record ManagementSettings(String host, int port) {
    static ManagementSettings read(SettingsSection management) {
        return new ManagementSettings(
                management.value(
                        "host",
                        SettingType.HOST,
                        "127.0.0.1",
                        "Address to listen on. Nothing here asks for a credential, so by default only this machine can"
                                + " reach it. In a container, which has its own network, set 0.0.0.0."),
                management.value("port", SettingType.PORT, "9090", "Port to listen on; 0 means any free one."));
    }
}
