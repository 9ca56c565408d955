package dev.vestibule.authentication.oauth;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.project.Project;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The URLs at which a sign in with a provider may end: exactly the project's {@code callbackUrl}, or any URL at one of
 * its {@code allowedOrigins}. URLs are compared part by part, never by prefix.
 */
public final class RedirectRules {
    private static final String RESERVED_PREFIX = "authon_oauth_";

    private final Project project;
    private final RedirectUrl ownRedirect;

    public RedirectRules(Project project, RedirectUrl ownRedirect) {
        this.project = project;
        this.ownRedirect = ownRedirect;
    }

    /** A field rule: where the provider sends the browser with the code. */
    RedirectUrl redirectUri(String text) {
        var address = RedirectUrl.of(text);
        if (address.fragment() != null) {
            throw new InvalidValueException("must not have a fragment"); // RFC 6749, 3.1.2
        }
        if (!address.isUri()) {
            throw new InvalidValueException("must not contain characters that need escaping");
        }
        return isOwn(address) ? ownRedirect : allowed(address);
    }

    /** A field rule: where this server sends the browser after the sign in. */
    public RedirectUrl returnTo(String text) {
        var address = RedirectUrl.of(text);
        if (address.query() != null && address.query().contains(RESERVED_PREFIX)) {
            throw new InvalidValueException("must not have query parameters that begin with " + RESERVED_PREFIX);
        }
        return allowed(address);
    }

    /** Whether this is the server's own redirect URL. */
    boolean isOwn(RedirectUrl address) {
        return address.isSameAs(ownRedirect);
    }

    public Optional<RedirectUrl> callbackUrl() {
        return Optional.ofNullable(project.callbackUrl())
                .flatMap(RedirectUrl::parse)
                .filter(address -> address.fragment() == null && address.isUri());
    }

    /** The origins whose pages may receive the tokens of a sign in. */
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
