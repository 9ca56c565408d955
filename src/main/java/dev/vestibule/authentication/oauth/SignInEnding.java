package dev.vestibule.authentication.oauth;

import dev.vestibule.http.Reply;
import dev.vestibule.project.Project;
import dev.vestibule.token.SignInResult.Completed;
import io.vertx.core.Future;

/**
 * What the browser sees at the end of a sign in for which this server received the code; a poll can already fetch the
 * outcome. A page of this server does not use this: it gets the provider's answer and finishes the sign in itself
 * ({@link PageSignIn}).
 */
interface SignInEnding {
    /**
     * A browser that has come back from the provider.
     *
     * @param hasAgreed whether the person has agreed that the session goes to the person who began the sign in
     */
    record ReturnedBrowser(
            Project project, StateToken token, OauthState state, AuthorizationCallback callback, boolean hasAgreed) {
        @Override
        public String toString() {
            return "ReturnedBrowser[" + token + "]";
        }
    }

    Future<Reply> signedIn(ReturnedBrowser browser, Completed completed);

    Future<Reply> failed(ReturnedBrowser browser, String message);
}
