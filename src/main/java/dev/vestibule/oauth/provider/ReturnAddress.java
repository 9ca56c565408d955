package dev.vestibule.oauth.provider;

import java.util.UUID;

/**
 * Where providers send browsers back to if this server receives the code. A provider whose issuer somebody has chosen has an
 * address of its owner alone: of the organization, or of the project. Otherwise it could send a browser on to another
 * provider, whose code would arrive with a state of its own, so that we would send it to the chosen issuer (RFC 9700, 4.4).
 */
public final class ReturnAddress {
    private ReturnAddress() {}

    /**
     * The address of a provider.
     *
     * @param shared that of all providers whose endpoints this server knows
     */
    public static String of(String shared, ProviderConnection connection) {
        var organization = connection.organization();
        if (organization != null) {
            return of(shared, organization);
        }
        return connection.entry().isIssuerOfProject()
                ? of(shared, connection.project().value())
                : shared;
    }

    /** The address of what belongs to this project or organization. */
    public static String of(String shared, UUID owner) {
        return shared + "/" + owner;
    }
}
