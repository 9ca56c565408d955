package dev.vestibule.oauth;

import dev.vestibule.session.Device;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A browser that comes back from a provider to us, with what the provider gave it (RFC 6749, 4.1.2; RFC 9207). */
record AuthorizationCallback(
        Optional<StateToken> token,
        Optional<String> code,
        Optional<String> error,
        @Nullable String issuer,
        @Nullable String postedUser,
        boolean isConfirmed,
        Buffer network,
        Device device,
        @Nullable String acceptLanguage) {
    /** Confirmed is only what somebody has sent by the button of our own page. */
    static AuthorizationCallback of(
            MultiMap parameters, boolean isPosted, Buffer network, Device device, @Nullable String acceptLanguage) {
        return new AuthorizationCallback(
                OauthFields.parameter(parameters, "state").flatMap(StateToken::parse),
                OauthFields.parameter(parameters, "code"),
                OauthFields.parameter(parameters, "error"),
                OauthFields.parameter(parameters, "iss").orElse(null),
                OauthFields.parameter(parameters, "user").orElse(null),
                isPosted && parameters.contains(OauthPages.CONFIRMED),
                network,
                device,
                acceptLanguage);
    }

    @Override
    public String toString() {
        return "AuthorizationCallback";
    }
}
