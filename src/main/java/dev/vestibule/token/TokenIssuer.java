package dev.vestibule.token;

import dev.vestibule.http.RequestRecord;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.ClaimRule;
import dev.vestibule.project.Project;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionPerson;
import dev.vestibule.telemetry.metrics.TokenMeters;
import dev.vestibule.token.AccessTokens.TokenSubject;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.EnrolmentRequired;
import dev.vestibule.token.SignInResult.Refused;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Issues the tokens of a session. */
public final class TokenIssuer {
    private static final int FIRST_GENERATION = 0;

    private final AccessTokens accessTokens;
    private final RefreshTokens refreshTokens;
    private final TokenMeters meters;

    TokenIssuer(AccessTokens accessTokens, RefreshTokens refreshTokens, TokenMeters meters) {
        this.accessTokens = accessTokens;
        this.refreshTokens = refreshTokens;
        this.meters = meters;
    }

    /** Turns the result of a sign in into the response: the tokens of the new session, or what is needed first. */
    public Future<SignInResponse> respond(SqlClient db, Project project, ApiVariant variant, SignInResult result) {
        if (result instanceof EnrolmentRequired required) {
            return Future.failedFuture(required.error());
        }
        if (result instanceof Refused refused) {
            return Future.failedFuture(refused.error());
        }
        return result instanceof Completed completed
                ? open(db, project, variant, completed).map(tokens -> tokens)
                : Future.succeededFuture((SignInResponse) result);
    }

    /** Issues the tokens of a session that was just opened. */
    public Future<TokenResponse> open(SqlClient db, Project project, ApiVariant variant, Completed opened) {
        return open(db, project, variant, opened, project.initialSessionLifetime());
    }

    /** Issues the tokens of a session that has this much time left. */
    public Future<TokenResponse> open(
            SqlClient db, Project project, ApiVariant variant, Completed opened, Duration sessionLifetime) {
        return issueFirst(
                        db,
                        project,
                        variant,
                        opened.session(),
                        new SessionPerson(opened.authentication(), opened.user()),
                        sessionLifetime)
                .map(tokens -> new TokenResponse(
                        tokens.accessToken(), tokens.refreshToken(), tokens.expiresIn(), null, tokens.user()))
                .map(tokens -> enrolmentDeadline(project, opened)
                        .map(tokens::withEnrolmentUntil)
                        .orElse(tokens));
    }

    /**
     * Empty if no second factor has to be set up. If the project requires one, no sign-in method lets a user skip the
     * one that they have; so a session with one factor belongs to a user who has none. An impersonator's session and
     * that of an automatic test prove nothing about the user, and need none.
     */
    private static Optional<Instant> enrolmentDeadline(Project project, Completed opened) {
        var authentication = opened.authentication();
        return authentication.methods().isEmpty() || authentication.isMultiFactor()
                ? Optional.empty()
                : project.factors().enrolmentDeadline(opened.user().enrolmentStart());
    }

    /** Issues the tokens of a new session with the given lifetime; the response names the session. */
    public Future<TokenResponse> issueFirst(
            SqlClient db,
            Project project,
            ApiVariant variant,
            SessionId session,
            SessionPerson person,
            Duration sessionLifetime) {
        return issue(db, project, variant, session, FIRST_GENERATION, person, sessionLifetime);
    }

    /**
     * Issues a new access token, and the refresh token of the given generation. The session lives for the given time
     * from now on, and the access token does not outlive it, because back ends that verify tokens on their own trust
     * its expiry.
     */
    public Future<TokenResponse> issue(
            SqlClient db,
            Project project,
            ApiVariant variant,
            SessionId session,
            int generation,
            SessionPerson person,
            Duration sessionLifetime) {
        RequestRecord.ofUser(person.user().id());
        var ttl = Collections.min(List.of(project.accessTokenTtl(variant), sessionLifetime))
                .truncatedTo(ChronoUnit.SECONDS);
        var refreshToken = refreshTokens.write(new RefreshToken(project.id(), session, generation));
        return accessTokens
                .issue(
                        db,
                        subject(project, session, person),
                        CustomClaims.of(project.defaultClaims(), person, meters),
                        ttl)
                .map(accessToken ->
                        new TokenResponse(accessToken, refreshToken, ttl.toSeconds(), session, person.user()));
    }

    private static TokenSubject subject(Project project, SessionId session, SessionPerson person) {
        var organization = person.organization();
        return new TokenSubject(
                project.id(),
                person.user().id(),
                session,
                person.authentication(),
                organization == null
                        ? null
                        : OrganizationClaims.of(
                                organization, project.organizations().roles()));
    }

    /** An access token alone; {@code expiresIn} is its lifetime in seconds. */
    public record IssuedAccessToken(String accessToken, long expiresIn) {
        /** Redacted, so that a token never reaches a log. */
        @Override
        public String toString() {
            return "IssuedAccessToken";
        }
    }

    /** The claims that these rules add to a token of the user that is for no organization. */
    public Map<String, Object> claimsFor(User user, List<ClaimRule> rules) {
        return CustomClaims.of(rules, user, null, meters);
    }

    /**
     * Issues a token with these claims instead of the default ones; its lifetime must not exceed that of the session.
     */
    public Future<IssuedAccessToken> issueAccessToken(
            SqlClient db,
            Project project,
            SessionId session,
            SessionPerson person,
            List<ClaimRule> claims,
            Duration lifetime) {
        RequestRecord.ofUser(person.user().id());
        var ttl = lifetime.truncatedTo(ChronoUnit.SECONDS);
        return accessTokens
                .issue(db, subject(project, session, person), CustomClaims.of(claims, person, meters), ttl)
                .map(token -> new IssuedAccessToken(token, ttl.toSeconds()));
    }
}
