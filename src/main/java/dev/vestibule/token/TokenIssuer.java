package dev.vestibule.token;

import dev.vestibule.http.RequestRecord;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.session.SessionId;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.VerificationRequired;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;

/** Issues the tokens of a session. */
public final class TokenIssuer {
    private static final int FIRST_GENERATION = 0;

    private final AccessTokens accessTokens;
    private final RefreshTokens refreshTokens;

    public TokenIssuer(AccessTokens accessTokens, RefreshTokens refreshTokens) {
        this.accessTokens = accessTokens;
        this.refreshTokens = refreshTokens;
    }

    /** Turns the result of a sign in into the response: the tokens of the new session, or what is needed first. */
    public Future<SignInResponse> respond(SqlClient db, Project project, ApiVariant variant, SignInResult result) {
        return result instanceof Completed completed
                ? open(db, project, variant, completed.session(), completed.user())
                        .map(tokens -> tokens)
                : Future.succeededFuture((VerificationRequired) result);
    }

    /** The tokens of a session that was just opened. */
    public Future<TokenResponse> open(SqlClient db, Project project, ApiVariant variant, SessionId session, User user) {
        return issue(db, project, variant, session, FIRST_GENERATION, user, project.initialSessionLifetime())
                .map(tokens -> new TokenResponse(
                        tokens.accessToken(), tokens.refreshToken(), tokens.expiresIn(), null, tokens.user()));
    }

    /**
     * A new access token, and the refresh token of the given generation. The access token does not outlive the session,
     * which lives for the given time from now on: back ends that verify tokens on their own trust its expiry.
     */
    public Future<TokenResponse> issue(
            SqlClient db,
            Project project,
            ApiVariant variant,
            SessionId session,
            int generation,
            User user,
            Duration sessionLifetime) {
        RequestRecord.ofUser(user.id());
        var ttl = Collections.min(List.of(project.accessTokenTtl(variant), sessionLifetime))
                .truncatedTo(ChronoUnit.SECONDS);
        var refreshToken = refreshTokens.write(new RefreshToken(project.id(), session, generation));
        return accessTokens
                .issue(db, new TokenSubject(project.id(), user.id(), session), ttl)
                .map(accessToken -> new TokenResponse(accessToken, refreshToken, ttl.toSeconds(), session, user));
    }
}
