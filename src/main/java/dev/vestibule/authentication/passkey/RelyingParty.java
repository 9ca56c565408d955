package dev.vestibule.authentication.passkey;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.PasskeyDomain;
import dev.vestibule.project.Project;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/** The relying party: a domain, and the origins of pages and apps that can ask for passkeys in its name. */
record RelyingParty(String id, String name, Set<String> origins) {
    private static final String LOCALHOST = "localhost";
    private static final String APP = "android:";

    /** A 404 if the project has no passkeys, and a 409 if its settings name no domain or no origin. */
    static RelyingParty of(Project project) {
        requireEnabled(project);
        var id = PasskeyDomain.of(project)
                .orElseThrow(() -> ApiException.of(
                        ErrorCode.PASSKEYS_NOT_CONFIGURED,
                        "This project cannot have passkeys yet: an owner must set"
                                + " passkeyRpId, or allowedOrigins or callbackUrl with a domain."));
        var origins = origins(project, id);
        if (origins.isEmpty()) {
            throw ApiException.of(
                    ErrorCode.PASSKEYS_NOT_CONFIGURED,
                    "This project cannot have passkeys yet: an owner must set allowedOrigins or"
                            + " passkeyOrigins with an origin of " + id + " or below it, by https.");
        }
        return new RelyingParty(id, project.name(), Set.copyOf(origins));
    }

    /** Whether a page of this origin can ask for the project's passkeys. */
    static boolean mayAsk(Project project, String origin) {
        return PasskeyDomain.of(project)
                .filter(id -> origins(project, id).contains(origin))
                .isPresent();
    }

    private static Set<String> origins(Project project, String id) {
        var origins = new LinkedHashSet<String>();
        Stream.concat(project.allowedOrigins().stream(), project.factors().passkeys().origins().stream())
                .filter(origin -> isOf(origin, id))
                .forEach(origins::add);
        return origins;
    }

    /** A 404 if the project has no passkeys. */
    static void requireEnabled(Project project) {
        if (!project.factors().passkeys().enabled()) {
            throw ApiException.of(ErrorCode.FEATURE_DISABLED, "This project has no passkeys.");
        }
    }

    /** Browsers offer passkeys only in secure contexts, and only for the origin's own domain or a parent of it. */
    private static boolean isOf(String origin, String id) {
        if (origin.startsWith(APP)) {
            return true;
        }
        var host = PasskeyDomain.host(origin);
        var isSecure = origin.startsWith("https:") || host.equals(LOCALHOST) || host.endsWith("." + LOCALHOST);
        return isSecure && (host.equals(id) || host.endsWith("." + id));
    }
}
