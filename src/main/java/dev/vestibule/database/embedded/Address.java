package dev.vestibule.database.embedded;

/** Where the server listens, and the credentials of the application, which is not a superuser. */
public record Address(String host, int port, String user, String password, String database) {
    /** Everything except the password, so that an address can be logged. */
    @Override
    public String toString() {
        return "postgresql://" + user + "@" + host + ":" + port + "/" + database;
    }
}
