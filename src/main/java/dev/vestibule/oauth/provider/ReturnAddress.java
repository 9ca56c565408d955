package dev.vestibule.oauth.provider;

import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Where providers send browsers back to if this server receives the code. A provider whose issuer somebody has chosen
 * has an address of its own, which names its owner, the organization or the project, and which of the project's
 * providers it is. Otherwise it could send a browser on to another provider, whose code would arrive with a state of
 * its own, so that we would send it to the chosen issuer (RFC 9700, 4.4).
 */
public final class ReturnAddress {
    private static final Pattern OWNER =
            Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\\.[a-z0-9_-]{1,40})?");

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
                ? of(shared, connection.project(), connection.provider())
                : shared;
    }

    /** The address of what belongs to this organization. */
    public static String of(String shared, UUID organization) {
        return shared + "/" + organization;
    }

    /** The address of a provider whose issuer this project has chosen. */
    static String of(String shared, ProjectId project, Provider provider) {
        return shared + "/" + project + (provider.equals(Provider.OPEN_ID_CONNECT) ? "" : "." + provider);
    }

    /** The address whose last part this is; empty if no provider has it. */
    public static Optional<String> find(String shared, String last) {
        return OWNER.matcher(last).matches() ? Optional.of(shared + "/" + last) : Optional.empty();
    }
}
