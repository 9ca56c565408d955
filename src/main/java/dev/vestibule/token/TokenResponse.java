package dev.vestibule.token;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.User;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The response to a sign in or a refresh; {@code expiresIn} is the access token's lifetime in seconds. Only a sign in
 * says that a second factor still has to be set up.
 */
public record TokenResponse(
        String accessToken,
        String refreshToken,
        long expiresIn,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable SessionId sessionId,
        User user,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean mfaEnrollmentRequired,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant mfaEnrollmentDeadline)
        implements SignInResponse {
    public TokenResponse(
            String accessToken, String refreshToken, long expiresIn, @Nullable SessionId sessionId, User user) {
        this(accessToken, refreshToken, expiresIn, sessionId, user, null, null);
    }

    /** Also says that the user has until then to set up a second factor. */
    TokenResponse withEnrolmentUntil(Instant deadline) {
        return new TokenResponse(accessToken, refreshToken, expiresIn, sessionId, user, true, deadline);
    }

    /** Redacted, so that a token never reaches a log. */
    @Override
    public String toString() {
        return "TokenResponse[user=" + user.id() + "]";
    }
}
