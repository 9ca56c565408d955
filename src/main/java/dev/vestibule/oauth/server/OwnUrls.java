package dev.vestibule.oauth.server;

import dev.vestibule.config.Settings;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.outbound.TargetUrl;

/**
 * Field rules for URLs of clients that this server sends requests to.
 *
 * @param allowPrivateKeys whether the setting {@code oauth.allowPrivateIssuers} allows any address and plain http
 * @param allowPrivateLogouts the same, by {@code webhooks.allowPrivateTargets}
 */
record OwnUrls(boolean allowPrivateKeys, boolean allowPrivateLogouts) {
    static OwnUrls of(Settings settings) {
        return new OwnUrls(
                settings.oauth().allowPrivateIssuers(), settings.webhooks().allowPrivateTargets());
    }

    String keys(String text) {
        return url(text, allowPrivateKeys, "oauth.allowPrivateIssuers");
    }

    String logout(String text) {
        return url(text, allowPrivateLogouts, "webhooks.allowPrivateTargets");
    }

    private static String url(String text, boolean allowPrivate, String setting) {
        var url = TargetUrl.of(text, allowPrivate, setting);
        if (!allowPrivate && !"https".equalsIgnoreCase(url.getScheme())) {
            throw new InvalidValueException("must be https");
        }
        return url.toString();
    }
}
