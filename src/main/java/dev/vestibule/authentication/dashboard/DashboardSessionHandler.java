package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.SignInHandler;
import dev.vestibule.authentication.TokenHandler;
import dev.vestibule.authentication.email.EmailHandler;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.session.SessionHandler;
import dev.vestibule.token.RefreshTokens;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;

/**
 * Opens, refreshes and ends the sessions of dashboard users like those of all users, except that the browser can keep
 * the refresh token in a cookie.
 */
public final class DashboardSessionHandler {
    private final SignInHandler signIn;
    private final EmailHandler email;
    private final TokenHandler tokens;
    private final SessionHandler sessions;
    private final RefreshCookie cookie;

    public DashboardSessionHandler(
            SignInHandler signIn,
            EmailHandler email,
            TokenHandler tokens,
            SessionHandler sessions,
            RefreshCookie cookie) {
        this.signIn = signIn;
        this.email = email;
        this.tokens = tokens;
        this.sessions = sessions;
        this.cookie = cookie;
    }

    /** {@code POST /v1/dashboard/auth/login}: signs in a dashboard user, who is a user of the system project. */
    public Future<Reply> login(ApiRequest request) {
        return kept(request, signIn.byPassword(request));
    }

    /** {@code POST /v1/dashboard/auth/mfa/verify}: completes a login with the code of the second factor. */
    public Future<Reply> verifyMfa(ApiRequest request) {
        return kept(request, signIn.verifyMfa(request));
    }

    /** {@code POST /v1/dashboard/auth/verify-email}: verifies an email by a mailed code and opens a session. */
    public Future<Reply> verifyEmail(ApiRequest request) {
        return kept(request, email.verify(request));
    }

    /**
     * {@code POST /v1/dashboard/auth/refresh}: replaces the refresh token in a browser's cookie. An invalid one is left
     * there: by the time the browser reads the error, another tab may have got the token of a newer session.
     */
    public Future<Reply> refresh(ApiRequest request) {
        if (!cookie.isRequested(request.http())) {
            throw ApiException.of(
                    ErrorCode.BAD_REQUEST,
                    "Send the header x-refresh-token: cookie. The refresh token is in the cookie that a log in with the same"
                            + " header sets.");
        }
        return kept(
                request,
                cookie.read(request.http())
                        .map(token -> tokens.rotate(request, token))
                        .orElseGet(() -> Future.failedFuture(RefreshTokens.invalid())));
    }

    private Future<Reply> kept(ApiRequest request, Future<Reply> open) {
        return cookie.storeIfRequested(request.http(), request.project().refreshTokenTtl(), open);
    }

    /** {@code POST /v1/dashboard/auth/signout}: ends the session, and clears the cookie of its refresh token. */
    public Future<Reply> signOut(ApiRequest request) {
        return sessions.signOut(request)
                .map(reply -> reply.withHeader(HttpHeaders.SET_COOKIE.toString(), cookie.cleared()));
    }
}
