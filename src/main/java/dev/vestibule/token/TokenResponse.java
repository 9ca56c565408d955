package dev.vestibule.token;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.User;
import org.jspecify.annotations.Nullable;

/** The response to a sign in; {@code expiresIn} is the access token's life in seconds. Only a refresh names the session. */
public record TokenResponse(
        String accessToken,
        String refreshToken,
        long expiresIn,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable SessionId sessionId,
        User user)
        implements SignInResponse {

    /** Redacted, so that a token never reaches a log. */
    @Override
    public String toString() {
        return "TokenResponse[user=" + user.id() + "]";
    }
}
