package dev.vestibule.oauth;

import dev.vestibule.session.Device;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The request of a browser that a provider has sent back to this server (RFC 6749, 4.1.2; RFC 9207). */
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
    /** Only the form of our own confirmation page confirms: the parameter in a link does not count. */
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
