package dev.vestibule.project;

import dev.vestibule.json.UnicodeText;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** The domain that the passkeys of a project are bound to (the RP ID of WebAuthn Level 3). */
public final class PasskeyDomain {
    /** Passkeys are bound to names: browsers refuse IP addresses. */
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*");

    private PasskeyDomain() {}

    /** Empty if the project has no passkeys, or its settings name no domain. */
    public static Optional<String> of(Project project) {
        return project.factors().passkeys().enabled() ? domain(project) : Optional.empty();
    }

    private static Optional<String> domain(Project project) {
        var set = project.factors().passkeys().rpId();
        if (set != null) {
            return Optional.of(set);
        }
        var first = project.allowedOrigins().isEmpty()
                ? project.callbackUrl()
                : project.allowedOrigins().get(0);
        return Optional.ofNullable(first)
                .map(PasskeyDomain::host)
                .filter(host -> !host.isEmpty() && !ADDRESS.matcher(host).matches());
    }

    /** The host of the URL; empty if it cannot be the domain of passkeys. */
    public static String host(String url) {
        return UnicodeText.lowerAscii(Objects.requireNonNullElse(URI.create(url).getHost(), ""));
    }
}
