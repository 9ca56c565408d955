package dev.vestibule.oauth;

import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.user.UserId;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** What a state is bound to, from the moment that somebody asked for it. */
record OauthState(
        Provider provider,
        String redirectUri,
        Flow flow,
        @Nullable String returnTo,
        @Nullable String codeChallenge,
        @Nullable Buffer askedFrom,
        @Nullable UserId user) {
    /** Who takes the code, and what the browser does then. */
    enum Flow {
        /** A page of the application takes it, and shows it to us. */
        CLIENT("client"),
        /** We take it, in a window that hands the tokens to the one that opened it. */
        POPUP("popup"),
        /** We take it, and the browser goes back to the application. */
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
