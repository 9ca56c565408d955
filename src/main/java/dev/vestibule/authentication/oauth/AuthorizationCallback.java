package dev.vestibule.authentication.oauth;

import dev.vestibule.session.Device;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The request of a browser that a provider has sent back to this server (RFC 6749, 4.1.2; RFC 9207). */
record AuthorizationCallback(
        Optional<StateToken> token,
        Optional<StateToken> trial,
        ProviderAnswer answer,
        Buffer network,
        Device device,
        @Nullable String acceptLanguage) {
    static AuthorizationCallback of(
            MultiMap parameters, Buffer network, Device device, @Nullable String acceptLanguage) {
        return new AuthorizationCallback(
                OauthFields.parameter(parameters, "state").flatMap(StateToken::parse),
                OauthFields.parameter(parameters, "state").flatMap(StateToken::parseTrial),
                ProviderAnswer.of(parameters),
                network,
                device,
                acceptLanguage);
    }

    @Override
    public String toString() {
        return "AuthorizationCallback";
    }
}
