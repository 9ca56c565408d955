package dev.vestibule.authentication;

import dev.vestibule.database.Database;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore.RefreshedSession;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionRefreshes;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.RefreshToken;
import dev.vestibule.token.RefreshTokens;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Refreshes tokens in one statement, with rotation and detection of reuse (RFC 9700, 4.14.2). A token that was replaced
 * within the grace time gets the same successor again, so that two tabs or a lost response do no harm. A token that was
 * replaced earlier must have been copied, so its use ends the session.
 */
public final class TokenRefresh {
    private final Database database;
    private final SessionRefreshes refreshes;
    private final SessionStore sessions;
    private final RefreshTokens refreshTokens;
    private final TokenIssuer issuer;
    private final Clock clock;
    private final Duration grace;
    private final boolean isAudited;

    public TokenRefresh(
            Database database,
            SessionRefreshes refreshes,
            SessionStore sessions,
            RefreshTokens refreshTokens,
            TokenIssuer issuer,
            Clock clock,
            Duration grace,
            boolean isAudited) {
        this.database = database;
        this.refreshes = refreshes;
        this.sessions = sessions;
        this.refreshTokens = refreshTokens;
        this.issuer = issuer;
        this.clock = clock;
        this.grace = grace;
        this.isAudited = isAudited;
    }

    /** Variant A: replaces the refresh token and extends the session. */
    public Future<TokenResponse> rotate(Project project, String text, BooleanSupplier isGone, Supplier<Trail> trail) {
        return refresh(project, ApiVariant.A, text, isGone, trail);
    }

    /** Variant B: keeps the refresh token and the session's expiry. */
    public Future<TokenResponse> renewAccessToken(
            Project project, String text, BooleanSupplier isGone, Supplier<Trail> trail) {
        return refresh(project, ApiVariant.B, text, isGone, trail);
    }

    private Future<TokenResponse> refresh(
            Project project, ApiVariant variant, String text, BooleanSupplier isGone, Supplier<Trail> trail) {
        var presented = refreshTokens.read(text).filter(token -> token.project().equals(project.id()));
        if (presented.isEmpty()) {
            return Future.failedFuture(RefreshTokens.invalid());
        }
        var token = presented.get();
        var now = clock.instant();
        return refreshes
                .refresh(project, token.session(), token.generation(), variant, isGone)
                .map(found -> found.filter(session -> session.expiresAt().isAfter(now))
                        .orElseThrow(RefreshTokens::invalid))
                .compose(session -> isValid(token, session, variant, now)
                        ? answer(project, variant, token, session, now)
                                .onSuccess(issued -> recordRefresh(trail, session, token))
                        : end(token, trail.get(), now));
    }

    /** The token has been used, so its successor must reach the client. */
    private Future<TokenResponse> answer(
            Project project, ApiVariant variant, RefreshToken token, RefreshedSession session, Instant now) {
        database.finishHere();
        return sessions.requireCurrent(project.id(), token.session(), session.person(), now, RefreshTokens::invalid)
                .compose(isCurrent -> issuer.issue(
                        database.reads(),
                        project,
                        variant,
                        token.session(),
                        session.generation(),
                        session.person(),
                        Duration.between(now, session.expiresAt())));
    }

    private void recordRefresh(Supplier<Trail> trail, RefreshedSession session, RefreshToken token) {
        if (isAudited) {
            var impersonator = session.authentication().impersonator();
            trail.get()
                    .as(session.user().id().value())
                    .impersonatedBy(impersonator == null ? null : impersonator.value())
                    .enqueue(
                            Logged.TOKEN_REFRESHED,
                            Target.session(token.session().value()),
                            Map.of());
        }
    }

    private boolean isValid(RefreshToken token, RefreshedSession session, ApiVariant variant, Instant now) {
        if (session.generation() == token.generation()) {
            return variant == ApiVariant.B;
        }
        return session.generation() == token.generation() + 1
                && !now.isAfter(session.rotatedAt().plus(grace));
    }

    /**
     * Either the user or a thief may have presented it, so the entry says whose session it was, and where the request
     * came from.
     */
    private Future<TokenResponse> end(RefreshToken reused, Trail trail, Instant now) {
        return database.inTransaction(transaction -> sessions.end(
                                transaction, reused.project(), reused.session(), EndReason.TOKEN_REUSED, now)
                        .compose(ended -> ended.isEmpty()
                                ? Future.succeededFuture()
                                : trail.record(
                                        transaction,
                                        Logged.TOKEN_REUSED,
                                        Target.user(ended.get().userId().value()),
                                        Map.of("sessionId", reused.session().value()))))
                .compose(ended -> Future.failedFuture(RefreshTokens.invalid()));
    }
}
