package dev.vestibule.mail;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Builds the link of a reset mail to the project's own page, with the code and the email in the query. */
final class ResetLink {
    private ResetLink() {}

    /**
     * Keeps the query and the fragment of the page. Single-page applications use the fragment for routing, so it stays
     * last.
     */
    static String of(String page, String code, String email) {
        return with(page, "code=" + encode(code) + "&email=" + encode(email));
    }

    static String with(String page, String query) {
        var end = page.indexOf('#');
        var beforeFragment = end < 0 ? page : page.substring(0, end);
        return beforeFragment
                + (URI.create(page).getRawQuery() == null ? "?" : "&")
                + query
                + (end < 0 ? "" : page.substring(end));
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
