package dev.vestibule.page.hosted;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;

/** The cookies of the pages: of this host alone, and out of reach of scripts. */
record PageCookies(boolean isSecure) {
    /** With the prefix, no neighbouring host can set the cookie (RFC 6265bis, 4.1.3). */
    String name(String name) {
        return isSecure ? "__Host-" + name : name;
    }

    /** Lax, since applications and mails lead the browser to the page. */
    Cookie of(String name, String value) {
        return Cookie.cookie(name(name), value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(isSecure)
                .setSameSite(CookieSameSite.LAX);
    }
}
