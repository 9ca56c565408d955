package dev.vestibule.authentication.oauth;

import dev.vestibule.session.Device;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The request of a browser that a provider has sent back to this server (RFC 6749, 4.1.2; RFC 9207).
 *
 * @param address that it came back to; only a sign in that was begun with this one takes the response
 * @param decisions where a page at this address sends what its reader decides, relative to it
 */
record AuthorizationCallback(
        String address,
        String decisions,
        Optional<StateToken> token,
        Optional<StateToken> trial,
        ProviderAnswer answer,
        Buffer network,
        Device device,
        @Nullable String acceptLanguage) {
    static AuthorizationCallback of(
            String address,
            String decisions,
            MultiMap parameters,
            Buffer network,
            Device device,
            @Nullable String acceptLanguage) {
        return new AuthorizationCallback(
                address,
                decisions,
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
