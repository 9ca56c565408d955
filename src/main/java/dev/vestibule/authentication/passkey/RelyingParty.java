package dev.vestibule.authentication.passkey;

import dev.vestibule.error.ApiException;
import dev.vestibule.project.Project;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Who asks for passkeys: a domain, and the origins of pages and apps that may ask in its name. */
record RelyingParty(String id, String name, Set<String> origins) {
    private static final String LOCALHOST = "localhost";
    private static final String APP = "android:";

    /** Passkeys are bound to names: browsers refuse addresses. */
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*");

    /** A 404 where the project has no passkeys, and a 409 where its settings name no domain or no origin. */
    static RelyingParty of(Project project) {
        requireEnabled(project);
        var id = id(project)
                .orElseThrow(() -> ApiException.conflict("This project cannot have passkeys yet: its owner sets"
                        + " passkeyRpId, or allowedOrigins or callbackUrl with a domain."));
        var origins = origins(project, id);
        if (origins.isEmpty()) {
            throw ApiException.conflict("This project cannot have passkeys yet: its owner sets allowedOrigins or"
                    + " passkeyOrigins with an origin of " + id + " or below it, by https.");
        }
        return new RelyingParty(id, project.name(), Set.copyOf(origins));
    }

    /** Whether a page of this origin may ask for the project's passkeys. */
    static boolean mayAsk(Project project, String origin) {
        return idIfAny(project)
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

    /** A 404 where the project has no passkeys. */
    static void requireEnabled(Project project) {
        if (!project.factors().passkeys().enabled()) {
            throw ApiException.notFound("This project has no passkeys.");
        }
    }

    /** Empty where the project has no passkeys, or its settings name no domain. */
    static Optional<String> idIfAny(Project project) {
        return project.factors().passkeys().enabled() ? id(project) : Optional.empty();
    }

    private static Optional<String> id(Project project) {
        var set = project.factors().passkeys().rpId();
        if (set != null) {
            return Optional.of(set);
        }
        var first = project.allowedOrigins().isEmpty()
                ? project.callbackUrl()
                : project.allowedOrigins().get(0);
        return Optional.ofNullable(first)
                .map(RelyingParty::host)
                .filter(host -> !host.isEmpty() && !ADDRESS.matcher(host).matches());
    }

    /** Browsers have passkeys in secure contexts alone, and only for the origin's own domain or one above it. */
    private static boolean isOf(String origin, String id) {
        if (origin.startsWith(APP)) {
            return true;
        }
        var host = host(origin);
        var isSecure = origin.startsWith("https:") || host.equals(LOCALHOST) || host.endsWith("." + LOCALHOST);
        return isSecure && (host.equals(id) || host.endsWith("." + id));
    }

    /** Empty where there is none that a domain could be. */
    private static String host(String url) {
        return Objects.requireNonNullElse(URI.create(url).getHost(), "").toLowerCase(Locale.ROOT);
    }
}
