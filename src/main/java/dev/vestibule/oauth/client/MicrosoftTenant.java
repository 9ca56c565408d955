package dev.vestibule.oauth.client;

import java.util.Optional;

/** Checks that an account belongs to the Microsoft tenant that a project has chosen. */
final class MicrosoftTenant {
    /** The tenant of all personal accounts, as Microsoft's page on access tokens says. */
    private static final String PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad";

    private MicrosoftTenant() {}

    /** A tenant's endpoints issue tokens for its own accounts only; this check does not rely on that. */
    static boolean admits(Optional<String> setting, String tenant) {
        return switch (setting.orElse("common")) {
            case "common" -> true;
            case "consumers" -> tenant.equals(PERSONAL);
            case "organizations" -> !tenant.equals(PERSONAL);
            default -> setting.filter(tenant::equals).isPresent();
        };
    }
}
