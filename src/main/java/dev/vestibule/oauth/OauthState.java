package dev.vestibule.oauth;

import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.user.UserId;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** What a state is bound to when a sign in starts. */
record OauthState(
        Provider provider,
        String redirectUri,
        Flow flow,
        @Nullable String returnTo,
        @Nullable String codeChallenge,
        @Nullable Buffer initiatorNetwork,
        @Nullable UserId user) {
    /** Who receives the code, and what the browser does next. */
    enum Flow {
        /** A page of the application receives it and posts it to us. */
        CLIENT("client"),
        /** This server receives it in a popup, which posts the tokens to the window that opened it. */
        POPUP("popup"),
        /** This server receives it and redirects the browser to the application. */
        REDIRECT("redirect");

        private final String text;

        Flow(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        static Flow of(String text) {
            return switch (text) {
                case "client" -> CLIENT;
                case "popup" -> POPUP;
                default -> REDIRECT;
            };
        }
    }
}
