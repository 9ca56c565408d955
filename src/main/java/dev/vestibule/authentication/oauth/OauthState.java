package dev.vestibule.authentication.oauth;

import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.provider.ProviderConnection;
import dev.vestibule.oauth.provider.ReturnAddress;
import dev.vestibule.session.Device;
import dev.vestibule.user.UserId;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a state is bound to when a sign in starts. */
record OauthState(
        Provider provider,
        String redirectUri,
        Flow flow,
        @Nullable String returnTo,
        @Nullable String codeChallenge,
        SignInOrigin beginning,
        @Nullable UserId user) {
    /** This sign in by the given connection, whose own return address is used if we receive the code. */
    OauthState with(ProviderConnection connection) {
        return flow == Flow.CLIENT
                ? this
                : new OauthState(
                        provider,
                        ReturnAddress.of(redirectUri, connection),
                        flow,
                        returnTo,
                        codeChallenge,
                        beginning,
                        user);
    }

    /** Where to send the browser after the sign in; empty if the application names no page. */
    Optional<RedirectUrl> returnUrl() {
        return Optional.ofNullable(returnTo).flatMap(RedirectUrl::parse);
    }

    /**
     * When and where a sign in was begun.
     *
     * @param network the client's network, empty if it cannot be told; null for a server, which knows its browsers
     *     itself
     */
    record SignInOrigin(@Nullable Buffer network, Instant at, Device device) {}

    /** Who receives the code, and what the browser does next. */
    enum Flow {
        /** A page of the application receives it and posts it to us. */
        CLIENT("client"),
        /** This server receives it and sends the browser on to a page of its own, which finishes the sign in. */
        PAGE("page"),
        /** This server receives it in a popup, which posts the tokens to the window that opened it. */
        POPUP("popup"),
        /**
         * This server receives it and redirects the browser to the application; without a page to return to, as in an
         * app, a page of this server ends the sign in.
         */
        REDIRECT("redirect");

        private final String text;

        Flow(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        static Flow of(String text) {
            return Stream.of(values())
                    .filter(flow -> flow.text.equals(text))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
