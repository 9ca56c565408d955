package dev.vestibule.page.hosted;

import dev.vestibule.json.WebUrl;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A person's picture that a page can show. It is on any host, so the policy of the page names that host alone, and only
 * in a form that cannot become another part of the policy.
 *
 * @param source the origin, as a source of images in the policy
 */
record Picture(String url, String source) {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?");

    /** Empty for none, and for one that is not sent over TLS from a host with a plain name. */
    static Optional<Picture> of(@Nullable String url) {
        return Optional.ofNullable(url)
                .flatMap(WebUrl::parts)
                .filter(parts -> "https".equalsIgnoreCase(parts.getScheme()))
                .flatMap(parts -> Optional.ofNullable(parts.getRawAuthority()))
                .filter(host -> HOST.matcher(host).matches())
                .map(host -> new Picture(String.valueOf(url), "https://" + host));
    }
}
