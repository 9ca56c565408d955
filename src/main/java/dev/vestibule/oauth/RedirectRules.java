package dev.vestibule.oauth;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.project.Project;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a sign in with a provider may end: at the project's {@code callbackUrl}, exactly, or anywhere at one of its
 * {@code allowedOrigins}. Compared part by part, never by how a text begins.
 */
final class RedirectRules {
    private static final String OUR_PARAMETERS = "authon_oauth_";

    private final Project project;
    private final RedirectUrl ownRedirect;

    RedirectRules(Project project, RedirectUrl ownRedirect) {
        this.project = project;
        this.ownRedirect = ownRedirect;
    }

    /** A field rule: where the provider sends the browser with the code. */
    RedirectUrl redirectUri(String text) {
        var address = RedirectUrl.of(text);
        if (address.fragment() != null) {
            throw new InvalidValueException("must have no fragment"); // RFC 6749, 3.1.2
        }
        if (!address.isUri()) {
            throw new InvalidValueException("must have no characters that need an escape");
        }
        return isOwn(address) ? ownRedirect : allowed(address);
    }

    /** A field rule: where we send the browser afterwards. */
    RedirectUrl returnTo(String text) {
        var address = RedirectUrl.of(text);
        if (address.query() != null && address.query().contains(OUR_PARAMETERS)) {
            throw new InvalidValueException("must not carry the outcome of another sign in");
        }
        return allowed(address);
    }

    /** Whether it is the server itself that takes the code. */
    boolean isOwn(RedirectUrl address) {
        return address.isSameAs(ownRedirect);
    }

    Optional<RedirectUrl> callbackUrl() {
        return Optional.ofNullable(project.callbackUrl())
                .flatMap(RedirectUrl::parse)
                .filter(address -> address.fragment() == null && address.isUri());
    }

    /** Whose pages may be handed the tokens of a sign in. */
    List<String> origins() {
        return Stream.concat(
                        callbackUrl().stream(),
                        project.allowedOrigins().stream().flatMap(RedirectRules::parse))
                .map(RedirectUrl::origin)
                .distinct()
                .toList();
    }

    private RedirectUrl allowed(RedirectUrl address) {
        if (callbackUrl().filter(address::isSameAs).isEmpty()
                && project.allowedOrigins().stream()
                        .flatMap(RedirectRules::parse)
                        .noneMatch(origin -> origin.origin().equals(address.origin()))) {
            throw new InvalidValueException("must be the project's callbackUrl, or at one of its allowedOrigins");
        }
        return address;
    }

    private static Stream<RedirectUrl> parse(String origin) {
        return RedirectUrl.parse(origin).stream();
    }
}
