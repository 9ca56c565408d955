package dev.vestibule.oauth.client;

import java.util.Optional;

/** Whose accounts a project lets in that names a tenant of Microsoft's. */
final class MicrosoftTenant {
    /** In which all personal accounts are, as Microsoft's page on access tokens says. */
    private static final String PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad";

    private MicrosoftTenant() {}

    /** The endpoints of a tenant give tokens of its own alone; but whoever lets others in should know of it here. */
    static boolean admits(Optional<String> setting, String tenant) {
        return switch (setting.orElse("common")) {
            case "common" -> true;
            case "consumers" -> tenant.equals(PERSONAL);
            case "organizations" -> !tenant.equals(PERSONAL);
            default -> setting.filter(tenant::equals).isPresent();
        };
    }
}
